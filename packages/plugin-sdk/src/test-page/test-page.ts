import type { Checkout } from '../checkout.ts'
import type { PageData } from '../page-data.ts'
import { openPage, type OpenPageOptions, type Page } from '../page.ts'
import type { Environment } from '../environment.ts'
import { TillwrightError } from '../tillwright-error.ts'

/** Options of `openTestPage`. */
export interface TestPageOptions extends Omit<OpenPageOptions, 'environment'>, MemoryEnvironmentOptions {}

/** A page that is open without a browser. */
export interface TestPage extends Page {
  environment: MemoryEnvironment
}

/** Opens a page in Node: against a running platform, or a `fetch` of your own. */
export function openTestPage(options: TestPageOptions = {}): TestPage {
  const environment = memoryEnvironment(options)
  const { locales, navigate, data = testData() } = options
  const page = openPage({ data, environment, ...(locales && { locales }), ...(navigate && { navigate }) })
  return Object.defineProperties({ environment } as TestPage, Object.getOwnPropertyDescriptors(page)) // keeps getters
}

/** Options of `memoryEnvironment`. */
export interface MemoryEnvironmentOptions {
  /** The page's address; the platform's key must be valid there. */
  address?: string
  /** Sends requests; Node's own by default. `Origin` is set as in a browser. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Replaces the vault's checkout, whose card form needs a browser. */
  checkout?: Checkout
  /** The buyer's languages; English by default. */
  languages?: readonly string[]
  /** The tab's storage; pass the same one to a second page to simulate a reload. */
  storage?: Map<string, string>
  /** Waits between two attempts; does not wait by default. */
  sleep?: (ms: number) => Promise<void>
}

/** An environment that tests can inspect, and that behaves like a browser. */
export interface MemoryEnvironment extends Environment {
  /** The documents that were loaded after this one. */
  readonly visited: readonly string[]
  /** `lang` and `dir` of the document. */
  readonly shown: { lang: string; dir: string }
  storageMap: Map<string, string>
  /** Sends the page new data, as the dev server does. */
  dispatch(data: unknown): void
  /** Simulates a return: going online, or coming back from the back/forward cache. */
  comeBack(): void
}

/** Creates a page's environment without a browser. */
export function memoryEnvironment(options: MemoryEnvironmentOptions = {}): MemoryEnvironment {
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
      throw new TillwrightError('checkout_unavailable', 'A test without a browser needs a `checkout`.')
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
