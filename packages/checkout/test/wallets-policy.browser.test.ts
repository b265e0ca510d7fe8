import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

/** What Google's script brings, as far as a button needs it. */
const SCRIPT = `window.google = { payments: { api: { PaymentsClient: class {
  async isReadyToPay() { return { result: true } }
  createButton() { return document.createElement('button') }
} } } }`

test('buttons of wallets are shown in a page that asks for Trusted Types and allows our policy', async () => {
  const page = await openShop('tillwright-wallets')
  expect(await showWallets(page)).toEqual(['google_pay'])
})

test('a page that allows no policy is told that the script did not load', async () => {
  const page = await openShop("'none'")
  expect(await showWallets(page)).toBe('network_failed')
  await expect.poll(() => stage.takeComplaints().join()).toContain('refused trusted-types-policy')
})

/** Opens a page that asks for Trusted Types, of an account with a simulated wallet. */
async function openShop(policies: string): Promise<Page> {
  const page = await stage.openShop()
  const googlePay = { environment: 'TEST', merchantId: '1', merchantName: 'Shop', publicKey: 'key' }
  const found = { session: 'session-1', applePay: null, googlePay, simulator: `${stage.vault.url}/simulator.js` }
  await page.route('**/api/vault/v1/wallets*', (route) =>
    route.fulfill({ json: found, headers: { 'Access-Control-Allow-Origin': '*' } }),
  )
  await page.route('**/simulator.js', (route) => route.fulfill({ contentType: 'text/javascript', body: SCRIPT }))
  await page.goto(`${stage.shopUrl}/methods?${new URLSearchParams({ 'trusted-types': policies })}`)
  return page
}

/** The wallets that are shown, or the code of the error. */
function showWallets(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
    const options = { amount: 1_999, currency: 'USD', country: 'US', onPay: async () => {} }
    try {
      return (await checkout.wallets('#card', options)).shown
    } catch (error) {
      return error instanceof window.Tillwright.CheckoutError ? error.code : String(error)
    }
  })
}
