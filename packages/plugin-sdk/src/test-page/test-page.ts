import type { Checkout } from '../checkout.ts'
import type { PageData } from '../page-data.ts'
import { openPage, type OpenPageOptions, type Page } from '../page.ts'
import type { Surroundings } from '../surroundings.ts'
import { TillwrightError } from '../tillwright-error.ts'

/** Options of `openTestPage`. */
export interface TestPageOptions extends Omit<OpenPageOptions, 'surroundings'>, MemorySurroundingsOptions {}

/** A page that is open in no browser. */
export interface TestPage extends Page {
  surroundings: MemorySurroundings
}

/** Opens a page in Node: against a platform that runs, or a `fetch` of the test's own. */
export function openTestPage(options: TestPageOptions = {}): TestPage {
  const surroundings = memorySurroundings(options)
  const { locales, navigate, data = testData() } = options
  const page = openPage({ data, surroundings, ...(locales && { locales }), ...(navigate && { navigate }) })
  return Object.defineProperties({ surroundings } as TestPage, Object.getOwnPropertyDescriptors(page)) // getters stay
}

/** Options of `memorySurroundings`. */
export interface MemorySurroundingsOptions {
  /** Where the page stands; the platform's key has to be good there. */
  address?: string
  /** Sends requests; Node's own unless given. `Origin` is set as a browser would. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Stands in for the checkout of the vault, whose card form needs a browser. */
  checkout?: Checkout
  /** The buyer's languages; English unless given. */
  languages?: readonly string[]
  /** The tab's storage; pass the same one to a second page to simulate a reload. */
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
  /** Sends the page new data, as the dev server does. */
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

/** Page data of a local platform's first page, with changes. */
export function testData(change: Partial<PageData> = {}): PageData {
  return {
    apiUrl: 'http://localhost:4400',
    vaultUrl: 'http://localhost:4401',
    publishableKey: 'test_pk_page',
    storeId: 'store_test',
    deploymentId: 'deployment_test',
    pluginId: 'plugin_test',
    version: '1.0.0',
    basePath: '/',
    page: { id: 'home', path: '/', params: {} },
    config: {},
    templates: {},
    funnel: null,
    session: null,
    ...change,
  }
}
