import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Locator } from 'playwright-core'
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
  await keyboard.type('ada@example.com')
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
  expect(await buyer.page.evaluate(() => document.activeElement?.id)).toBe('receipt-title')
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
  await buyer.page.getByLabel('E-mail').pressSequentially('ada@example.com')
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
