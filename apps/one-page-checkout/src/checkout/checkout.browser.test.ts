import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { violationsOf } from '../../../../.ci/accessibility.ts'
import { pressEnter } from '../../../../.ci/press-enter.ts'
import { firstOf, inSoak } from '../../../../.ci/soaks.ts'
import type { Buyer } from '../testing/buyer.ts'
import { setStage, type Stage, type Wanted } from '../testing/stage.ts'

const CHARGED = '4242424242424242'
const DECLINED = '4000000000000002'
const CHALLENGED = '4000002760003184'

let stage: Stage
beforeAll(async () => void (stage = await setStage()))
afterAll(() => stage?.stop())

async function enter(wanted?: Wanted): Promise<Buyer> {
  const buyer = await stage.enter(wanted)
  onTestFinished(async () => {
    expect(buyer.complaints).toEqual([])
    await buyer.page.context().close()
  })
  return buyer
}

/** In the page, from its beginning: notes how far things have moved by themselves. Source: Layout Instability API. */
function addUpMoves(): void {
  let moved = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) moved += entry.toJSON().value
    document.documentElement.dataset['moved'] = String(moved)
  }).observe({ type: 'layout-shift', buffered: true })
}

const thanked = ({ page }: Buyer) => page.getByRole('heading', { name: /^Thank you/ }).waitFor()
const totalOf = ({ page }: Buyer) => page.locator('.totals [data-kind="total"] dd')

test('a card pays once however often the button is pressed, and the receipt has all of it', async () => {
  const buyer = await enter()
  const { page } = buyer
  const asked: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/session/pay') && asked.push(request.method())))
  await page.getByLabel('Express').check()
  await expect.poll(() => totalOf(buyer).textContent()).toContain('$36.00')
  await buyer.typeContact()
  await buyer.typeCard(CHARGED)
  await buyer.payButton.dblclick()
  await thanked(buyer)
  expect(new URL(page.url()).pathname).toBe('/thank-you')
  expect(asked.filter((method) => method === 'POST')).toHaveLength(1)
  // The receipt is shown at once, and whose it is when the session has answered.
  await expect
    .poll(() => page.getByRole('main').textContent())
    .toMatch(/Ada.*Visa ending in 4242.*Oakland CA 94607.*United States/)
  expect(await page.locator('.receipt').textContent()).toMatch(/Canvas tote.*\$24\.00.*Shipping \$12\.00.*\$36\.00/)
  expect(await page.locator('.receipt').count()).toBe(1)

  await page.goBack()
  await page.getByRole('heading', { name: 'This order is paid.' }).waitFor()
  expect(await buyer.payButton.isVisible()).toBe(false)
  await page.getByRole('link', { name: 'To the receipt' }).click()
  await thanked(buyer)
})

test('a declined card keeps all that was typed, and another one pays by Enter in its form', async () => {
  const buyer = await enter()
  await buyer.typeContact()
  // What is missing has the keyboard, and not what is there already.
  await buyer.card.locator('#number').fill(DECLINED)
  await buyer.card.locator('#expiry').fill('1234')
  await buyer.pay()
  await buyer.card.getByText('Enter the security code.').waitFor()
  await expect.poll(() => buyer.payButton.getAttribute('data-busy')).toBe('false')
  const isAtCode = (input: SVGElement | HTMLElement) => input === document.activeElement && document.hasFocus()
  expect(await buyer.card.locator('#cvc').evaluate(isAtCode)).toBe(true)
  await buyer.typeCard(DECLINED)
  await buyer.pay()
  await buyer.page.getByRole('alert').getByText('Your bank declined the card').waitFor()
  expect(await buyer.page.locator('[name="shipping.line1"]').inputValue()).toBe('12 Weaver Street')
  expect(await buyer.card.locator('input:visible').first().inputValue()).toContain('4000')
  await buyer.typeCard(CHARGED)
  await pressEnter(buyer.card.locator('input:visible').last())
  await thanked(buyer)
})

test('a browser that refuses storage pays as well, and the page itself says that the order is paid', async () => {
  const buyer = await enter()
  const { page } = buyer
  await page.addInitScript(() => {
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  })
  await page.reload()
  await buyer.typeContact()
  await buyer.typeCard(CHARGED)
  await buyer.pay()
  await page.getByRole('heading', { name: 'This order is paid.' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/checkout')
  expect(await page.getByRole('link', { name: 'To the receipt' }).count()).toBe(0)
})

test('with colours of their own a buyer sees which field has the keyboard', async () => {
  const { page } = await enter({ preset: 'atelier', forcedColors: 'active' })
  const field = page.locator('[name=email]')
  await field.focus()
  const outline = await field.evaluate((input) => getComputedStyle(input).outlineStyle)
  expect(outline).toBe('solid')
})

test('a card whose bank asks for a code pays when the code is right, also behind a reload', async () => {
  const buyer = await enter()
  await buyer.typeContact()
  await buyer.typeCard(CHALLENGED)
  await buyer.pay()
  await buyer.bank.getByRole('textbox').waitFor()
  await buyer.page.reload()
  await buyer.bank.getByRole('textbox').fill('1234')
  await buyer.page.keyboard.press('Enter')
  await thanked(buyer)
})

test('a form that is used: a promotion code, a lost network, the place of wallets, and fields that are wrong', async () => {
  const { client, storeId } = stage
  const buyer = await enter()
  const { page, payButton } = buyer
  await client.promotions.create({
    storeId,
    name: 'Welcome',
    code: 'WELCOME10',
    actions: [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 10 }],
  })
  // A code reduces the order and can be taken out; an unknown one is refused at its field.
  await page.getByRole('button', { name: 'Enter a promotion code' }).click()
  const field = page.getByLabel('Promotion code')
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  await field.fill('NOTHING')
  await page.keyboard.press('Enter')
  await page.getByText('We do not know this code.').waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await field.fill('welcome10')
  await page.keyboard.press('Enter')
  await expect.poll(() => totalOf(buyer).textContent()).toContain('$26.50')
  await page.getByRole('button', { name: /^Remove/ }).click()
  await expect.poll(() => totalOf(buyer).textContent()).toContain('$28.90')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('code')
  // Without a network the page says so, and sends the request as soon as there is one.
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'One more of Canvas tote' }).click()
  const offline = page.getByRole('alert').getByText('You seem to be offline.')
  await offline.waitFor()
  await page.context().setOffline(false)
  await expect.poll(() => totalOf(buyer).textContent()).toContain('$52.90')
  await offline.waitFor({ state: 'detached' })
  // A button that has reached its end keeps the keyboard, and does nothing.
  const less = page.getByRole('button', { name: 'One less of Canvas tote' })
  await less.click()
  await expect.poll(() => totalOf(buyer).textContent()).toContain('$28.90')
  await page.keyboard.press('Enter')
  expect(await less.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await page.locator('.quantity output').textContent()).toBe('1')
  // The place of wallets is seen as soon as something is in it.
  const parting = page.getByText('or pay by card')
  expect(await parting.isVisible()).toBe(false)
  await page.locator('#express').evaluate((place) => place.append(document.createElement('button')))
  expect(await parting.isVisible()).toBe(true)
  // Wrong fields say so, and the first of them has the focus.
  await page.locator('[name=email]').fill('ada@')
  await payButton.click()
  await page.getByText('This is no e-mail address.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('email')
  expect(await page.getByText('This is needed.').count()).toBe(6)
})

test('an address follows its country, and so do the ways of shipping', async () => {
  const buyer = await enter({ settings: { countries: ['US', 'IE', 'JP'] } })
  const { page } = buyer
  expect(await page.getByLabel('ZIP code').count()).toBe(1)
  await page.getByLabel('Country or region').selectOption('IE')
  expect(await page.getByLabel('Eircode (optional)').count()).toBe(1)
  await page.getByLabel('Pick it up').check()
  await expect.poll(() => totalOf(buyer).textContent()).toContain('$24.00')
  await page.getByLabel('Country or region').selectOption('JP')
  await expect.poll(() => totalOf(buyer).textContent()).toContain('$28.90')
  const names = await page.locator('.form input').evaluateAll((inputs) => inputs.map((input) => input.id))
  expect(names.indexOf('shipping.postalCode')).toBeLessThan(names.indexOf('shipping.line1'))
})

test('a reload keeps what was typed, an expired session the cart, and while it loads nothing moves', async () => {
  const buyer = await enter({ search: `?cart=${stage.variants.natural}:2` })
  const { page } = buyer
  await expect.poll(() => totalOf(buyer).textContent()).toContain('$52.90')
  expect(new URL(page.url()).search).toBe('')
  await page.locator('[name="shipping.firstName"]').fill('Ada')
  await page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('tillwright:')) ?? ''
    const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    addEventListener('pagehide', () => sessionStorage.setItem(key, JSON.stringify({ ...kept, token: 'fstok_expired' })))
  })
  await page.addInitScript(addUpMoves)
  const begun = page.waitForRequest((request) => request.url().endsWith('/api/session/v1/sessions'))
  await page.reload()
  await begun
  await expect.poll(() => totalOf(buyer).textContent()).toContain('$52.90')
  expect(await page.locator('[name="shipping.firstName"]').inputValue()).toBe('Ada')
  await buyer.card.locator('input').first().waitFor()
  const moved = await page.evaluate(() => Number(document.documentElement.dataset['moved'] ?? 0))
  expect(moved).toBeLessThan(0.02)
})

test('Arabic is mirrored as a whole, and German is spoken as soon as it is chosen', async () => {
  const { page } = await enter({ locale: 'ar' })
  const placeOf = async (selector: string) => (await page.locator(selector).boundingBox())?.x ?? 0
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  expect(await placeOf('.aside')).toBeLessThan(await placeOf('.main'))
  expect(await page.getByRole('heading', { name: 'الدفع' }).count()).toBe(1)
  expect(await page.locator('.line-name').first().textContent()).toBe('حقيبة قماش')
  await page.locator('.language select').selectOption('de')
  await page.getByRole('heading', { name: 'Zahlung' }).waitFor()
  expect(await page.locator('html').getAttribute('dir')).toBe('ltr')
  expect(await placeOf('.aside')).toBeGreaterThan(await placeOf('.main'))
})

test('where the store has a page of its own for buyers who have paid, they land there with their order', async () => {
  const shop = await stage.withThankYouUrl('https://shop.example/thanks?from=till')
  const buyer = await shop.enter()
  const { page } = buyer
  await page.route('https://shop.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'Thanks!' }))
  await buyer.typeContact()
  await buyer.typeCard(CHARGED)
  await buyer.pay()
  await page.waitForURL('https://shop.example/**')
  const url = new URL(page.url())
  const orderId = url.searchParams.get('orderId') ?? ''
  expect([url.pathname, [...url.searchParams.keys()], url.hash]).toEqual(['/thanks', ['from', 'orderId'], ''])
  expect(await stage.client.orders.get({ orderId })).toMatchObject({ storeId: shop.storeId, status: 'paid' })
  await page.context().close()
})

test.each(inSoak)('in a funnel the payment leads to the step behind the checkout', async () => {
  const settings = { heading: { en: 'In a funnel' } }
  const { page } = await enter({ settings })
  const { pluginId } = JSON.parse((await page.locator('#tillwright-data').textContent()) ?? '{}')
  await stage.client.funnels.create({
    storeId: stage.storeId,
    name: 'Two pages',
    steps: [
      { type: 'checkout', name: 'Checkout', path: '/checkout', pluginId, pageId: 'checkout' },
      { type: 'thank_you', name: 'Thanks', path: '/thank-you', pluginId, pageId: 'thank-you' },
    ],
  })
  const buyer = await enter({ settings })
  const left = buyer.page.waitForResponse((response) => response.url().endsWith('/session/next'))
  await buyer.typeContact()
  await buyer.typeCard(CHARGED)
  await buyer.pay()
  expect((await left).status()).toBe(200)
  await thanked(buyer)
  expect(await buyer.page.locator('.receipt').textContent()).toContain('$28.90')
})

describe.each(firstOf(['plain', 'atelier', 'night'] as const))('the preset %s', (preset) => {
  test('has nothing for axe to complain of on a phone, from right to left, where fields are wrong and behind the payment', async () => {
    const buyer = await enter({ preset, locale: 'ar', viewport: { width: 390, height: 844 } })
    const { page } = buyer
    if (await page.locator('.summary-toggle').isVisible()) await page.locator('.summary-toggle').click()
    await page.locator('.promotion button').click()
    await buyer.payButton.click()
    await page.locator('.complaint').first().waitFor()
    expect(await complaintsOfAxe(buyer)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await buyer.typeContact()
    await buyer.typeCard(CHARGED)
    await buyer.pay()
    await page.locator('.receipt').waitFor()
    expect(await complaintsOfAxe(buyer)).toEqual([])
  })
})

/** Without the card form: it has tests of its own, and in its frame axe takes the page's dark ground for a white one. */
function complaintsOfAxe({ page }: Buyer): Promise<string[]> {
  return violationsOf(page, { exclude: ['.card iframe'] })
}
