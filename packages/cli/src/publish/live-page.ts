import { request as overHttp } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Client } from '@tillwright/client'
import { ALIAS_MAX_CHARS, ALIASES_MAX } from '@tillwright/contract'
import { partMissing } from '../terminal/fail-with.ts'
import { showAmount } from '../terminal/show-amount.ts'
import type { Offer } from './sale.ts'

/** A published plugin. */
export interface PublishedPlugin {
  client: Client
  storeId: string
  signal: AbortSignal
  pluginId: string
  /** The address of its deployment, whose scheme and port all pages have. */
  url: string
}

/**
 * The addresses that stay the same from version to version: the domains that follow the active deployment, then the
 * plugin's own name on the plugins' host, which is set up when it is first published.
 */
export async function stableAddresses(published: PublishedPlugin): Promise<string[]> {
  const { client, storeId, signal, pluginId, url } = published
  const { routes } = await client.pluginManagement.domains({ storeId }, { signal })
  const { protocol, port } = new URL(url)
  const promoted = routes
    .filter((route) => route.pluginId === pluginId && route.follows === 'active')
    .map(({ hostname, path }) => new URL(path, `${protocol}//${hostname}${port === '' ? '' : `:${port}`}`).href)
  const own = await ownAddress(published)
  return own === null ? promoted : [...promoted, own]
}

/** `null` if the name was given to another plugin or pinned to a deployment, or the store has no room for another alias. */
async function ownAddress({ client, storeId, signal, pluginId }: PublishedPlugin): Promise<string | null> {
  const name = aliasOf(pluginId)
  const { aliases } = await client.pluginManagement.aliases({ storeId }, { signal })
  const present = aliases.find((alias) => alias.name === name)
  if (present !== undefined) {
    return present.pluginId === pluginId && present.follows === 'active' ? addressOf(present.url) : null
  }
  if (name === '' || aliases.length >= ALIASES_MAX) return null
  const { alias } = await client.pluginManagement.setAlias({ storeId, name, pluginId }, { signal })
  return addressOf(alias.url)
}

/** An alias has lower-case letters and digits, with single hyphens between. */
function aliasOf(pluginId: string): string {
  const words = pluginId.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, ALIAS_MAX_CHARS).replace(/-$/, '')
}

function addressOf(url: string): string {
  return new URL('/', url).href
}

/** The result of visiting the live page. */
export interface Visit {
  /** HTTP status of the page; `null` if it cannot be reached from here. */
  status: number | null
  /** Why it cannot be reached: `getaddrinfo ENOTFOUND shop.example`; `null` if it can. */
  unreachable: string | null
  /** Whether the page shows the price of what it sells; `unknown` if no browser could look, or nothing is sold. */
  price: 'seen' | 'missing' | 'unknown'
}

/** How long a page may take to show its price. */
const PRICE_MS = 10_000

/** Opens the live page as a buyer would, and looks for the price in a browser, if one is installed. */
export async function visitPage(
  address: string,
  offer: Offer | null,
  place: { apiUrl: string; signal: AbortSignal },
): Promise<Visit> {
  try {
    const status = await statusOf(address, place)
    if (status !== 200 || offer === null) return { status, unreachable: null, price: 'unknown' }
    return { status, unreachable: null, price: await lookForPrice(address, offer) }
  } catch (error) {
    if (place.signal.aborted) throw error
    return { status: null, unreachable: causeOf(error), price: 'unknown' }
  }
}

/** `fetch` has the reason of a failed connection in `cause`. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}

/** Node does not resolve `*.localhost`, so a local platform's pages are asked for where its API is. */
async function statusOf(address: string, { apiUrl, signal }: { apiUrl: string; signal: AbortSignal }): Promise<number> {
  const url = new URL(address)
  const api = new URL(apiUrl)
  if (api.protocol !== 'http:') return (await fetch(url, { signal, redirect: 'manual' })).status
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { host: url.host, accept: 'text/html' }
  const asked = overHttp({ host: api.hostname, port: api.port, path: url.pathname, headers, signal }, (response) => {
    text(response).then(() => resolve(response.statusCode ?? 0), reject)
  })
  asked.on('error', reject).end()
  return promise
}

async function lookForPrice(address: string, { amounts }: Offer): Promise<Visit['price']> {
  const browser = await openBrowserIfAny()
  if (browser === null) return 'unknown'
  try {
    const page = await browser.newPage()
    await page.goto(address)
    const prices = Object.entries(amounts).map(([code, amount]) => pricePattern(showAmount(amount, code)))
    const seen = page.getByText(new RegExp(prices.join('|'))).first()
    await seen.waitFor({ timeout: PRICE_MS })
    return 'seen'
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return 'missing'
    throw error
  } finally {
    await browser.close()
  }
}

/** Matches an amount however a language writes it: `1,234.00`, `1.234,00`, `1 234,00`. */
export function pricePattern(amount: string): string {
  const [whole = '', decimals] = amount.split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, String.raw`[.,'’\s\u00a0\u202f]?`)
  return String.raw`(?<!\d)${grouped}${decimals === undefined ? '' : `[.,]${decimals}`}(?!\d)`
}

/** The browser is the one that tests are run in; publishing does not depend on it. */
async function openBrowserIfAny() {
  try {
    const { openBrowser } = await import('@tillwright/plugin-dev')
    return await openBrowser()
  } catch (error) {
    if (partMissing(error) !== null || (error instanceof Error && error.name === 'ToolMissing')) return null
    throw error
  }
}
