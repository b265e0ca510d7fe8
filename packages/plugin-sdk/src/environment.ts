import type { CheckoutScript } from './checkout.ts'

/** The parts of the browser that the SDK uses, which tests replace. */
export interface Environment {
  fetch(url: string, init: RequestInit): Promise<Response>
  /** A random `Idempotency-Key` of digits. */
  newKey(): string
  /** Resolves after a time. */
  sleep(ms: number): Promise<void>
  /** Per-tab storage; `null` if the browser refuses it. */
  storage: Pick<Storage, 'getItem' | 'setItem'> | null
  /** The text of `#tillwright-data`. */
  dataText(): string | null | undefined
  /** Calls a function with new page data from the dev server. */
  onData(listener: (data: unknown) => void): void
  /**
   * Calls a function when the page is online again, comes back from the back/forward cache, or is told by the window that
   * frames it that its preview has changed.
   */
  onReturn(listener: () => void): void
  location: Pick<Location, 'href' | 'assign' | 'replace'>
  history: Pick<History, 'state' | 'replaceState'>
  /** The buyer's languages, the preferred one first. */
  languages: readonly string[]
  /** Sets the document's language. */
  showLanguage(tag: string, direction: 'ltr' | 'rtl'): void
  /** Loads the checkout; from the vault by default. */
  loadCheckout?: (vaultUrl: string) => Promise<CheckoutScript>
}

/** The browser that the page is open in. */
export function browser(): Environment {
  return {
    fetch: (url, init) => fetch(url, init),
    // Not randomUUID(), which is unavailable without HTTPS.
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
      // It only says to look. Its sender learns that a page with this SDK has received it.
      addEventListener('message', ({ data, source, origin }) => {
        if (data !== 'tillwright:preview' || source !== parent) return
        parent.postMessage(data, origin)
        listener()
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

/** The tab's storage; if the browser refuses it, nothing survives a reload. */
function tabStorage(): Environment['storage'] {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
