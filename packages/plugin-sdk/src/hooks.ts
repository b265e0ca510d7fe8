import type { SessionCustomer, SessionOrder } from './api.ts'
import type { CardForm, CardOptions } from './checkout.ts'
import type { PluginConfig } from './page-data.ts'
import type { Page } from './page.ts'
import type { PayState } from './pay/pay.ts'
import type { SessionState } from './session/index.ts'
import type { Store } from './store.ts'

/** The parts of Preact or React that the hooks need. */
export interface HookLibrary {
  /** The page of the nearest provider, or `null`. */
  usePageContext(): Page | null
  useEffect(effect: () => (() => void) | undefined, inputs: readonly unknown[]): void
  useState<Value>(initial: Value): [Value, (next: Value) => void]
  /** A store's value; renders again whenever it changes. */
  useStore<Value>(store: Store<Value>): Value
}

/** A card form of the page that renders it. */
export interface RenderedCard {
  /** Attach it to the element that contains the form: `<div ref={card.ref} />`. */
  ref: (element: Element | null) => void
  status: 'loading' | 'ready' | 'failed'
  /** `null` until it is mounted. */
  card: CardForm | null
  /** Mounts an empty form again after a failure. */
  retry(): void
}

/** Hooks for the parts of a page. A component renders again when a part it uses has changed. */
export interface Hooks {
  /** The page itself. @throws {Error} Without a `<PageProvider>` above. */
  usePage(): Page
  useStore<Value>(store: Store<Value>): Value
  useConfig(): PluginConfig
  useSession(): SessionState
  useOrder(): SessionOrder | null
  useCustomer(): SessionCustomer | null
  usePay(): PayState
  useLocale(): string
  useText(): Page['t']
  useMoney(): Page['money']
  /**
   * Mounts a card form in an element. Changed options are applied and keep what was typed. Enter in it presses the submit
   * button of the form around the element, if there is one.
   */
  useCard(options?: CardOptions): RenderedCard
}

/** Creates the hooks for either library. */
export function createHooks(library: HookLibrary): Hooks {
  const { useStore } = library
  const usePage = (): Page => {
    const page = library.usePageContext()
    if (page === null) throw new Error('Put a <PageProvider page={openPage()}> around this component.')
    return page
  }
  const useLocale = (): string => useStore(usePage().locale)
  const useTextsOf = (): Page => {
    useLocale()
    return usePage()
  }
  return {
    usePage,
    useStore,
    useConfig: () => useStore(usePage().config),
    useSession: () => useStore(usePage().session),
    useOrder: () => useStore(usePage().order),
    useCustomer: () => useStore(usePage().customer),
    usePay: () => useStore(usePage().pay),
    useLocale,
    useText: () => useTextsOf().t,
    useMoney: () => useTextsOf().money,
    useCard: (options = {}) => useCard(options, usePage(), library),
  }
}

function useCard(options: CardOptions, page: Page, { useEffect, useState }: HookLibrary): RenderedCard {
  const [element, ref] = useState<Element | null>(null)
  const [tries, setTries] = useState(0)
  const [card, setCard] = useState<CardForm | null>(null)
  const [status, setStatus] = useState<RenderedCard['status']>('loading')
  const optionsText = JSON.stringify(options) // compared as text, because options are often written inline

  useEffect(() => {
    if (element === null) return
    let isGone = false
    let mounted: CardForm | null = null
    const fail = (): void => {
      if (!isGone) setStatus('failed')
    }
    setStatus('loading')
    page.pay.mount(element, options).then((form) => {
      if (isGone) return form.unmount()
      mounted = form
      form.on('ready', () => setStatus('ready'))
      // As Enter in a field of the page does: a button that is disabled does nothing.
      form.on('submit', () => element.closest('form')?.querySelector<HTMLElement>('button:not([type=button])')?.click())
      form.on('loaderror', fail)
      form.on('error', fail)
      setCard(form)
    }, fail)
    return () => {
      isGone = true
      mounted?.unmount()
      setCard(null)
    }
  }, [element, page, tries])
  useEffect(() => {
    card?.update(options)
    return undefined
  }, [card, optionsText])
  return { ref, status, card, retry: () => setTries(tries + 1) }
}
