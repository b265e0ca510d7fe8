import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bundlePage } from './bundle-page.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
let script: string
beforeAll(async () => {
  stage = await setStage()
  script = await bundlePage(import.meta.resolve('./faces-page.ts'))
})
afterEach(async () => {
  await stage.clear()
  stage.vault.methods = ['card']
  stage.vault.asked.splice(0)
})
afterAll(() => stage.close())

async function openShop(): Promise<Page> {
  const page = await stage.openShop()
  await page.goto(`${stage.shopUrl}/methods`)
  await page.evaluate(script)
  return page
}

function addElement(page: Page, name: string, more: Record<string, string>): Promise<void> {
  const attributes = { 'publishable-key': 'test_pk_shop', 'vault-url': stage.vault.url, currency: 'EUR', ...more }
  return page.evaluate(([tag, given]) => window.addElement(tag, given), [name, attributes] as const)
}

/** Waits for an event of this name and returns its detail. */
async function detailOf(page: Page, name: string): Promise<unknown> {
  await expect.poll(() => page.evaluate(() => window.events.map(([each]) => each))).toContain(name)
  return page.evaluate((wanted) => window.events.findLast(([each]) => each === wanted)?.[1], name)
}

test('<tillwright-methods> shows the methods, follows its attributes and gives the choice', async () => {
  stage.vault.methods = ['ideal', 'voucher']
  const page = await openShop()
  await addElement(page, 'tillwright-methods', { 'store-id': 'store_1', amount: '4098', locale: 'de' })
  expect(await detailOf(page, 'ready')).toEqual(['ideal', 'voucher'])
  expect(await detailOf(page, 'methods-change')).toEqual({ type: 'ideal', complete: true })
  await page.getByRole('radio', { name: 'Zahlschein' }).check()
  const choice = () => page.evaluate(() => document.querySelector('tillwright-methods')?.choice())
  expect(await choice()).toEqual({ paymentMethod: { type: 'voucher' } })
  stage.vault.methods = ['ideal']
  await page.evaluate(() => document.querySelector('tillwright-methods')?.setAttribute('amount', '100'))
  await expect.poll(() => page.getByRole('radio').count()).toBe(0)
  expect(stage.vault.asked.at(-1)).toMatchObject({ amount: 100, currency: 'EUR' })
  await page.evaluate(() => document.querySelector('tillwright-methods')?.remove())
  expect(await page.getByRole('group').count()).toBe(0)
})

test('an element whose first attributes were wrong opens with the right ones', async () => {
  stage.vault.methods = ['ideal']
  const page = await openShop()
  await addElement(page, 'tillwright-methods', { 'store-id': 'store_1', amount: '4098', 'vault-url': 'nowhere' })
  expect(await detailOf(page, 'methods-error')).toBe('argument_invalid')
  await page.evaluate((url) => {
    const element = document.querySelector('tillwright-methods')
    element?.setAttribute('vault-url', url)
    element?.setAttribute('amount', '100')
    element?.setAttribute('country', 'NL')
  }, stage.vault.url)
  expect(await detailOf(page, 'ready')).toEqual(['ideal'])
  expect(await page.locator('fieldset').count()).toBe(1)
  expect(stage.vault.asked).toMatchObject([{ amount: 100, country: 'NL' }])
})

test('<tillwright-wallets> that is moved while it loads has each button once', async () => {
  const page = await openShop()
  await page.route('**/api/vault/v1/wallets?*', (route) =>
    route.fulfill({
      headers: { 'Access-Control-Allow-Origin': '*' },
      json: { session: 'session-1', applePay: { merchantName: 'A shop' }, googlePay: null, simulator: null },
    }),
  )
  await page.evaluate(() => Object.assign(window, { ApplePaySession: { canMakePayments: () => true } }))
  await page.evaluate((url) => {
    const sum = { amount: '4098', currency: 'EUR', country: 'NL' }
    window.addElement('tillwright-wallets', { 'publishable-key': 'test_pk_shop', 'vault-url': url, ...sum })
    const element = document.querySelector('tillwright-wallets')
    if (element) document.querySelector('#card')?.append(element)
  }, stage.vault.url)
  expect(await detailOf(page, 'ready')).toEqual(['apple_pay'])
  // Its answer comes behind those to the element.
  await page.evaluate((url) => fetch(`${url}/api/vault/v1/wallets?last`), stage.vault.url)
  expect(await page.getByRole('button', { name: 'Apple Pay' }).count()).toBe(1)
})

test('<tillwright-methods> tells what kept the methods from being shown, on the console too', async () => {
  const page = await openShop()
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning')
  await addElement(page, 'tillwright-methods', { 'publishable-key': 'wrong' })
  expect(await detailOf(page, 'methods-error')).toBe('argument_invalid')
  expect((await warning).text()).toMatch(/^Tillwright: CheckoutError: publishableKey must begin with/)
})

test('<PaymentMethods> that is refused says so on the console', async () => {
  const page = await openShop()
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning')
  await page.route('**/payment-methods', (route) => route.abort())
  await page.evaluate((given) => window.showFaces(given), { publishableKey: 'test_pk_shop', vaultUrl: stage.vault.url })
  expect(await detailOf(page, 'methods error')).toBe('network_failed')
  expect((await warning).text()).toContain('are the vault and the API in connect-src')
  stage.takeComplaints() // the browser's own word on the request
})

test('<PaymentMethods> and <Wallets> follow their props, and leave nothing behind', async () => {
  stage.vault.methods = ['paypal', 'voucher']
  const page = await openShop()
  const options = { publishableKey: 'test_pk_shop', vaultUrl: stage.vault.url }
  await page.evaluate((given) => window.showFaces(given), options)
  expect(await detailOf(page, 'wallets ready')).toEqual([])
  expect(await detailOf(page, 'methods ready')).toEqual(['paypal', 'voucher'])
  await page.getByRole('radio', { name: 'Voucher' }).check()
  expect(await page.evaluate(() => window.reactMethods?.choice())).toEqual({ paymentMethod: { type: 'voucher' } })
  await page.evaluate(() => window.setAmount(100))
  await expect.poll(() => stage.vault.asked.at(-1)).toMatchObject({ amount: 100 })
  await page.evaluate(() => window.leaveFaces())
  expect(await page.locator('#card > *').count()).toBe(0)
})

test('<tillwright-wallets> of an account without wallets is there and empty', async () => {
  const page = await openShop()
  await addElement(page, 'tillwright-wallets', { amount: '4098', country: 'NL' })
  expect(await detailOf(page, 'ready')).toEqual([])
  expect(await page.locator('tillwright-wallets > *').count()).toBe(0)
  await addElement(page, 'tillwright-wallets', { amount: 'many', country: 'NL' })
  expect(await detailOf(page, 'wallets-error')).toBe('argument_invalid')
})
