import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { startShop, type RunningShop } from '../running-shop.ts'

let shop: RunningShop
beforeAll(async () => {
  shop = await startShop({ command: [fileURLToPath(new URL('shop.ts', import.meta.url))] })
})
afterAll(() => shop.stop())

/** Opens the shop and chooses a method; fails the test for what the page complains of. */
async function choose(method: string): Promise<Page> {
  const context = await (await sharedChromium()).newContext({ locale: 'en-US' })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => void complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  await page.goto(shop.local.shopUrl)
  await page.getByRole('radio', { name: method }).check()
  return page
}

const pay = (page: Page) => page.getByRole('button', { name: 'Pay', exact: true }).click()
const told = (page: Page) => page.getByRole('status').textContent()

test.each([
  ['pay', 'succeeded'],
  ['cancel', 'declined buyer_canceled'],
])('iDEAL leads to the bank’s page and back: %s there is %s here', async (choice, status) => {
  const page = await choose('iDEAL')
  await pay(page)
  await page.locator(`button[name=choice][value=${choice}]`).click()
  await page.waitForURL('**/back?paymentId=*')
  expect(await told(page)).toBe(status)
})

test('a buyer who comes back without having paid may pay with something else', async () => {
  const page = await choose('iDEAL')
  await pay(page)
  await page.locator('button[name=choice][value=pay]').waitFor()
  await page.goBack()
  await page.getByRole('radio', { name: 'Voucher' }).check()
  await pay(page)
  await page.waitForURL('**/back?paymentId=*')
  expect(await told(page)).toMatch(/^processing \S+/)
})

test('a SEPA debit is on its way with the end of its account, and a wrong IBAN goes nowhere', async () => {
  const page = await choose('SEPA')
  await page.getByLabel('Account holder').fill('Ada Byrne')
  await page.getByRole('checkbox').check()
  await page.getByLabel('IBAN').fill('AT61 1904 3002 3457 3202')
  await pay(page)
  await page.getByText('There is a mistake in this IBAN').waitFor()
  await page.getByLabel('IBAN').fill('AT61 1904 3002 3457 3201')
  await pay(page)
  await page.waitForURL('**/back?paymentId=*')
  expect(await told(page)).toBe('processing 3201')
})
