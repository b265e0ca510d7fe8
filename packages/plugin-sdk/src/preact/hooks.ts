import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { createHooks } from '../hooks/create-hooks.ts'
import type { Store } from '../store.ts'
import { PageContext } from './page-provider.ts'

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

/** `useSyncExternalStore` of `preact/compat` would bring all of that along. Nothing here renders in pieces. */
function useStoreOfPreact<Value>(store: Store<Value>): Value {
  const value = store.get()
  const [, setShown] = useState({ value })
  useLayoutEffect(() => {
    const show = (): void => setShown((shown) => (shown.value === store.get() ? shown : { value: store.get() }))
    show() // it may have changed since it was rendered
    return store.subscribe(show)
  }, [store])
  return value
}
