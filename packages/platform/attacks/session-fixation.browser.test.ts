import { contract } from '@tillwright/contract'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { paymentsOf, strangersSession, twoOrigins, type TwoOrigins } from '../../plugin-sdk/test/two-origins.ts'
import { manualClock } from '../src/runtime/clock.ts'
import { buyersPage, codeOf, filledPage } from '../test/buyer-session.ts'
import { sharedPlatform } from '../test/test-platform.ts'

// A stranger begins a session with the publishable key that stands in every page, fills its order with 50 units, and sends
// the page's address to a buyer, who opens it in a browser and pays. The stranger has kept a copy of the token.

// The browser's clock is the machine's, and a card must not be encrypted at another time than it is sent.
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
let browser: Browser
let plugins: TwoOrigins
beforeAll(async () => {
  browser = await sharedChromium()
  plugins = await twoOrigins(platform())
})

async function open(address: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(address)
  return page
}

async function sent() {
  const { token, session } = await strangersSession(platform(), plugins.other, plugins.funnelId)
  const stranger = await filledPage(platform(), { token, quantity: 50 })
  await stranger.call(contract.session.setContact, { body: { email: 'mallory@example.com', firstName: 'Mallory' } })
  await stranger.call(contract.session.setAddress, { body: { shippingAddress: { line1: '1 Sender Street' } } })
  return { stranger, sessionId: session.sessionId }
}

async function typeCard(page: Page): Promise<void> {
  const frame = page.frameLocator('#card iframe')
  await frame.getByLabel('Card number').fill('4242424242424242')
  await frame.getByLabel(/Expiry/).fill('1239')
  await frame.getByLabel(/Security/).fill('123')
}

const says = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('the address that the stranger sends hands the session over for good, and what they have put in counts for nothing', async () => {
  const { stranger, sessionId } = await sent()
  const page = await open(`${plugins.other.url}/checkout#tillwright-code=${await codeOf(stranger)}`)
  await says(page, 'ready|offer|open 120000||')
  expect(page.url()).toBe(`${plugins.other.url}/checkout`)
  expect(await page.locator('li').allTextContents()).toEqual(['50 for 120000'])
  await typeCard(page)
  await press(page, 'pay')
  await says(page, '|failed')
  expect(await paymentsOf(platform(), sessionId)).toEqual([])
  await press(page, 'fill')
  await says(page, 'open 4800')
  await press(page, 'contact')
  await says(page, 'ada@example.com')
  await press(page, 'confirm')
  await expect.poll(() => page.locator('li').count()).toBe(0)
  await press(page, 'pay')
  await says(page, 'paid 4800')

  const charge = { paymentInstrumentId: 'pi_any', expectedAmount: 120_000, expectedCurrency: 'USD' }
  const answers = await Promise.all([
    stranger.send('GET', ''),
    stranger.send('PUT', '/order/lines', { body: { lines: [] } }),
    stranger.send('PUT', '/address', { body: { shippingAddress: { line1: '1 Sender Street' } } }),
    stranger.send('POST', '/hand-over'),
    stranger.send('POST', '/pay', { body: charge }),
  ])
  for (const { status, error, text } of answers) {
    expect([status, error.code]).toEqual([401, 'session_token_replaced'])
    expect(text).not.toMatch(/ada@|\bAda\b|\b4242\b/)
  }
  expect(await paymentsOf(platform(), sessionId)).toEqual([{ amount: 4_800 }])
})

test('a token in the address is wiped, and the page begins a session of its own', async () => {
  const { stranger, sessionId } = await sent()
  const page = await open(`${plugins.other.url}/checkout#tillwright-session=${stranger.token}`)
  await says(page, 'ready|checkout|open 0||')
  expect(page.url()).toBe(`${plugins.other.url}/checkout`)
  expect(await page.evaluate('page.session.get().view.sessionId')).not.toBe(sessionId)
  expect((await buyersPage(platform(), stranger.token)).session.customer.email).toBe('mallory@example.com')
})

test('an address that was used before, or is older than a minute, begins a session of its own as well', async () => {
  const { stranger, sessionId } = await sent()
  const address = `${plugins.other.url}/checkout#tillwright-code=${await codeOf(stranger)}`
  await says(await open(address), 'open 120000')
  const second = await open(address)
  await says(second, 'ready|checkout|open 0||')
  expect(await second.evaluate('page.session.get().view.sessionId')).not.toBe(sessionId)
  const late = await sent()
  const lateAddress = `${plugins.other.url}/checkout#tillwright-code=${await codeOf(late.stranger)}`
  platform().clock.advance(60_000)
  await says(await open(lateAddress), 'ready|checkout|open 0||')
})
