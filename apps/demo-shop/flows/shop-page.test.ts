import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { violationsOf } from '../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { firstOf, inSoak, soaks } from '../../../.ci/soaks.ts'
import type { Buyer } from './buyer.ts'
import { startShop, type RunningShop } from './running-shop.ts'
import { visitShop } from './visit-shop.ts'

const CHARGED = '4242424242424242'
const DECLINED = '4000000000000002'
/** The bank wants to see the buyer, and asks for a code. */
const CHALLENGED = '4000002760003184'

let browser: Browser
let shop: RunningShop
beforeAll(async () => {
  browser = await sharedChromium()
  shop = await startShop()
})
afterAll(() => shop.stop())

const enter = (options?: Parameters<typeof visitShop>[2]) => visitShop(browser, shop.local.shopUrl, options)
const paid = (buyer: Buyer) => buyer.page.getByRole('status').getByText('Paid', { exact: true }).waitFor()

test('a buyer with a keyboard alone gets through, and Enter in the card form pays', async () => {
  const buyer = await enter()
  const { keyboard } = buyer.page
  await buyer.page.getByLabel('E-mail').focus()
  await keyboard.type('ada@example.com')
  await keyboard.press('Tab')
  expect(await buyer.page.getByRole('radio', { name: 'Card' }).evaluate((card) => card.matches(':focus'))).toBe(true)
  const fields = [
    ['Card number', CHARGED],
    ['Expiry date', '1234'],
    ['Security code', '123'],
  ] as const
  for (const [label, keys] of fields) {
    await keyboard.press('Tab')
    // The frame is a process of its own: keys that come before the focus has arrived there are lost.
    await expect.poll(() => hasFocus(buyer.card.getByLabel(label))).toBe(true)
    await keyboard.type(keys)
  }
  await keyboard.press('Enter')
  await paid(buyer)
  expect(await buyer.page.title()).toContain('Thank you for your order')
})

function hasFocus(field: Locator): Promise<boolean> {
  return field.evaluate((input) => input.ownerDocument.hasFocus() && input.ownerDocument.activeElement === input)
}

test('without e-mail address and card nothing is sent, and the form says what is missing', async () => {
  const buyer = await enter()
  const sent: string[] = []
  buyer.page.on('request', (request) => sent.push(request.url()))
  await buyer.pay()
  await buyer.page.getByText('Enter an e-mail address').waitFor()
  expect(await buyer.page.evaluate(() => document.activeElement?.id)).toBe('email')
  await buyer.page.getByLabel('E-mail').fill('ada@example.com')
  await buyer.pay()
  await buyer.card.getByText('Enter the card number.').waitFor()
  expect(sent).toEqual([])
})

test('on a phone of 360 pixels, or of 390, all of it fits and pays', async () => {
  const buyer = await enter({ viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true })
  const overflow = () =>
    buyer.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await overflow()).toBe(0)
  await buyer.page.setViewportSize({ width: 360, height: 740 })
  expect(await overflow()).toBe(0)
  await buyer.fillCard(CHARGED)
  await buyer.pay()
  await paid(buyer)
  expect(await overflow()).toBe(0)
})

test.each([
  ['desktop', { width: 1_350, height: 940 }],
  ['phone', { width: 412, height: 823 }],
  ['phone of 320 pixels', { width: 320, height: 640 }],
] as const)('on a %s nothing moves while the page, its methods and its card form come', async (_, viewport) => {
  const { page } = await enter({ viewport, init: countShifts })
  await expect.poll(() => page.evaluate(() => document.querySelector('#pay')?.hasAttribute('disabled'))).toBe(false)
  expect(await page.evaluate(() => window.shifts.map(({ value, what }) => [value, what]))).toEqual([])
})

declare global {
  interface Window {
    /** Unexpected layout shifts, and their scores: the sum is the Cumulative Layout Shift. */
    shifts: { value: number; what: string }[]
  }
}

function countShifts(): void {
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // The entries of this type have these fields (Layout Instability API), which TypeScript does not know.
      const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Element | null }[] }
      window.shifts.push({ value, what: sources.map(({ node }) => node?.nodeName ?? '').join(' ') })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

test.each(firstOf(['light', 'dark'] as const))(
  'axe finds nothing in the %s page, before, after a decline and paid',
  async (colorScheme) => {
    const buyer = await enter({ colorScheme })
    // axe takes the ground of a see-through frame for white; here it is the shop's, which is dark.
    const violations = () => violationsOf(buyer.page, colorScheme === 'dark' ? { exclude: ['iframe'] } : {})
    expect(await violations()).toEqual([])
    await buyer.fillCard(DECLINED)
    await buyer.pay()
    await buyer.page.getByRole('alert').getByText('declined').waitFor()
    expect(await violations()).toEqual([])
    await buyer.fillCard(CHARGED)
    await buyer.pay()
    await paid(buyer)
    expect(await violations()).toEqual([])
  },
)

test('name, price and a description are in the document that the server sends', async () => {
  const page = await newPage({ javaScriptEnabled: false })
  await page.goto(shop.local.shopUrl)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Canvas tote')
  expect(await page.locator('#total').textContent()).toBe('€24.00')
  expect(await page.locator('meta[name=description]').getAttribute('content')).toMatch(/\w+ \w+/)
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(1)
  expect(await page.locator('noscript p', { hasText: 'needs JavaScript' }).count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Pay €24.00' }).isDisabled()).toBe(true)
})

test('where the checkout’s script is blocked the page says so, and its button is not live', async () => {
  const page = await newPage()
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await page.route('**/v1/tillwright.js', (route) => route.abort('blockedbyclient'))
  await page.goto(shop.local.shopUrl)
  const alert = page.getByRole('alert')
  await alert.getByText('The card form could not be loaded').waitFor()
  expect(await alert.textContent()).toContain(new URL(shop.local.vaultUrl).host)
  expect(await page.getByRole('button', { name: 'Pay €24.00' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'One more' }).click()
  expect(await page.locator('#total').textContent()).toBe('€48.00')
  expect(await page.locator('#blocked').isVisible()).toBe(false)
  expect(errors).toEqual([])
})

test('where every script is blocked the page says so by itself', async () => {
  const page = await newPage()
  await page.route(/\.js$/, (route) => route.abort('blockedbyclient'))
  await page.goto(shop.local.shopUrl)
  const blocked = page.locator('#blocked')
  expect(await blocked.isVisible()).toBe(false)
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()))
  expect(await blocked.isVisible()).toBe(true)
  expect(await page.getByRole('button', { name: 'Pay €24.00' }).isDisabled()).toBe(true)
})

test('a receipt has an address: a reload and Back show it, and the way back to the shop is a new order', async () => {
  const { page, fillCard, pay } = await enter()
  await fillCard(CHARGED)
  await pay()
  await page.getByRole('status').getByText('Paid', { exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/receipt\/pay_\w+$/)
  const receipt = await page.locator('#receipt').innerText()
  await page.reload()
  expect(await page.locator('#receipt').innerText()).toBe(receipt)
  await page.goBack()
  await page.waitForURL('**/receipt/*')
  expect(await page.locator('#receipt').innerText()).toBe(receipt)
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await page.getByRole('button', { name: 'Pay €24.00', disabled: false }).waitFor()
  await page.goBack()
  expect(await page.locator('#receipt').innerText()).toBe(receipt)
})

test('there is no receipt of a payment that is unknown or has brought no money', async () => {
  const buyer = await enter()
  await buyer.fillCard(CHALLENGED)
  const asked = buyer.page.waitForResponse('**/pay')
  await buyer.pay()
  const { paymentId } = await (await asked).json()
  for (const id of [paymentId, 'pay_unknown']) {
    const answer = await fetch(`${shop.local.shopUrl}/receipt/${id}`)
    expect([id, answer.status]).toEqual([id, 404])
    expect(await answer.text()).not.toContain('ada@example.com')
  }
})

test('a reload while the bank asks goes on with the same payment', async () => {
  const buyer = await enter()
  const { page, bank } = buyer
  const payments = new Set<string>()
  page.on('response', async (response) => {
    if (response.url().endsWith('/pay')) payments.add((await response.json()).paymentId)
  })
  await page.getByRole('radio', { name: 'Night blue' }).check()
  await buyer.fillCard(CHALLENGED)
  await buyer.pay()
  await bank.getByRole('textbox').waitFor()
  await page.reload()
  await bank.getByRole('textbox').fill('1234')
  await pressEnter(bank.getByRole('textbox'))
  await paid(buyer)
  expect(await page.locator('#receipt').innerText()).toContain('Night blue')
  expect(payments.size).toBe(1)
})

test.each(inSoak)('after a reload the buyer may cancel, and pay with another card', async () => {
  const buyer = await enter()
  await buyer.fillCard(CHALLENGED)
  await buyer.pay()
  await buyer.bank.getByRole('textbox').waitFor()
  await buyer.page.reload()
  await buyer.bank.getByRole('button', { name: 'Cancel' }).press('Enter') // a click may miss while the window takes its height
  await buyer.page.getByRole('alert').getByText('You cancelled the confirmation').waitFor()
  await buyer.fillCard(CHARGED)
  await buyer.pay()
  await paid(buyer)
})

const languages = [
  ['ar-EG', 'rtl', 'الدفع', 'رقم البطاقة'],
  ['fi-FI', 'ltr', 'Payment', 'Kortin numero'], // of the form, but not of the page
  ['de-AT', 'ltr', 'Bezahlung', 'Kartennummer'],
  ['fr-FR', 'ltr', 'Paiement', 'Numéro de carte'],
  ['ja-JP', 'ltr', 'お支払い', 'カード番号'],
] as const
test.each(soaks ? languages : languages.slice(0, 2))(
  'a browser in %s is shown a page of its language, and a card form',
  async (locale, ...wanted) => {
    const [direction, heading, label] = wanted
    const page = await newPage({ locale, viewport: { width: 390, height: 844 } })
    await page.goto(shop.local.shopUrl)
    await page.getByRole('heading', { level: 2, name: heading }).waitFor()
    await page.frameLocator('#means iframe').getByLabel(label).waitFor()
    const html = page.locator('html')
    expect(await html.getAttribute('dir')).toBe(direction)
    expect(await html.getAttribute('lang')).toBe(locale === 'fi-FI' ? 'en' : locale)
    const overflow = await html.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(overflow).toBe(0)
    // The same total by the server and, after a change, by the page.
    const total = await page.locator('#total').textContent()
    const [less, more] = [page.locator('#less'), page.locator('#more')]
    await more.click()
    expect(await page.locator('#total').textContent()).not.toBe(total)
    await less.click()
    expect(await page.locator('#total').textContent()).toBe(total)
  },
)

/** A window in which nothing is open yet; it is closed when the test ends. */
async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return context.newPage()
}

test('a page whose name points at this machine is shown nothing of the shop', async () => {
  const { port } = new URL(shop.local.shopUrl)
  const statusFor = async (host: string) => {
    const [answer] = await once(httpRequest({ host: 'localhost', port, headers: { host } }).end(), 'response')
    answer.resume()
    return answer.statusCode
  }
  expect(await statusFor(`localhost:${port}`)).toBe(200)
  expect(await statusFor('rebound.attacker.example')).toBe(421)
})
