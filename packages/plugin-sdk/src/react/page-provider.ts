import { createContext, createElement, type ReactNode } from 'react'
import type { Page } from '../page/open-page.ts'

/** The page of the nearest provider; `null` without one. */
export const PageContext = createContext<Page | null>(null)

/** Gives a page to the hooks of all components below. */
export function PageProvider({ page, children }: { page: Page; children?: ReactNode }): ReactNode {
  return createElement(PageContext.Provider, { value: page }, children)
}
