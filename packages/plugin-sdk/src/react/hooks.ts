import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { createHooks } from '../hooks.ts'
import type { Page } from '../page.ts'

/** The page of the nearest provider; `null` without one. */
const PageContext = createContext<Page | null>(null)

/** Provides a page to the hooks of all components below. */
export function PageProvider({ page, children }: { page: Page; children?: ReactNode }): ReactNode {
  return createElement(PageContext.Provider, { value: page }, children)
}

export const {
  useCard,
  useConfig,
  useCustomer,
  useLocale,
  useMoney,
  useOrder,
  usePage,
  usePay,
  useSession,
  useStore,
  useText,
} = createHooks({
  usePageContext: () => useContext(PageContext),
  useEffect,
  useState,
  useStore: ({ subscribe, get }) => useSyncExternalStore(subscribe, get, get),
})
