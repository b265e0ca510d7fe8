import { type ComponentChildren, createContext, createElement, type JSX } from 'preact'
import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { createHooks } from '../hooks.ts'
import type { Page } from '../page.ts'
import type { Store } from '../store.ts'

/** The page of the nearest provider; `null` without one. */
const PageContext = createContext<Page | null>(null)

/** Provides a page to the hooks of all components below. */
export function PageProvider({ page, children }: { page: Page; children?: ComponentChildren }): JSX.Element {
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
} = createHooks({ usePageContext: () => useContext(PageContext), useEffect, useState, useStore: useStoreOfPreact })

/**
 * `useSyncExternalStore` of `preact/compat` would pull in all of that package, and rendering here is never interrupted.
 */
function useStoreOfPreact<Value>(store: Store<Value>): Value {
  const value = store.get()
  const [, setShown] = useState({ value })
  useLayoutEffect(() => {
    const show = (): void => setShown((shown) => (shown.value === store.get() ? shown : { value: store.get() }))
    show() // it may have changed since rendering
    return store.subscribe(show)
  }, [store])
  return value
}
