import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { startLocal, type RunningLocal } from '../../../packages/cli/src/testing/start-local.ts'
import { openFunnelShop, type FunnelShop } from './funnel-shop.ts'
import { visitFunnel, type Visitor } from './visit-funnel.ts'

let local: RunningLocal
let shop: FunnelShop
beforeAll(async () => {
  local = await startLocal()
  shop = await openFunnelShop(local.file)
})
afterAll(() => local?.stop())

/** At the checkout of the recommended bundle, which the wallets of the device can pay. */
async function enter(): Promise<Visitor> {
  const buyer = await visitFunnel(await sharedChromium(), `${shop.url}/checkout`)
  await buyer.page.getByRole('button', { name: 'Google Pay' }).waitFor()
  return buyer
}

test.each(['Apple Pay', 'Google Pay'])(
  '%s pays once the form says who buys, and the card in it takes the offer by one click',
  async (wallet) => {
    const buyer = await enter()
    const { page } = buyer
    const button = page.getByRole('button', { name: wallet })
    await button.click()
    await page.locator('.field .problem').first().waitFor()
    expect(await page.locator('dialog').count()).toBe(0)
    await buyer.typeBuyer()
    await button.click()
    await page.locator('dialog #pay').waitFor()
    await buyer.expectAccessible()
    await page.locator('dialog #pay').click()
    await buyer.seesOffer('The cup that belongs to it')
    expect(await page.locator('.one-click').innerText()).toContain('4242')
    await buyer.add()
    expect(await buyer.receipt()).toMatch(/\$59\.00[^]*Fjord cup.*\$19\.00[^]*\$78\.00/s)
  },
)

test('a sheet that is closed buys nothing, and a card that is declined in it keeps what was typed', async () => {
  const buyer = await enter()
  const { page } = buyer
  await buyer.typeBuyer()
  const open = async (wallet: string) => {
    await page.getByRole('button', { name: wallet }).click()
    await page.locator('dialog #pay').waitFor()
  }
  await open('Apple Pay')
  await page.keyboard.press('Escape')
  expect(await page.locator('dialog').count()).toBe(0)
  await open('Google Pay')
  await page.getByRole('radio', { name: '0002' }).check()
  await page.locator('dialog #pay').click()
  await page.getByText('Your bank has declined the card. Nothing was charged.').waitFor()
  expect(await page.locator('[name=city]').inputValue()).toBe('Dublin')
  await open('Apple Pay')
  await page.locator('dialog #pay').click()
  await buyer.seesOffer('The cup that belongs to it')
})
