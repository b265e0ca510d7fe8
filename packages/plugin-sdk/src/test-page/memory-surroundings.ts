import type { Surroundings } from '../page/surroundings.ts'
import type { Checkout } from '../pay/checkout.ts'
import { TillwrightError } from '../tillwright-error.ts'

/** What a page without a browser is surrounded by. */
export interface MemorySurroundingsOptions {
  /** Where the page stands; the platform's key has to be good there. */
  address?: string
  /** Sends requests; Node's own unless given. `Origin` is set as a browser would. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Stands in for the checkout of the vault, whose card form needs a browser. */
  checkout?: Checkout
  /** The buyer's languages; English unless given. */
  languages?: readonly string[]
  /** What the tab keeps; give the same one to two pages, and the second is the first after a reload. */
  storage?: Map<string, string>
  /** Passes the time between two tries; at once unless given. */
  sleep?: (ms: number) => Promise<void>
}

/** Surroundings that a test looks into, and that do what a browser would. */
export interface MemorySurroundings extends Surroundings {
  /** The documents that were loaded after this one. */
  readonly visited: readonly string[]
  /** `lang` and `dir` of the document. */
  readonly shown: { lang: string; dir: string }
  storageMap: Map<string, string>
  /** Tells the page other data, as the dev server does. */
  dispatch(data: unknown): void
  /** Lets the page come back: online, or from where browsers keep what was left. */
  comeBack(): void
}

/** A page's surroundings without a browser. */
export function memorySurroundings(options: MemorySurroundingsOptions = {}): MemorySurroundings {
  const { checkout, languages = ['en'], storage = new Map<string, string>() } = options
  const { fetch: send = fetch, sleep = async () => {} } = options
  let { address = 'http://localhost:4410/' } = options
  let keys = 0
  const visited: string[] = []
  const shown = { lang: '', dir: '' }
  const toData: ((data: unknown) => void)[] = []
  const toReturn: (() => void)[] = []
  return {
    visited,
    shown,
    storageMap: storage,
    dispatch: (data) => toData.forEach((listener) => listener(data)),
    comeBack: () => toReturn.forEach((listener) => listener()),
    fetch: (url, init) => {
      const headers = new Headers(init.headers)
      headers.set('Origin', new URL(address).origin)
      return send(url, { ...init, headers })
    },
    newKey: () => `key-${crypto.randomUUID()}-${(keys += 1)}`,
    sleep,
    storage: { getItem: (key) => storage.get(key) ?? null, setItem: (key, text) => void storage.set(key, text) },
    dataText: () => null,
    onData: (listener) => void toData.push(listener),
    onReturn: (listener) => void toReturn.push(listener),
    location: {
      get href() {
        return address
      },
      assign: (url) => void visited.push(String(url)),
      replace: (url) => void visited.push(String(url)),
    },
    history: { state: null, replaceState: (_state, _title, url) => void (address = String(url)) },
    languages,
    showLanguage: (lang, dir) => void Object.assign(shown, { lang, dir }),
    async loadCheckout() {
      if (checkout) return { init: async () => checkout }
      throw new TillwrightError('checkout_unavailable', 'A test without a browser has to give a `checkout`.')
    },
  }
}
