import { openCustomer, type CustomerStore } from '../customer/open-customer.ts'
import { openOrder, type OrderStore } from '../order/open-order.ts'
import { openPay } from '../pay/open-pay.ts'
import type { Pay } from '../pay/pay.ts'
import type { Receipt } from '../session/kept-session.ts'
import { openSession, type SessionStore } from '../session/open-session.ts'
import { createStore, partOf, type Store } from '../store.ts'
import { formatMoney } from '../text/format-money.ts'
import { openLocale, type LocaleStore } from '../text/open-locale.ts'
import { fillIn, translate, type Translation } from '../text/translate.ts'
import { browser } from './browser.ts'
import { wayOf, type Navigate, type Way } from './go-on.ts'
import type { CurrentPage, PageData, PluginConfig, Templates } from './page-data.ts'
import { readPageData } from './read-page-data.ts'
import type { Surroundings } from './surroundings.ts'

/** What `openPage` may be told. */
export interface OpenPageOptions {
  /** The languages that the plugin has, the default one first; any of the buyer's unless given. */
  locales?: readonly string[]
  /** In spa-mode: shows a step in the document that is there. Without it another document is loaded. */
  navigate?: Navigate
  /** Instead of what the document has. */
  data?: PageData
  /** Instead of the browser, for tests. */
  surroundings?: Surroundings
}

/** A page of a plugin, and all that it works with. */
export interface Page extends Way {
  /**
   * The settings that are live in the store, or those that a preview was begun with; while `tillwright dev` runs they change
   * as they are edited.
   */
  config: Store<PluginConfig>
  /** Named settings, live as well. */
  templates: Store<Templates>
  /** What the document was told, as it is now. */
  readonly data: PageData
  /** The page of the manifest that the document was loaded as; its id is empty for a document that is none. */
  readonly page: CurrentPage
  /** Whether nothing is sold here. False until it is known. */
  readonly isPreview: boolean
  locale: LocaleStore
  session: SessionStore
  order: OrderStore
  customer: CustomerStore
  pay: Pay
  /** The orders that were placed in this session and tab, the oldest first; they are there after a reload. */
  receipts: Store<readonly Receipt[]>
  /**
   * Tells the funnel's statistics of something. It never fails, and arrives also when the page is being left.
   *
   * @param name 1 to 64 lower-case letters, digits and `_`.
   */
  track(name: string, properties?: Readonly<Record<string, unknown>>): void
  /** The text in the page's language, with values in the place of names in braces. */
  t(text: Translation | string | null | undefined, values?: Readonly<Record<string, string | number>>): string
  /** An amount of minor units in the page's language. */
  money(amountMinor: number, currency: string): string
}

/**
 * Opens the page of a plugin: reads what the document was told, and begins the buyer's session or goes on with the one
 * that there is. Call it once, as the first thing that the page's module does.
 *
 * @throws {TillwrightError} `page_data_missing` in a document that no platform has served.
 */
export function openPage(options: OpenPageOptions = {}): Page {
  const { locales = [], navigate, surroundings: around = browser() } = options
  const data = createStore(options.data ?? readPageData(around.dataText()))
  const session = openSession(data, around)
  const order = openOrder(session)
  const locale = openLocale({ data, session, locales, around })
  around.onData((next) => data.set(next as PageData)) // the dev server's own event
  const stop = session.subscribe(() => {
    const { view } = session.get()
    const config = view?.preview?.builderOptions['config'] as PluginConfig | undefined // held to its schema
    if (config) data.set({ ...data.get(), config })
    if (view) stop() // once, because each answer brings a copy
  })
  return {
    ...wayOf({ data, session, around, navigate }),
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
    pay: openPay({ data, session, order, locale, around }),
    receipts: partOf(session.kept, ({ receipts }) => receipts),
    track: (name, properties = {}) => session.tell('POST /session/events', { name, properties }),
    t: (text, values = {}) => fillIn(translate(text, locale.get(), ...locales.slice(0, 1), 'en'), values),
    money: (amountMinor, currency) => formatMoney(amountMinor, currency, locale.get()),
  }
}
