import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { inSoak, soaks } from '../../../.ci/soaks.ts'
import { startLocal, type RunningLocal } from '../../../packages/cli/src/testing/start-local.ts'
import { openFunnelShop, readPreset, type FunnelShop } from './funnel-shop.ts'
import { visitFunnel, type Visitor } from './visit-funnel.ts'

const GOOD = '4242424242424242'
const DECLINED = '4000000000000002'
/** Its bank asks for a code at every payment. */
const CHALLENGED = '4000002760003184'

let local: RunningLocal
let shop: FunnelShop
let browser: Browser
beforeAll(async () => {
  local = await startLocal()
  ;[shop, browser] = await Promise.all([openFunnelShop(local.file), sharedChromium()])
})
afterAll(() => local?.stop())

const enter = (path = '/', options?: Parameters<typeof visitFunnel>[2]) =>
  visitFunnel(browser, shop.url + path, options)

test('who takes the upsell by one click passes the downsell over, and gets the receipt of both orders', async () => {
  const buyer = await enter()
  const { page } = buyer
  await buyer.expectAccessible()
  expect(await page.locator('.reviews').count()).toBe(0) // samples are for previews
  await buyer.toOffer()
  expect(await page.locator('.bundle.chosen').innerText()).toContain('$59.00')
  expect(await page.locator('.bundle').last().innerText()).toContain('You save $23.00 (22 %)')
  await buyer.expectAccessible()
  await buyer.toCheckout()
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
  expect(await page.title()).toBe('Checkout · Norrvik')
  await buyer.typeBuyer()
  await buyer.typeCard(GOOD)
  await buyer.expectAccessible()
  await page.locator('.checkout .button').dblclick()
  await buyer.seesOffer('The cup that belongs to it')
  expect(await page.locator('.one-click').innerText()).toContain('$19.00 is charged to your card Visa ending in 4242')
  await buyer.expectAccessible()
  await page.locator('.add-on .button').dblclick()
  const receipt = await buyer.receipt()
  expect(receipt).toMatch(/set of two.*\$59\.00[^]*Fjord cup.*\$19\.00[^]*Paid in all.*\$78\.00/s)
  expect(buyer.at()).toBe('/thank-you')
  await buyer.expectAccessible()
  await page.reload()
  expect(await buyer.receipt()).toBe(receipt)
})

test('who declines the upsell is offered something smaller, and each page is there again after a reload', async () => {
  const buyer = await enter('/', { reducedMotion: 'no-preference' })
  const { page } = buyer
  await buyer.toOffer()
  await page.locator('.bundle').last().click()
  await page.reload()
  await page.locator('.bundle-price strong').first().waitFor()
  await page.locator('.bundle').last().click()
  await buyer.toCheckout()
  await buyer.typeBuyer()
  await page.locator('[name=city]').blur()
  await expect.poll(() => page.evaluate(keptCity)).toBe('Dublin')
  await page.reload()
  await page.locator('.card-ready').waitFor()
  expect(await page.locator('[name=city]').inputValue()).toBe('Dublin')
  expect(await page.locator('.order-box').innerText()).toContain('$79.00')
  await buyer.typeCard(GOOD)
  await buyer.pay()
  await buyer.seesOffer('The cup that belongs to it')
  await page.reload()
  await buyer.seesOffer('The cup that belongs to it')
  await buyer.decline()
  await buyer.seesOffer('A brush that reaches the bottom')
  await buyer.add()
  expect(await buyer.receipt()).toMatch(/\$79\.00[^]*Bottle brush.*\$7\.00[^]*\$86\.00/s)
})

test('a browser that refuses storage, and tells languages that are none, goes the same way', async () => {
  const buyer = await enter()
  const { page } = buyer
  await page.addInitScript(refusesStorage)
  await page.reload()
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
  await page.locator('html[lang=de]').waitFor()
  await page.getByRole('combobox').selectOption('en')
  await buyer.toOffer()
  await buyer.toCheckout()
  await buyer.typeBuyer()
  await buyer.typeCard(GOOD)
  await page.frameLocator('.card iframe').locator('input:visible').last().press('Enter')
  await buyer.decline()
  await buyer.decline()
  expect(await buyer.receipt()).toContain('$59.00')
  await page.locator('.thanks-actions .link').last().click()
  await page.locator('.hero').waitFor()
})

test('a buyer with colours of their own sees which bundle is chosen, and one who wants no motion gets none', async () => {
  const buyer = await enter('/', { forcedColors: 'active' })
  const { page } = buyer
  await buyer.toOffer()
  const borders = (selector: string): Promise<string[]> =>
    page.locator(selector).evaluateAll((bundles) => bundles.map((bundle) => getComputedStyle(bundle).borderColor))
  const [chosen] = await borders('.bundle.chosen')
  expect(await borders('.bundle:not(.chosen)')).not.toContain(chosen)
  const moves = await page.locator('main').evaluate((main) => {
    const waiting = main.appendChild(document.createElement('p'))
    waiting.className = 'shimmer'
    return getComputedStyle(waiting).animationName
  })
  expect(moves).toBe('none')
})

test.each(inSoak)('the next page appears also where the browser is too busy to draw the way there', async () => {
  const buyer = await enter('/', { reducedMotion: 'no-preference' })
  await buyer.page.addInitScript(drawsNothing)
  await buyer.page.reload()
  await buyer.toOffer()
})

test('a wrong form and a declined card are explained, the bank may ask at the checkout and at the upsell, and who fails there buys nothing more', async () => {
  const buyer = await enter()
  const { page } = buyer
  await buyer.toOffer()
  await buyer.toCheckout()
  await buyer.pay()
  expect(await page.evaluate('document.activeElement.name')).toBe('email')
  expect(await page.locator('.field .problem').allInnerTexts()).toHaveLength(7)
  await buyer.expectAccessible()
  await buyer.typeBuyer()
  await buyer.typeCard(DECLINED)
  await buyer.pay()
  await page.getByText('Your bank has declined the card. Nothing was charged.').waitFor()
  expect(await page.locator('[name=email]').inputValue()).toBe('ada@example.com')
  await buyer.typeCard(CHALLENGED)
  await buyer.pay()
  await buyer.authenticate()
  await buyer.seesOffer('The cup that belongs to it')
  await buyer.add()
  await buyer.authenticate('1111')
  await page.getByText('Your bank could not confirm that it is you').waitFor()
  await buyer.decline()
  await buyer.seesOffer('A brush that reaches the bottom')
  expect(await page.locator('.problem').count()).toBe(0)
  await buyer.add()
  await buyer.authenticate()
  expect(await buyer.receipt()).toMatch(/brush[^]*\$66\.00/)
})

test('the back button leads to another choice before the payment, and nowhere behind it', async () => {
  const buyer = await enter()
  const { page } = buyer
  await buyer.toOffer()
  await buyer.toCheckout()
  await page.goBack()
  await page.locator('.bundle').first().click()
  await page.goBack()
  await page.locator('.hero').waitFor()
  expect(buyer.at()).toBe('/')
  await page.goForward()
  await page.locator('.bundle').first().click()
  await buyer.toCheckout()
  expect(await page.locator('.order-box').innerText()).toContain('$34.00')
  await page.getByRole('link', { name: 'Change' }).click()
  await page.locator('.bundle').first().click()
  await buyer.toCheckout()
  await buyer.typeBuyer()
  await buyer.typeCard(GOOD)
  await buyer.pay()
  await buyer.seesOffer('The cup that belongs to it')
  await page.goBack()
  await expect.poll(buyer.at).toBe('/one-more-thing')
  await buyer.seesOffer('The cup that belongs to it')
  await buyer.decline()
  await buyer.seesOffer('A brush that reaches the bottom')
  await buyer.decline()
  await buyer.receipt()
  await page.goto(`${shop.url}/one-more-thing`)
  await buyer.receipt()
  expect(buyer.at()).toBe('/thank-you')
  expect(await buyer.receipt()).not.toContain('cup')
})

test.each(inSoak)(
  'the order goes the way that the buyer chooses, and costs what the shop says that it costs',
  async () => {
    const buyer = await enter('/checkout')
    const { page } = buyer
    await page.locator('.card-ready').waitFor()
    expect(await page.getByLabel('Standard').isChecked()).toBe(true)
    await page.getByLabel('Express').check()
    await expect.poll(() => page.locator('.order-box').innerText()).toMatch(/Shipping\s+\$12\.00\s+Total\s+\$71\.00/)
    await buyer.expectAccessible()
    await buyer.typeBuyer()
    await buyer.typeCard(GOOD)
    await buyer.pay()
    await buyer.seesOffer('The cup that belongs to it')
    await buyer.decline()
    await buyer.seesOffer('A brush that reaches the bottom')
    await buyer.decline()
    expect(await buyer.receipt()).toMatch(/Shipping\s+\$12\.00/)
  },
)

test.each(inSoak)('a session that has expired is followed by another one, with what was chosen', async () => {
  const buyer = await enter()
  const { page } = buyer
  await buyer.toOffer()
  await buyer.toCheckout()
  await page.evaluate(forgeToken)
  await page.reload()
  await page.locator('.card-ready').waitFor()
  expect(buyer.at()).toBe('/checkout')
  expect(await page.locator('.order-box').innerText()).toContain('$59.00')
  await buyer.typeBuyer()
  await buyer.typeCard(GOOD)
  await buyer.pay()
  await buyer.seesOffer('The cup that belongs to it')
})

test('in Arabic the whole page is mirrored, and the language that is chosen stays', async () => {
  const buyer = await enter('/', { locale: 'ar' })
  const { page } = buyer
  expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual(['ar', 'rtl'])
  expect(await page.locator('h1').innerText()).toBe('ماء بارد طوال اليوم')
  await buyer.expectAccessible()
  await buyer.toOffer()
  const [picture, price] = [page.locator('.bundle-pictures').first(), page.locator('.bundle-price').first()]
  const [right, left] = [await picture.boundingBox(), await price.boundingBox()]
  expect(right?.x).toBeGreaterThan(left?.x ?? 0)
  await buyer.toCheckout()
  await buyer.expectAccessible()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await page.getByRole('combobox', { name: 'اللغة' }).selectOption('de')
  await page.getByRole('heading', { level: 1, name: 'Kasse' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Kasse' }).waitFor()
  expect(await page.evaluate('document.documentElement.dir')).toBe('ltr')
})

test.each(soaks ? (['ember', 'linen'] as const) : [])(
  'the preset %s is accessible to everybody, in previews as well',
  async (preset) => {
    await shop.show(preset)
    const buyer = await enter(`/#tillwright-code=${await shop.preview({ locale: 'fr' })}`, {
      viewport: { width: 1_280, height: 900 },
    })
    const { page } = buyer
    await page.locator('.reviews').waitFor()
    await page.locator('html[lang=fr]').waitFor()
    await buyer.expectAccessible()
    await buyer.toOffer()
    await buyer.expectAccessible()
    await buyer.toCheckout()
    await buyer.pay()
    await buyer.expectAccessible()
    await shop.show('daylight')
  },
)

test.each(inSoak)('an upsell and a downsell that name nothing to sell are passed over', async () => {
  const { upsell, downsell } = await readPreset('daylight')
  await shop.show('daylight', { upsell, downsell })
  const buyer = await enter('/checkout')
  await buyer.page.locator('.card-ready').waitFor()
  await buyer.typeBuyer()
  await buyer.typeCard(GOOD)
  await buyer.pay()
  expect(await buyer.receipt()).not.toContain('Paid in all')
  await shop.show('daylight')
})

test('a price that ends is counted down while its promotion holds, and not without it; a code takes its part off', async () => {
  const endsAt = new Date(Date.now() + 3_595_000).toISOString()
  await shop.client.promotions.create({
    storeId: shop.storeId,
    name: 'Winter sale',
    code: 'WINTER',
    endDate: endsAt,
    actions: [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 10 }],
  })
  await shop.show('daylight', { deadline: { isShown: true, code: 'WINTER', name: '' } })
  const buyer = await enter()
  await buyer.toOffer()
  expect(await buyer.page.locator('.countdown').innerText()).toMatch(/0 d 0 h 59 min \d+ s/)
  expect(await buyer.page.locator('.bundle').first().innerText()).toContain('$30.60')
  await shop.show('daylight', { deadline: { isShown: true, code: 'NOTHING', name: '' } })
  const other = await enter()
  await other.toOffer()
  expect(await other.page.locator('.countdown').count()).toBe(0)
  expect(await other.page.locator('.bundle').first().innerText()).toContain('$34.00')
  await entersCode(other)
  await shop.show('daylight')
})

/** In the checkout: a code that there is not, one that there is, and without it again. */
async function entersCode(buyer: Visitor): Promise<void> {
  const { page } = buyer
  const total = () => page.locator('.summary .total').innerText()
  await buyer.toCheckout()
  await page.getByRole('button', { name: 'Enter a promotion code' }).click()
  const field = page.getByLabel('Promotion code')
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
  await field.fill('NOTHING')
  await page.keyboard.press('Enter')
  await page.getByText('We do not know this code.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await buyer.expectAccessible()
  await field.fill('winter')
  await page.keyboard.press('Enter')
  await expect.poll(total).toContain('$53.10')
  expect(await page.locator('.checkout .button').innerText()).toBe('Pay $53.10')
  await buyer.expectAccessible()
  await page.getByRole('link', { name: 'Change' }).click()
  await expect.poll(() => page.locator('.bundle').first().innerText()).toContain('$30.60')
  await buyer.toCheckout()
  await page.getByRole('button', { name: /^Remove/ }).click()
  await expect.poll(total).toContain('$59.00')
}

/** As in a window that draws no frame: a transition begins when it is skipped. */
const drawsNothing = `document.startViewTransition = (change) => {
  const { promise, resolve } = Promise.withResolvers()
  const ready = promise.then(() => Promise.reject(new Error('Transition was skipped.')))
  return { ready, updateCallbackDone: promise.then(change), skipTransition: resolve }
}`

const refusesStorage = `Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'en'] })
Object.defineProperty(window, 'sessionStorage', {
  get() {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  },
})`

const ofSession = `fetch(JSON.parse(document.getElementById('tillwright-data').textContent).apiUrl + '/api/session/v1/session', {
  headers: { Authorization: 'Bearer ' + JSON.parse(Object.entries(sessionStorage).find(([key]) => key.startsWith('tillwright:'))[1]).token },
}).then((answer) => answer.json())`
const keptCity = `${ofSession}.then(({ customer }) => customer.shippingAddress?.city)`
const forgeToken = `{
  const [key, kept] = Object.entries(sessionStorage).find(([name]) => name.startsWith('tillwright:'))
  sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(kept), token: 'fstok_' + 'A'.repeat(43) }))
}`
