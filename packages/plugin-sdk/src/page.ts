import { type CustomerStore, openCustomer } from './customer.ts'
import { openOrder, type OrderStore } from './order.ts'
import { type CurrentPage, type PageData, type PluginConfig, readPageData, type Templates } from './page-data.ts'
import type { Pay } from './pay/pay.ts'
import { openPayments } from './pay/payments.ts'
import { openSession, type Receipt, type SessionStore } from './session/index.ts'
import { createStore, partOf, type Store } from './store.ts'
import { browser, type Environment } from './environment.ts'
import { fillIn, formatMoney, type LocaleStore, openLocale, translate, type Translation } from './text.ts'
import { type Navigate, type Navigation, openNavigation } from './navigation.ts'

/** Options of `openPage`. */
export interface OpenPageOptions {
  /** The languages that the plugin supports, the default one first; all of the buyer's by default. */
  locales?: readonly string[]
  /** In spa-mode: shows a step in the current document. Without it another document is loaded. */
  navigate?: Navigate
  /** Replaces the document's data. */
  data?: PageData
  /** Replaces the browser, for tests. */
  environment?: Environment
}

/** A page of a plugin with everything it works with. */
export interface Page extends Navigation {
  /**
   * The live settings of the store, or those of the preview, which change as they are typed in the console; while
   * `tillwright dev` is running, they change as they are edited.
   */
  config: Store<PluginConfig>
  /** Named settings, also live. */
  templates: Store<Templates>
  /** The current data of the document. */
  readonly data: PageData
  /** The page of the manifest that the document was loaded as; its id is empty if there is none. */
  readonly page: CurrentPage
  /** Whether this is a preview, which sells nothing. False until known. */
  readonly isPreview: boolean
  locale: LocaleStore
  session: SessionStore
  order: OrderStore
  customer: CustomerStore
  pay: Pay
  /** The orders placed in this session and tab, oldest first; they survive a reload. */
  receipts: Store<readonly Receipt[]>
  /**
   * Records an event for the funnel's statistics. Never fails, and is sent even while the page unloads.
   *
   * @param name 1 to 64 lower-case letters, digits and `_`.
   */
  track(name: string, properties?: Readonly<Record<string, unknown>>): void
  /** The text in the page's language, with values inserted for names in braces. */
  t(text: Translation | string | null | undefined, values?: Readonly<Record<string, string | number>>): string
  /** Formats an amount in minor units in the page's language. */
  money(amountMinor: number, currency: string): string
}

/**
 * Opens the page of a plugin: reads the document's data, and starts or resumes the buyer's session. Call it once, at
 * the start of the page's module.
 *
 * @throws {TillwrightError} `page_data_missing` in a document that was not served by a platform.
 */
export function openPage(options: OpenPageOptions = {}): Page {
  const { locales = [], navigate, environment: env = browser() } = options
  const data = createStore(options.data ?? readPageData(env.dataText()))
  const session = openSession(data, env)
  const order = openOrder(session)
  const locale = openLocale({ data, session, locales, env })
  env.onData((next) => data.set(next as PageData)) // the dev server's own event
  let shown = ''
  session.subscribe(() => {
    const config = session.get().view?.preview?.builderOptions['config'] as PluginConfig | undefined // held to its schema
    const text = JSON.stringify(config)
    // Each response contains a copy, and meanwhile the dev server may have sent other settings.
    if (!config || text === shown) return
    shown = text
    data.set({ ...data.get(), config })
  })
  return {
    ...openNavigation({ data, session, env, navigate }),
    config: partOf(data, ({ config }) => config),
    templates: partOf(data, ({ templates }) => templates),
    get data() {
      return data.get()
    },
    get page() {
      return data.get().page ?? { id: '', path: '', params: {} }
    },
    get isPreview() {
      return session.kept.get().isPreview
    },
    locale,
    session,
    order,
    customer: openCustomer(session),
    pay: openPayments({ data, session, order, locale, env }),
    receipts: partOf(session.kept, ({ receipts }) => receipts),
    track: (name, properties = {}) => session.report('POST /session/events', { name, properties }),
    t: (text, values = {}) => fillIn(translate(text, locale.get(), ...locales.slice(0, 1), 'en'), values),
    money: (amountMinor, currency) => formatMoney(amountMinor, currency, locale.get()),
  }
}
