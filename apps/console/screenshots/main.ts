import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@tillwright/client'
import type { BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../../../.ci/chromium.ts'
import { startShop } from '../../demo-shop/flows/running-shop.ts'
import { withAuthenticator } from '../test/signed-in.ts'
import { deployPlugin } from './deploy-plugin.ts'

const kept = join(import.meta.dirname, '../../../apps/docs/pictures')
/** The folder for the pictures of every page. */
const [, , every = null] = process.argv

const windows = { desktop: { width: 1_280, height: 800 }, phone: { width: 390, height: 844 } } as const
const schemes = ['light', 'dark'] as const

/**
 * Takes pictures of the console with the data of a small shop. The README's are kept in `apps/docs/pictures`; with a folder as
 * argument, every page of the menu and the first page of each list, on a desktop and on a phone, light and dark.
 */
async function takeScreenshots(): Promise<void> {
  const [browser, shop] = await Promise.all([launchChromium(), startShop()])
  try {
    const client = createClient({ apiKey: shop.local.adminApiKey, baseUrl: shop.local.apiUrl })
    await sell(client, shop.local)
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' })
    const page = await signedIn(context, client)
    await deployPlugin(client, page, shop.local)
    await takeReadmes(page, shop.local.apiUrl)
    if (every !== null) await takeAll(page, shop.local.apiUrl, every)
  } finally {
    await Promise.all([browser.close(), shop.stop()])
  }
}

async function signedIn(context: BrowserContext, client: Client): Promise<Page> {
  const { page } = await withAuthenticator(context)
  const { link } = await client.members.invite({ email: 'ada@mugs.example', name: 'Ada Lovelace', role: 'owner' })
  await page.goto(link)
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('navigation').waitFor({ state: 'attached' })
  return page
}

const buyers = [
  'grace',
  'alan',
  'edsger',
  'barbara',
  'donald',
  'frances',
  'john',
  'radia',
  'ken',
  'adele',
  'tim',
  'hedy',
]
const cards = [
  'tok_visa',
  'tok_mastercard',
  'tok_amex',
  'tok_visa_debit',
  'tok_declined_insufficient_funds',
  'tok_visa',
  'tok_disputed',
]

/** A morning's business of a shop: sales, declines, a refund, an uncaptured authorization, a dispute. */
async function sell(client: Client, { storeId }: { storeId: string }): Promise<void> {
  for (const [index, name] of [...buyers, ...buyers].entries()) {
    const { paymentInstrument } = await client.paymentInstruments.createFromToken({
      serviceToken: cards[index % cards.length] ?? 'tok_visa',
      storeId,
      customerData: { email: `${name}@example.com` },
    })
    const amount = 1_290 + ((index * 1_733) % 9_000)
    const captureMethod = index % 6 === 5 ? 'manual' : 'automatic'
    const sent = { storeId, paymentInstrumentId: paymentInstrument.id, currency: 'USD', amount, captureMethod } as const
    const payment = await client.payments.create(sent).catch(() => null) // declined
    if (payment?.status === 'succeeded' && index % 5 === 0) {
      await client.payments
        .refund({ paymentId: payment.id, amount: 500, reason: 'A mug arrived broken' })
        .catch(() => null)
    }
  }
}

async function takeReadmes(page: Page, apiUrl: string): Promise<void> {
  await mkdir(kept, { recursive: true })
  const { data } = await page
    .context()
    .request.get(`${apiUrl}/api/payments/v1/payments?status=partially_refunded&limit=1`, {
      headers: { 'Tillwright-Console': '1' },
    })
    .then((response) => response.json())
  const pictures = [
    { name: 'console-payments-light', path: '/payments', window: 'desktop', colorScheme: 'light' },
    { name: 'console-payment-dark', path: `/payments/${data[0]?.id}`, window: 'desktop', colorScheme: 'dark' },
    { name: 'console-phone-light', path: '', window: 'phone', colorScheme: 'light' },
  ] as const
  for (const { name, path, window, colorScheme } of pictures) {
    await show(page, `${apiUrl}/console${path}`, { window, colorScheme })
    await page.screenshot({ path: join(kept, `${name}.png`) })
  }
}

interface Form {
  window: keyof typeof windows
  colorScheme: (typeof schemes)[number]
}

async function show(page: Page, url: string, { window, colorScheme }: Form): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(windows[window])
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('[aria-busy=true], .bone').first().waitFor({ state: 'detached' })
}

async function takeAll(page: Page, apiUrl: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const links = await page.locator('nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  for (const path of links) {
    await show(page, apiUrl + path, { window: 'desktop', colorScheme: 'light' })
    const first = page.getByRole('table').getByRole('link').first()
    const detail = (await first.count()) > 0 ? await first.getAttribute('href') : null
    for (const shown of [path, ...(detail === null ? [] : [detail])]) await takeForms(page, apiUrl + shown, folder)
    // A plugin has pages of its own below.
    const further: string[] = []
    for (const part of ['/deployments/', '/compare?', '/settings']) {
      const below = page.locator(`main a[href*="${part}"]`).first()
      const shown = (await below.count()) > 0 ? await below.getAttribute('href') : null
      if (shown !== null) further.push(shown)
    }
    for (const shown of further) await takeForms(page, apiUrl + shown, folder)
  }
}

async function takeForms(page: Page, url: string, folder: string): Promise<void> {
  const name = new URL(url).pathname.replace(/^\/console\/?/, '').replaceAll('/', '-') || 'home'
  for (const window of ['desktop', 'phone'] as const) {
    for (const colorScheme of schemes) {
      await show(page, url, { window, colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${window}-${colorScheme}.png`) })
    }
  }
}

await takeScreenshots()
