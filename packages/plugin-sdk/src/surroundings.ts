import type { CheckoutScript } from './checkout.ts'

/** The parts of the browser that the SDK uses, which tests replace. */
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
  /** Calls a function with the page's new data, whenever the dev server sends them. */
  onData(listener: (data: unknown) => void): void
  /** Calls a function when the page is online again, or comes back from where browsers keep pages that were left. */
  onReturn(listener: () => void): void
  location: Pick<Location, 'href' | 'assign' | 'replace'>
  history: Pick<History, 'state' | 'replaceState'>
  /** The buyer's languages, the best first. */
  languages: readonly string[]
  /** Says which language the document is in. */
  showLanguage(tag: string, direction: 'ltr' | 'rtl'): void
  /** Gives the checkout; it comes from the vault by default. */
  loadCheckout?: (vaultUrl: string) => Promise<CheckoutScript>
}

/** The browser that the page is open in. */
export function browser(): Surroundings {
  return {
    fetch: (url, init) => fetch(url, init),
    // Not randomUUID(), which a page without HTTPS lacks.
    newKey: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
    sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    storage: tabStorage(),
    dataText: () => document.getElementById('tillwright-data')?.textContent,
    onData: (listener) =>
      document.addEventListener('tillwright:data', (event) => {
        if (event instanceof CustomEvent) listener(event.detail)
      }),
    onReturn(listener) {
      addEventListener('online', listener)
      addEventListener('pageshow', ({ persisted }) => {
        if (persisted) listener()
      })
    },
    location,
    history,
    languages: navigator.languages,
    showLanguage(tag, direction) {
      document.documentElement.lang = tag
      document.documentElement.dir = direction
    },
  }
}

/** The tab's storage; a page whose browser refuses it forgets with the page. */
function tabStorage(): Surroundings['storage'] {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
