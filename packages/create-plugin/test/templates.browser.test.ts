import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { violationsOf } from '../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { inSoak } from '../../../.ci/soaks.ts'
import { settle } from '../../../apps/demo-shop/flows/buyer.ts'
import { publishedPlugins, type PublishedPlugins } from './published-plugins.ts'

let plugins: PublishedPlugins
let browser: Browser
beforeAll(async () => {
  ;[plugins, browser] = await Promise.all([publishedPlugins(), sharedChromium()])
}, 120_000)
afterAll(() => plugins?.stop())

/** Opens a page in a window of its own. A test that ends without having looked at its complaints fails. */
async function open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => void (isComplaint(message.type(), message.text()) && complaints.push(message.text())))
  page.on('pageerror', (error) => void complaints.push(String(error.stack)))
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  await page.goto(url)
  return page
}

/** The browser logs each error response: a declined card, a step that is over, and a link to a product that is gone. */
function isComplaint(type: string, text: string): boolean {
  return type === 'error' && !/status of 40[249]/.test(text)
}

async function expectAccessible(page: Page): Promise<void> {
  // The card form is looked at by tests of its own: what lies behind its frame axe cannot see.
  expect(await violationsOf(page, { exclude: ['iframe'] })).toEqual([])
}

/** Presses the button that pays, also where it has to be scrolled to. */
async function pay(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Pay \$/ })
  await settle(button)
  await button.click()
}

async function typeCard(page: Page, number: string): Promise<void> {
  const card = page.frameLocator('form iframe')
  for (const [label, keys] of [
    ['Card number', number],
    ['Expiry date', '1234'],
    ['Security code', '123'],
  ] as const) {
    await card.getByLabel(label).fill(keys)
  }
}

test('blank shows its headline in the language of the buyer', async () => {
  const url = await plugins.publish('blank', ['--template', 'blank'], {})
  const page = await open(url)
  await page.getByText('Your order is empty.').waitFor()
  expect(await page.getByRole('heading').textContent()).toBe('Hello')
  await expectAccessible(page)
  const german = await open(url, { locale: 'de-AT' })
  await german.getByText('Deine Bestellung ist leer.').waitFor()
  expect(await german.getByRole('heading').textContent()).toBe('Hallo')
})

test('blank shows what is sold, its price and how often it is paid, and the way to the next step where there is one', async () => {
  const [variantId] = plugins.variants
  const page = await open(await plugins.publish('one-thing', ['--template', 'blank'], { variantId }))
  await page.getByText('One item is in your order.').waitFor()
  expect(await page.getByRole('listitem').textContent()).toMatch(/^1 × .+ \$\d+\.\d\d$/)
  expect(await page.getByRole('button').count()).toBe(0)
  await expectAccessible(page)

  const recurring = await plugins.recurringVariant()
  const other = await open(await plugins.publish('box', ['--template', 'blank'], { variantId: recurring }))
  await other.getByText('One item is in your order.').waitFor()
  expect(await other.getByRole('listitem').textContent()).toMatch(/ \$10\.00 \/ 3 months$/)
})

test('checkout sells a product of its store at once, and another one by a link, accessible in a light browser and a dark one', async () => {
  const page = await open(await plugins.publish('at-once', ['--template', 'checkout'], {}))
  await page.getByRole('button', { name: /^Pay \$/ }).waitFor()
  const { origin } = new URL(page.url())
  const [tote, other] = plugins.variants
  const prices: (string | null)[] = []
  for (const [variantId, colorScheme, ground] of [
    [tote, 'light', 'rgb(246, 247, 249)'],
    [other, 'dark', 'rgb(11, 15, 25)'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${origin}/?variant=${variantId}`)
    const button = page.getByRole('button', { name: /^Pay \$/ })
    await button.waitFor()
    await expect.poll(() => button.textContent()).not.toBe(prices[0])
    prices.push(await button.textContent())
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(ground)
    await expectAccessible(page)
    await page.frameLocator('form iframe').locator('html[data-theme]').waitFor()
  }
  expect(new Set(prices).size).toBe(2)
  await page.goto(`${origin}/?variant=variant_gone`)
  await page.getByRole('button', { name: /^Pay \$/ }).waitFor()
})

test('checkout tells what is missing and why a card is declined, keeps what was typed, and shows a receipt', async () => {
  const [variantId] = plugins.variants
  const page = await open(await plugins.publish('checkout', ['--template', 'checkout'], { variantId }))
  await pay(page)
  await page.getByText('Enter your email address.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('email')
  await expectAccessible(page)
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await typeCard(page, '4000000000009995')
  await pay(page)
  await page.getByText('The card lacks the funds.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('pay')
  await typeCard(page, '4242424242424242')
  await pay(page)
  await page.waitForURL(/\/thank-you$/)
  await page.getByText('Order for ada@example.com').waitFor()
  await page.getByText(/^1 × /).waitFor()
  await expectReceipt(page)
  await expectAccessible(page)
  await page.goBack()
  await page.getByText('This order is paid.').waitFor()
  await page.goForward()
  await page.getByRole('button', { name: 'Back to the shop' }).click()
  await page.getByRole('button', { name: /^Pay \$/, disabled: false }).waitFor()
})

/** One number for each order, where it stands, and one total. */
async function expectReceipt(page: Page, orders = 1): Promise<void> {
  await page.getByRole('status').getByText('Paid', { exact: true }).waitFor()
  await expect.poll(() => page.getByText(/^order_\w{22}$/).count()).toBe(orders)
  expect(await page.getByText('Total', { exact: true }).count()).toBe(1)
}

test.each(inSoak)('checkout in JavaScript with React asks the bank, and is as accessible in the dark', async () => {
  const [variantId] = plugins.variants
  const words = ['--template', 'checkout', '--language', 'javascript', '--framework', 'react']
  const settings = { variantId, theme: 'dark', accent: '#facc15' }
  const page = await open(await plugins.publish('at-night', words, settings))
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await typeCard(page, '4000002760003184')
  await expectAccessible(page)
  await pay(page)
  const bank = page.frameLocator('dialog iframe').frameLocator('dialog iframe')
  await bank.getByRole('textbox').fill('1234')
  await bank.getByRole('button').first().click()
  await page.waitForURL(/\/thank-you$/)
  await page.getByText('Order for ada@example.com').waitFor()
})

/** The steps of a funnel whose pages are a plugin's screens. */
function stepsOf(pluginId: string, screens: readonly (readonly [id: string, type: string, path: string])[]) {
  return screens.map(([id, type, path], index) => {
    return { id, type, path, name: id, pluginId, pageId: id, isEntry: index === 0 }
  })
}

test('checkout takes what a store takes besides cards: a debit that is right, and iDEAL there and back', async () => {
  const { client, euroStoreId: storeId } = plugins
  const url = await plugins.publishInEuros('in-euros', 'checkout')
  const steps = stepsOf('in-euros', [
    ['checkout', 'checkout', '/'],
    ['thank-you', 'thank_you', '/thank-you'],
  ])
  await client.funnels.create({ storeId, name: 'Totes in euros', active: true, steps })
  const page = await open(url, { viewport: { width: 360, height: 640 } })
  const button = page.getByRole('button', { name: /^Pay €/ })
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByRole('radio', { name: 'SEPA' }).check()
  await page.getByLabel('IBAN').fill('AT86 1904 3002 3547 3203')
  await button.click()
  await page.getByText('There is a mistake in this IBAN.').waitFor()
  await page.getByText('The debit needs your agreement.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('iban')
  await expectAccessible(page)
  await page.getByLabel('IBAN').fill('AT86 1904 3002 3547 3202')
  await page.getByLabel('Account holder').fill('Ada Lovelace')
  await page.getByLabel('I authorise this shop').check()
  await button.click()
  await page.getByText('The payment was not made.').waitFor()
  await page.getByRole('radio', { name: 'iDEAL' }).check()
  await button.click()
  const atBank = (name: string) => page.getByRole('button', { name, exact: true })
  await atBank('Pay').waitFor()
  await page.goBack()
  await page.getByText('Your payment is not finished yet.').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go on with the payment' }).click()
  await atBank('Cancel').click()
  await page.getByText('You cancelled the payment.').waitFor()
  expect(await page.getByLabel('Last name').inputValue()).toBe('Lovelace')
  await page.getByRole('radio', { name: 'iDEAL', checked: true }).waitFor()
  await button.click()
  await atBank('Pay').click()
  await page.getByText('Order for ada@example.com').waitFor()
  await expectReceipt(page)
})

test('funnel shows a voucher until it is paid, and leads its buyer past the offer that needs a card', async () => {
  const { client, euroStoreId: storeId } = plugins
  const url = await plugins.publishInEuros('past-the-offer', 'funnel')
  const steps = stepsOf('past-the-offer', [
    ['offer', 'offer', '/'],
    ['checkout', 'checkout', '/checkout'],
    ['upsell', 'upsell', '/upsell'],
    ['thank-you', 'thank_you', '/thank-you'],
  ])
  await client.funnels.create({ storeId, name: 'With an offer', active: true, steps })
  const page = await open(url, { viewport: { width: 360, height: 640 } })
  const shown: string[] = []
  await page.exposeFunction('noted', (text: string) => void shown.push(text))
  await page.evaluate(`new MutationObserver(() => noted(document.querySelector('h1')?.textContent ?? ''))
    .observe(document.body, { subtree: true, childList: true, characterData: true })`)
  await page.getByRole('button', { name: 'Order now' }).click()
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('radio', { name: 'Voucher' }).check()
  await page.getByRole('button', { name: /^Pay €/ }).click()
  await page.getByText('It is valid until').waitFor()
  await expectAccessible(page)
  const till = await page.getByRole('link', { name: 'Open the voucher' }).getAttribute('href')
  await fetch(till ?? '', { method: 'POST', body: new URLSearchParams({ choice: 'pay' }) })
  const isPaid = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))) // back from the till
    return page.getByText('Order for ada@example.com').isVisible()
  }
  await expect.poll(isPaid, { timeout: 30_000 }).toBe(true) // the processor tells the platform in its own time
  await expectReceipt(page)
  expect(shown).toContain('Checkout')
  expect(shown).not.toContain('That is all')
  expect(shown.at(-1)).toBe('Thank you')
})

test('funnel follows the steps of the store, with a second offer by one click', async () => {
  const [variantId, upsellVariantId] = plugins.variants
  const url = await plugins.publish('funnel', ['--template', 'funnel'], { variantId, upsellVariantId })
  const steps = stepsOf('funnel', [
    ['offer', 'offer', '/'],
    ['checkout', 'checkout', '/checkout'],
    ['upsell', 'upsell', '/upsell'],
    ['thank-you', 'thank_you', '/thank-you'],
  ])
  await plugins.client.funnels.create({ storeId: plugins.storeId, name: 'Totes', active: true, steps })
  const page = await open(url)
  await page.getByText(/^\$\d/).waitFor()
  await expectAccessible(page)
  await page.route('**/session/next', (route) => route.fulfill({ status: 409, json: {} }), { times: 2 })
  await page.getByRole('button', { name: 'Order now' }).click()
  await page.getByRole('alert').getByText('This did not work. Please try again.').waitFor()
  await page.getByRole('button', { name: 'Order now' }).click()
  await page.waitForURL(/\/checkout$/)
  await page.goto(url) // by its address, while the session is at the checkout
  await page.getByRole('button', { name: 'Order now' }).click()
  await page.waitForURL(/\/checkout$/)
  await page.goBack()
  await page.getByRole('button', { name: 'Order now' }).click()
  await page.waitForURL(/\/checkout$/)
  await page.getByLabel('Email').fill('ada@example.com')
  await typeCard(page, '4242424242424242')
  await expectAccessible(page)
  await pay(page)
  await page.waitForURL(/\/upsell$/)
  const accept = page.getByRole('button', { name: /^Add it for \$/ })
  await accept.waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await accept.dblclick()
  await page.waitForURL(/\/thank-you$/)
  await expect.poll(() => page.getByText(/^1 × /).count()).toBe(2)
  await expectReceipt(page, 2)
  await expectAccessible(page)
  await page.reload()
  await expect.poll(() => page.getByText(/^1 × /).count()).toBe(2)
  await page.goBack()
  await page.waitForURL(/\/thank-you$/) // an offer that was answered leads on by itself
  await page.getByRole('button', { name: 'Back to the shop' }).click()
  await page.getByRole('button', { name: 'Order now', disabled: false }).click()
  await page.waitForURL(/\/checkout$/)
  await page.getByRole('button', { name: /^Pay \$/, disabled: false }).waitFor()
})

test.each(inSoak)(
  'funnel without a funnel in the store leads through its screens, and takes no for an answer',
  async () => {
    const [variantId] = plugins.variants
    const words = ['--template', 'funnel', '--language', 'javascript', '--framework', 'react']
    const settings = { variantId, theme: 'dark', accent: '#f472b6' }
    const page = await open(await plugins.publish('alone', words, settings))
    await page.getByRole('button', { name: 'Order now' }).click()
    await page.goBack()
    await page.getByRole('button', { name: 'Order now' }).click()
    await page.getByLabel('Email').fill('ada@example.com')
    await typeCard(page, '4242424242424242')
    await expectAccessible(page)
    await pay(page)
    await page.getByRole('button', { name: /^Add it for \$/ }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'No, thank you' }).click()
    await page.getByText('Order for ada@example.com').waitFor()
    expect(await page.getByText(/^1 × /).count()).toBe(1)
    await page.getByRole('button', { name: 'Back to the shop' }).click()
    await page.getByRole('button', { name: 'Order now', disabled: false }).click()
    await page.getByLabel('Email').waitFor()
  },
)
