import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../../../.ci/chromium.ts'
import type { Buyer } from './buyer.ts'
import { startShop, type RunningShop } from './running-shop.ts'
import { visitShop } from './visit-shop.ts'

const CHARGED = '4242424242424242'
const DECLINED = '4000000000000002'

let browser: Browser
let shop: RunningShop
beforeAll(async () => {
  browser = await launchChromium()
  shop = await startShop()
})
afterAll(() => Promise.all([browser.close(), shop.stop()]))

const enter = (options?: Parameters<typeof visitShop>[2]) => visitShop(browser, shop.local.shopUrl, options)
const paid = (buyer: Buyer) => buyer.page.getByRole('status').getByText('Paid', { exact: true }).waitFor()

test('a buyer with a keyboard alone gets through, and Enter in the card form pays', async () => {
  const buyer = await enter()
  const { keyboard } = buyer.page
  await buyer.page.getByLabel('E-mail').focus()
  for (const keys of ['ada@example.com', CHARGED, '1234', '123']) {
    await keyboard.type(keys)
    if (keys !== '123') await keyboard.press('Tab')
  }
  await keyboard.press('Enter')
  await paid(buyer)
  expect(await buyer.page.evaluate(() => document.activeElement?.id)).toBe('receipt-title')
})

test('without e-mail address and card nothing is sent, and the form says what is missing', async () => {
  const buyer = await enter()
  const sent: string[] = []
  buyer.page.on('request', (request) => sent.push(request.url()))
  await buyer.pay()
  await buyer.page.getByText('Enter an e-mail address').waitFor()
  expect(await buyer.page.evaluate(() => document.activeElement?.id)).toBe('email')
  await buyer.page.getByLabel('E-mail').pressSequentially('ada@example.com')
  await buyer.pay()
  await buyer.card.getByText('Enter the card number.').waitFor()
  expect(sent).toEqual([])
})

test.each([360, 390])('on a phone of %i pixels all of it fits and pays', async (width) => {
  const buyer = await enter({ viewport: { width, height: 740 }, hasTouch: true, isMobile: true })
  const overflow = () =>
    buyer.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await overflow()).toBe(0)
  await buyer.typeCard(CHARGED)
  await buyer.pay()
  await paid(buyer)
  expect(await overflow()).toBe(0)
})

test.each(['light', 'dark'] as const)(
  'axe finds nothing in the %s page, before, after a decline and paid',
  async (colorScheme) => {
    const buyer = await enter({ colorScheme })
    const violations = async () => {
      const found = await new AxeBuilder({ page: buyer.page }).analyze()
      const places = found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
      )
      // axe takes the ground of a see-through frame for white; here it is the shop's, which is dark.
      return colorScheme === 'light' ? places : places.filter((place) => !/^color-contrast: .*iframe/.test(place))
    }
    expect(await violations()).toEqual([])
    await buyer.typeCard(DECLINED)
    await buyer.pay()
    await buyer.page.getByRole('alert').getByText('declined').waitFor()
    expect(await violations()).toEqual([])
    await buyer.typeCard(CHARGED)
    await buyer.pay()
    await paid(buyer)
    expect(await violations()).toEqual([])
  },
)
