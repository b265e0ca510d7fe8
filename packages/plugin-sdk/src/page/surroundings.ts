import type { CheckoutScript } from '../pay/checkout.ts'

/** What the SDK takes from the browser. A test gives its own. */
export interface Surroundings {
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Random digits: an `Idempotency-Key`. */
  newKey(): string
  /** Resolves after a time. */
  sleep(ms: number): Promise<void>
  /** Keeps texts for the tab; `null` where the browser keeps nothing. */
  storage: Pick<Storage, 'getItem' | 'setItem'> | null
  /** The text of `#tillwright-data`. */
  dataText(): string | null | undefined
  /** Calls a function with the page's new data, whenever the dev server tells them. */
  onData(listener: (data: unknown) => void): void
  /** Calls a function when the page is online again, or comes back from where browsers keep pages that were left. */
  onReturn(listener: () => void): void
  location: Pick<Location, 'href' | 'assign' | 'replace'>
  history: Pick<History, 'state' | 'replaceState'>
  /** The buyer's languages, the best first. */
  languages: readonly string[]
  /** Says which language the document is in. */
  showLanguage(tag: string, direction: 'ltr' | 'rtl'): void
  /** Gives the checkout; it comes from the vault unless given. */
  loadCheckout?: (vaultUrl: string) => Promise<CheckoutScript>
}
