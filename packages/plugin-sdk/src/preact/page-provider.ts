import { createContext, createElement, type ComponentChildren, type JSX } from 'preact'
import type { Page } from '../page/open-page.ts'

/** The page of the nearest provider; `null` without one. */
export const PageContext = createContext<Page | null>(null)

/** Gives a page to the hooks of all components below. */
export function PageProvider({ page, children }: { page: Page; children?: ComponentChildren }): JSX.Element {
  return createElement(PageContext.Provider, { value: page }, children)
}
