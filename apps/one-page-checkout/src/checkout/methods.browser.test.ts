import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { violationsOf } from '../../../../.ci/accessibility.ts'
import type { Buyer } from '../testing/buyer.ts'
import { setStage, type Stage, type Wanted } from '../testing/stage.ts'

let stage: Stage
let shop: Stage
beforeAll(async () => {
  stage = await setStage()
  shop = await stage.inFunnel()
})
afterAll(() => stage?.stop())

async function enter(wanted?: Wanted): Promise<Buyer> {
  const buyer = await shop.enter(wanted)
  onTestFinished(async () => {
    expect(buyer.complaints).toEqual([])
    await buyer.page.context().close()
  })
  await buyer.page.getByRole('radio', { name: 'iDEAL' }).waitFor()
  return buyer
}

const bankButton = ({ page }: Buyer, name: string) => page.getByRole('button', { name, exact: true })

test('iDEAL leads to the bank and back: undecided, cancelled with all that was typed, and paid', async () => {
  const buyer = await enter()
  const { page } = buyer
  await buyer.typeCard('4242424242424242')
  await buyer.typeContact()
  await page.getByRole('radio', { name: 'Card' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.getByText('You pay on a page of iDEAL').waitFor()
  expect(await page.locator('.card').isVisible()).toBe(false)
  await page.keyboard.press('ArrowUp')
  expect(await buyer.card.locator('input:visible').first().inputValue()).toContain('4242')
  await page.keyboard.press('ArrowDown')
  expect(await violationsOf(page)).toEqual([])
  await buyer.pay()
  await bankButton(buyer, 'Pay').waitFor()
  await page.goBack()
  await page.getByText('Your payment is not finished yet.').waitFor()
  await page.getByRole('button', { name: 'Go on with the payment' }).click()
  await bankButton(buyer, 'Cancel').click()
  await page.getByRole('alert').getByText('You cancelled the payment.').waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(await page.locator('[name="shipping.line1"]').inputValue()).toBe('12 Weaver Street')
  await page.getByRole('radio', { name: 'iDEAL', checked: true }).waitFor()
  await buyer.pay()
  await bankButton(buyer, 'Pay').click()
  await page.getByRole('heading', { name: /^Thank you/ }).waitFor()
  await expect.poll(() => page.getByRole('main').textContent()).toContain('iDEAL')
})

test('PayPal leads to its page and back to the receipt', async () => {
  const buyer = await enter()
  const { page } = buyer
  await buyer.typeContact()
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await page.getByText('You pay on a page of PayPal').waitFor()
  await buyer.pay()
  await bankButton(buyer, 'Pay').click()
  await page.getByRole('heading', { name: /^Thank you/ }).waitFor()
  await expect.poll(() => page.getByRole('main').textContent()).toContain('PayPal')
})

test('a debit asks for an account, whose it is and the mandate, and is then on its way', async () => {
  const buyer = await enter({ viewport: { width: 320, height: 640 } })
  const { page } = buyer
  await buyer.typeContact()
  await page.getByRole('radio', { name: 'SEPA' }).check()
  await page.getByLabel('IBAN').fill('de89370400440532013001')
  await page.keyboard.press('Tab')
  await page.getByText('There is a mistake in this IBAN.').waitFor()
  await buyer.pay()
  await page.getByText('The debit needs your agreement.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('iban')
  expect(await page.getByLabel('IBAN').inputValue()).toBe('DE89 3704 0044 0532 0130 01')
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await page.evaluate(fillDebit)
  await page.getByLabel('I authorise this shop').check()
  await buyer.pay()
  await page.getByRole('heading', { name: 'Your payment is on its way.' }).waitFor()
  await page.getByText('The account ending in 3000 is debited').waitFor()
  expect(await buyer.payButton.isVisible()).toBe(false)
  const kept = await page.evaluate(() => JSON.stringify(sessionStorage))
  expect(kept).toContain('ada@example.com')
  expect(kept).not.toMatch(/DE89/)
})

test('a voucher has a code and a time, also behind a reload, until it is paid', async () => {
  const buyer = await enter()
  const { page } = buyer
  await buyer.typeContact()
  await page.getByRole('radio', { name: 'Voucher' }).check()
  await buyer.pay()
  await page.getByRole('heading', { name: 'Pay with this code.' }).waitFor()
  await page.reload()
  await page.getByText('It is valid until').waitFor()
  expect(await page.locator('.voucher-code').textContent()).toMatch(/^\d{4} \d{4} \d{4}$/)
  expect(await violationsOf(page)).toEqual([])
  const till = await page.getByRole('link', { name: 'Open the voucher' }).getAttribute('href')
  await fetch(till ?? '', { method: 'POST', body: new URLSearchParams({ choice: 'pay' }) })
  // The processor tells the platform in its own time.
  const thanks = page.getByRole('heading', { name: /^Thank you/ })
  const check = page.getByRole('button', { name: 'Check again' })
  const asked = async () => {
    await check.click({ timeout: 1_000 }).catch(() => {}) // it is gone when the thanks are there
    return thanks.isVisible()
  }
  await expect.poll(asked, { interval: 500 }).toBe(true)
  await expect.poll(() => page.getByRole('main').textContent()).toContain('Voucher')
})

/** Fills in account and holder at once, as the extension of a password manager does. */
const fillDebit = `for (const [name, text] of [['iban', 'DE89 3704 0044 0532 0130 00'], ['holderName', 'Ada Byrne']]) {
  const input = document.querySelector('[name=' + name + ']')
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}`
