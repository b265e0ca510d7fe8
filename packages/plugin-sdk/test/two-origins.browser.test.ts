import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { inSoak } from '../../../.ci/soaks.ts'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { commit } from '../../platform/src/http/operations/commit.ts'
import { manualClock } from '../../platform/src/runtime/clock.ts'
import { sharedPlatform } from '../../platform/test/test-platform.ts'
import { CHALLENGE_CARD, newWaitingPayment } from '../../platform/test/threeds-payment.ts'
import { paymentsOf, twoOrigins, type TwoOrigins } from './two-origins.ts'

// The browser's clock is the machine's, and a card must not be encrypted at another time than it is sent.
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
let browser: Browser
let plugins: TwoOrigins
beforeAll(async () => {
  browser = await sharedChromium()
  plugins = await twoOrigins(platform())
})

async function opened(): Promise<{ context: BrowserContext; page: Page; asked: string[] }> {
  const context = await browser.newContext({ locale: 'en' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const asked: string[] = []
  context.on('request', (request) => asked.push(`${request.url().split('#')[0]} ${request.headers()['referer']}`))
  await page.goto(`${plugins.one.url}/offer`)
  await says(page, 'ready|offer')
  return { context, page, asked }
}

const says = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const sessionOf = (page: Page) => page.evaluate<string>('page.session.get().view.sessionId')

/** Waits until the page of an address holds the live token of a session: what the browser kept of it is shown before. */
async function isLive(page: Page, address: string, sessionId: string): Promise<void> {
  const read = () => page.evaluate('page.session.refresh().then((view) => [location.href, view.sessionId])')
  await expect.poll(() => read().catch(() => null)).toEqual([address, sessionId]) // on its way to another document
}

async function typeCard(page: Page, number = '4242424242424242'): Promise<void> {
  const frame = page.frameLocator('#card iframe')
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel(/Expiry/).fill('1239')
  await frame.getByLabel(/Security/).fill('123')
}

/** From the offer to the checkout on the other origin, with two units that the buyer has confirmed there. */
async function toCheckout(page: Page): Promise<void> {
  await press(page, 'fill')
  await says(page, 'open 4800')
  await press(page, 'next')
  await page.waitForURL(`${plugins.other.url}/checkout`)
  await says(page, 'ready|checkout|open 4800')
}

async function confirmAndPay(page: Page, number?: string): Promise<void> {
  await press(page, 'confirm')
  await expect.poll(() => page.locator('li').count()).toBe(0)
  await press(page, 'contact')
  await says(page, 'ada@example.com')
  await typeCard(page, number)
  await press(page, 'pay')
}

/** Has the store's flow let every buyer be authenticated, until the test is over. */
async function authenticateEveryone(): Promise<void> {
  const { local, services } = platform()
  const use = async (flowId: string) => {
    const sql = 'UPDATE stores SET selected_payment_flow_id = ? WHERE account_id = ? AND id = ?'
    await commit([{ sql, params: [flowId, local.accountId, local.storeId] }], services)
  }
  const { payment } = await newWaitingPayment(platform())
  onTestFinished(() => use(local.paymentFlowId))
  await use(payment.paymentFlowId)
}

/** Waits until the bank asks for a code, a second later by the platform's clock. */
async function bankAsks(page: Page) {
  const bank = page.frameLocator('dialog iframe').frameLocator('dialog iframe')
  await bank.getByRole('textbox').waitFor()
  platform().clock.advance(1_000)
  return bank
}

test('a buyer goes through a funnel on two origins, takes an offer with one click, and no address keeps a code', async () => {
  const { page, asked } = await opened()
  const sessionId = await sessionOf(page)
  await toCheckout(page)
  expect(await page.locator('li').allTextContents()).toEqual(['2 for 4800'])
  await confirmAndPay(page)
  await says(page, 'paid 4800')
  await press(page, 'next')
  await page.waitForURL(`${plugins.one.url}/upsell`)
  await says(page, 'ready|upsell|paid 4800|ada@example.com')
  await press(page, 'take')
  await says(page, 'paid 2400')
  await press(page, 'next')
  await page.waitForURL(`${plugins.other.url}/thanks`)
  await says(page, 'ready|thanks|paid 2400')
  expect(await sessionOf(page)).toBe(sessionId)
  expect(await page.evaluate('page.receipts.get().map(({ order }) => order.amount)')).toEqual([4_800, 2_400])
  expect(await paymentsOf(platform(), sessionId)).toEqual([{ amount: 4_800 }, { amount: 2_400 }])
  expect(asked.join('\n')).not.toMatch(/fscode|fstok/)
})

test.each(inSoak)(
  'the back button leads to the page on the other origin and forward again, in the same session',
  async () => {
    const { page } = await opened()
    const sessionId = await sessionOf(page)
    await toCheckout(page)
    await page.goBack()
    await isLive(page, `${plugins.one.url}/offer`, sessionId)
    await says(page, 'ready|offer|open 4800')
    await page.goForward()
    await isLive(page, `${plugins.other.url}/checkout`, sessionId)
    await says(page, 'ready|checkout|open 4800')
    await page.goBack()
    await isLive(page, `${plugins.one.url}/offer`, sessionId)
    await press(page, 'next')
    await isLive(page, `${plugins.other.url}/checkout`, sessionId)
    await confirmAndPay(page)
    await says(page, 'paid 4800')
  },
)

test('the back button behind a purchase leads to a page that knows of it, and pays nothing a second time', async () => {
  const { page } = await opened()
  const sessionId = await sessionOf(page)
  await toCheckout(page)
  await confirmAndPay(page)
  await says(page, 'paid 4800')
  await press(page, 'next')
  await page.waitForURL(`${plugins.one.url}/upsell`)
  await says(page, 'ready|upsell')
  await page.goBack()
  await isLive(page, `${plugins.other.url}/checkout`, sessionId)
  await says(page, 'ready|checkout|paid 4800')
  await press(page, 'pay')
  await says(page, '|paid')
  await press(page, 'next')
  await page.waitForURL(`${plugins.one.url}/upsell`)
  await says(page, 'ready|upsell')
  expect(await paymentsOf(platform(), sessionId)).toEqual([{ amount: 4_800 }])
})

test('a page that is loaded again while the bank asks goes on with that payment, behind a change of origin', async () => {
  await authenticateEveryone()
  const { page } = await opened()
  const sessionId = await sessionOf(page)
  await toCheckout(page)
  await confirmAndPay(page, CHALLENGE_CARD)
  await bankAsks(page)
  await page.reload()
  await typeCode(await bankAsks(page))
  await says(page, 'paid 4800|ada@example.com|paid')
  expect(await paymentsOf(platform(), sessionId)).toEqual([{ amount: 4_800 }])
})

test('of two tabs both work, until one takes the session to another origin: the other says so and pays nothing', async () => {
  const { context, page } = await opened()
  const sessionId = await sessionOf(page)
  await toCheckout(page)
  await page.frameLocator('#card iframe').getByLabel('Card number').waitFor()
  const [copy] = await Promise.all([context.waitForEvent('page'), page.evaluate('void window.open(location.href)')])
  await says(copy, 'ready|checkout|open 4800')
  expect(await sessionOf(copy)).toBe(sessionId)
  await copy.frameLocator('#card iframe').getByLabel('Card number').waitFor()
  await page.bringToFront()
  await confirmAndPay(page)
  await says(page, 'paid 4800')
  await copy.bringToFront()
  await typeCard(copy)
  await press(copy, 'pay')
  await says(copy, '|paid')
  await press(page, 'next')
  await page.waitForURL(`${plugins.one.url}/upsell`)
  await says(page, 'ready|upsell')
  await press(copy, 'fill')
  await says(copy, 'moved|')
  await says(copy, 'session_token_replaced')
  await press(copy, 'pay')
  await says(copy, '|paid') // what was paid before is all that this tab knows of
  expect(await paymentsOf(platform(), sessionId)).toEqual([{ amount: 4_800 }])
  await press(copy, 'over')
  await says(copy, 'ready|')
  expect(await sessionOf(copy)).not.toBe(sessionId)
  await says(page, 'ready|upsell')
})

/** Types the right code, and sends it with Enter in that field, wherever the keyboard is. */
async function typeCode(bank: FrameLocator): Promise<void> {
  const field = bank.getByRole('textbox')
  await field.fill('1234')
  await pressEnter(field)
}
