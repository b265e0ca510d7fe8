import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserDocument, BrowserPage, RunningBrowser } from '../browsers/page.ts'
import { startShop, type RunningShop } from '../running-shop.ts'
import type { Environment } from './environments.ts'

/** The bank wants to see the buyer, and asks for a code. */
const CHALLENGED = '4000002760003184'
/** Bound for one step of a buyer: WebKit starts slowly where other programs have the machine. */
const STEP_MS = 30_000

/** A shop, a vault and a bank on three sites of this machine, and a fourth one whose page holds the shop. */
export interface Places {
  shop: RunningShop
  /** The page of an environment; its key lists the fourth site too, or does not. */
  addressOf(environment: Environment): string
  /** A page of the shop's site, or of the fourth, that holds a frame of a fifth. */
  probeOn(site: 'shop' | 'parent'): string
}

/** Starts all of it. Every name below `localhost` is a site of its own, as no other names of one machine are. */
export async function openPlaces(): Promise<Places> {
  const command = [new URL('./shop.ts', import.meta.url).pathname]
  const shop = await startShop({ command, shopHost: '127.0.0.1', vaultHost: 'vault.localhost' })
  const shopUrl = shop.local.shopUrl
  const parentUrl = shopUrl.replace('127.0.0.1', 'parent.localhost')
  const key = await publishableKey([shopUrl, parentUrl], shop)
  return {
    shop,
    addressOf({ name, parent }) {
      const query = new URLSearchParams({ environment: name, ...(parent !== 'unlisted' && { key }) })
      const page = `${shopUrl}/?${query}`
      return parent === undefined ? page : `${parentUrl}/parent?${new URLSearchParams({ shop: page })}`
    },
    probeOn(site) {
      const frame = shopUrl.replace('127.0.0.1', 'frame.localhost')
      return `${site === 'shop' ? shopUrl : parentUrl}/parent?${new URLSearchParams({ shop: frame })}`
    },
  }
}

async function publishableKey(allowedOrigins: readonly string[], { local }: RunningShop): Promise<string> {
  const response = await fetch(`${local.apiUrl}/api/accounts/v1/keys/create`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${local.adminApiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'publishable', name: 'Two sites', storeId: local.storeId, allowedOrigins }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`No key was made: ${JSON.stringify(answer)}`)
  return (answer as { key: string }).key // the contract's createdApiKey
}

/**
 * Has a buyer pay in an environment, with a card that the bank asks about.
 *
 * @returns The last text of the shop's page, or the feature that the engine lacks.
 */
export async function walk(browser: RunningBrowser, environment: Environment, places: Places): Promise<string> {
  const page = await browser.open()
  try {
    await page.resize(1_100, 900)
    await page.goto(places.addressOf(environment))
    const shop = environment.parent === undefined ? page : page.frame('#shop')
    return (await lack(shop, environment)) ?? (await pay(page, shop))
  } finally {
    await page.close()
  }
}

async function lack(shop: BrowserDocument, { needs }: Environment): Promise<string | null> {
  if (needs === undefined) return null
  const has = await shop.evaluate(() => ({
    isolation: crossOriginIsolated,
    'trusted types': 'trustedTypes' in window,
  }))
  return has[needs.feature] ? null : needs.withoutIt
}

async function pay(page: BrowserPage, shop: BrowserDocument): Promise<string> {
  const isOpen = () => shop.evaluate(() => document.querySelector('#pay')?.hasAttribute('disabled') === false)
  await until(async () => (await said(shop)) !== '' || (await isOpen()))
  if ((await said(shop)) !== '') return said(shop)
  await shop.frame('#card iframe').click('#number')
  await page.type(`${CHALLENGED}1234123`)
  await shop.click('#pay')
  const bank = await findBank(shop)
  await bank.click('#code')
  await page.type('1234')
  await page.press('Enter')
  await until(async () => (await said(shop)) !== '')
  return said(shop)
}

/** The bank's page, in the frame above the shop's page, or in the vault's own page. */
async function findBank(shop: BrowserDocument): Promise<BrowserDocument> {
  const places = [shop.frame('dialog iframe').frame('dialog iframe'), shop.frame('dialog iframe')]
  const asks = (bank: BrowserDocument) => bank.evaluate(() => document.querySelector('#code') !== null)
  let found: BrowserDocument | undefined
  await until(async () => {
    for (const place of places) if (await asks(place).catch(() => false)) found = place
    return found !== undefined
  })
  if (found === undefined) throw new Error('The bank’s page did not come.')
  return found
}

async function said(shop: BrowserDocument): Promise<string> {
  // The vault's page, where the window has gone there, has no such element.
  return shop.evaluate(() => document.querySelector('#status')?.textContent ?? '').catch(() => '')
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + STEP_MS
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('The page did not go on.')
    await delay(50)
  }
}

/** Storage that a browser grants to a frame of another site. */
export interface FrameRights {
  /** `by site`: what it keeps in one site's pages it does not see in another's. */
  cookies: 'shared' | 'by site' | 'none'
  storage: 'shared' | 'by site' | 'none'
  /** A folder of its own (the origin private file system), which Firefox refuses in private windows. */
  folder: 'yes' | 'none'
}

/** Asks a frame of another site, in the pages of two. */
export async function probe(browser: RunningBrowser, places: Places): Promise<FrameRights> {
  const page = await browser.open()
  try {
    const look = async (site: 'shop' | 'parent') => {
      await page.goto(places.probeOn(site))
      const frame = page.frame('#shop')
      await until(() => frame.evaluate(() => document.readyState === 'complete').catch(() => false))
      return frame.evaluate(keepSomething)
    }
    const first = await look('shop')
    const second = await look('parent')
    const judge = (name: 'cookies' | 'storage') =>
      !first[name].kept ? 'none' : second[name].found ? 'shared' : 'by site'
    return { cookies: judge('cookies'), storage: judge('storage'), folder: second.folder ? 'yes' : 'none' }
  } finally {
    await page.close()
  }
}

/** Runs in the frame: what it finds, and whether it can keep something. */
async function keepSomething() {
  const outcome = (read: () => string, write: () => void) => {
    try {
      const found = read().includes('probe')
      write()
      return { found, kept: read().includes('probe') }
    } catch {
      return { found: false, kept: false }
    }
  }
  // WebKitGTK has no `navigator.storage` at all.
  const folder = async () => {
    try {
      await navigator.storage.getDirectory()
      return true
    } catch {
      return false
    }
  }
  return {
    cookies: outcome(
      () => document.cookie,
      () => void (document.cookie = 'probe=1; SameSite=None; Secure'),
    ),
    storage: outcome(
      () => localStorage.getItem('probe') ?? '',
      () => localStorage.setItem('probe', 'probe'),
    ),
    folder: await folder(),
  }
}
