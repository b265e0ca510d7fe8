import type { BuyerSession } from '@tillwright/plugin-sdk'
import { usePage, useStore } from '@tillwright/plugin-sdk/preact'
import { useMemo } from 'preact/hooks'

/** The session as the platform last returned it. With it a component is not drawn again while a change is under way. */
export function useView(): BuyerSession | null {
  const { session } = usePage()
  const view = useMemo(() => ({ get: () => session.get().view, subscribe: session.subscribe }), [session])
  return useStore(view)
}
