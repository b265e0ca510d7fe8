import type { PageData } from '@tillwright/plugin-sdk'
import { tabStorage } from './tab-storage.ts'

/** Forgets the session of this tab, as the SDK keeps it, and begins at the landing page with another one. */
export function beginAnew({ storeId, funnel, basePath }: PageData): void {
  tabStorage()?.removeItem(`tillwright:${storeId}:${funnel?.id ?? ''}`)
  location.assign(basePath)
}
