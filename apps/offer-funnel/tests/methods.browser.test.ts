import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { startLocal, type RunningLocal } from '../../../packages/cli/src/testing/start-local.ts'
import { openEuroShop, type FunnelShop } from './funnel-shop.ts'
import { visitFunnel, type Visitor } from './visit-funnel.ts'

let local: RunningLocal
let shop: FunnelShop
beforeAll(async () => {
  local = await startLocal()
  shop = await openEuroShop(local.file)
})
afterAll(() => local?.stop())

async function enter(): Promise<Visitor> {
  const buyer = await visitFunnel(await sharedChromium(), `${shop.url}/checkout`, {
    viewport: { width: 320, height: 640 },
  })
  await buyer.page.getByRole('radio', { name: 'iDEAL' }).waitFor()
  await buyer.typeBuyer()
  return buyer
}

test('iDEAL leads to the bank and back, to the form if it is cancelled, and past the offers to the receipt if it is paid', async () => {
  const buyer = await enter()
  const { page } = buyer
  const pages: string[] = []
  await page.exposeFunction('noted', (heading: string) => void pages.push(heading))
  await page.addInitScript(`new MutationObserver(() => noted(document.querySelector('main')?.className ?? ''))
    .observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] })`)
  await page.getByRole('radio', { name: 'Card' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.getByText('You pay on a page of iDEAL').waitFor()
  expect(await page.locator('.card').isVisible()).toBe(false)
  await buyer.expectAccessible()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await buyer.pay()
  await page.getByRole('button', { name: 'Pay', exact: true }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Go on with the payment' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('You cancelled the payment.').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(await page.locator('[name=city]').inputValue()).toBe('Dublin')
  await page.getByRole('radio', { name: 'iDEAL', checked: true }).waitFor()
  await buyer.pay()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  expect(await buyer.receipt()).toContain('€59.00')
  expect(buyer.at()).toBe('/thank-you')
  expect(pages.join()).toContain('page-checkout')
  expect(pages.join()).not.toMatch(/page-(upsell|downsell)/)
})

test('PayPal leads to its page and back, and past the offers to the receipt', async () => {
  const buyer = await enter()
  const { page } = buyer
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await page.getByText('You pay on a page of PayPal').waitFor()
  await buyer.pay()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  expect(await buyer.receipt()).toContain('€59.00')
  expect(buyer.at()).toBe('/thank-you')
})

test('a debit and a voucher ask for what they need, and stand in the place of the form while they are on their way', async () => {
  const buyer = await enter()
  const { page } = buyer
  await page.getByRole('radio', { name: 'SEPA' }).check()
  await page.getByLabel('IBAN').fill('de89370400440532013001')
  await page.keyboard.press('Tab')
  await buyer.pay()
  await page.getByText('There is a mistake in this IBAN.').waitFor()
  await page.getByText('The debit needs your agreement.').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('iban')
  await buyer.expectAccessible()
  await page.evaluate(fillDebit)
  await page.getByLabel('I authorise this shop').check()
  await buyer.pay()
  await page.getByText('Your bank refused the debit.').waitFor()
  await page.getByRole('radio', { name: 'Voucher' }).check()
  await buyer.pay()
  await page.getByRole('heading', { name: 'Pay with this code.' }).waitFor()
  expect(await page.locator('.voucher-code').textContent()).toMatch(/^\d{4} \d{4} \d{4}$/)
  await buyer.expectAccessible()
  const till = await page.getByRole('link', { name: 'Open the voucher' }).getAttribute('href')
  await fetch(till ?? '', { method: 'POST', body: new URLSearchParams({ choice: 'pay' }) })
  const asked = async () => {
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`) // the buyer is back from the till
    return page.locator('.thanks').isVisible()
  }
  await expect.poll(asked, { timeout: 30_000 }).toBe(true) // the processor tells the platform in its own time
})

test('an order that a code makes free asks for nothing to pay with, and is placed', async () => {
  const actions = [{ type: 'OrderPercentageAdjustment' as const, adjustmentPercentage: 100 }]
  await shop.client.promotions.create({ storeId: shop.storeId, name: 'A gift', code: 'GIFT', actions })
  const buyer = await enter()
  const { page } = buyer
  await page.getByRole('button', { name: 'Enter a promotion code' }).click()
  await page.getByLabel('Promotion code').fill('GIFT')
  await page.keyboard.press('Enter')
  await page.getByText('There is nothing to pay.').waitFor()
  expect(await page.locator('.card').isVisible()).toBe(false)
  expect(await page.getByRole('radio', { name: 'iDEAL' }).count()).toBe(0)
  await buyer.expectAccessible()
  await page.getByRole('button', { name: 'Place the order' }).click()
  expect(await buyer.receipt()).toContain('€0.00')
  expect(buyer.at()).toBe('/thank-you')
})

/** Fills in account and holder at once, as the extension of a password manager does. */
const fillDebit = `for (const [name, text] of [['iban', 'AT861904300235473202'], ['holderName', 'Ada Byrne']]) {
  const input = document.querySelector('[name=' + name + ']')
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}`
