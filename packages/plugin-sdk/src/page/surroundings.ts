import type { CheckoutScript } from '../pay/checkout.ts'

/** What the SDK takes from the browser. A test gives its own. */
export interface Surroundings {
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Random hexadecimal digits: an `Idempotency-Key`. */
  newKey(): string
  /** Resolves after a time, or earlier when the browser is online again. */
  sleep(ms: number): Promise<void>
  /** Keeps texts for the tab, or as long as the page where the browser keeps nothing. */
  storage: Pick<Storage, 'getItem' | 'setItem'>
  /** The text of `#tillwright-data`. */
  dataText(): string | null | undefined
  /** Calls a function with the page's new data, whenever the dev server tells them. */
  onData(listener: (data: unknown) => void): void
  /** Calls a function when the page is online again, or comes back from where browsers keep pages that were left. */
  onReturn(listener: () => void): void
  /** The page's address. */
  address(): string
  /** Puts another address in its place, without an entry in the history. */
  replaceAddress(url: string): void
  /** Loads another document. */
  leave(url: string): void
  /** The buyer's languages, the best first. */
  languages: readonly string[]
  /** Says which language the document is in. */
  showLanguage(tag: string, direction: 'ltr' | 'rtl'): void
  /** Loads the checkout from the vault. */
  loadCheckout(vaultUrl: string): Promise<CheckoutScript>
}
