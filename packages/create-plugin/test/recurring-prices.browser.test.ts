import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { settle } from '../../../apps/demo-shop/flows/buyer.ts'
import { publishedPlugins, type PublishedPlugins } from './published-plugins.ts'

let plugins: PublishedPlugins
let browser: Browser
let variantId: string
beforeAll(async () => {
  ;[plugins, browser] = await Promise.all([publishedPlugins(), sharedChromium()])
  variantId = await plugins.recurringVariant()
}, 120_000)
afterAll(() => plugins?.stop())

async function open(url: string): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 390, height: 844 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  return page
}

async function pay(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.com')
  const card = page.frameLocator('form iframe')
  await card.getByLabel('Card number').fill('4242424242424242')
  await card.getByLabel('Expiry date').fill('1234')
  await card.getByLabel('Security code').fill('123')
  const button = page.getByRole('button', { name: /^Pay \$/ })
  await settle(button)
  await button.click()
}

test('checkout says beside a price how often it is paid, and what a free trial leaves for later', async () => {
  const url = await plugins.publish('box', ['--template', 'checkout'], { variantId })
  const page = await open(url)
  await page.getByText('$10.00 / 3 months').waitFor()

  const trial = { recurring: true, interval: 'month' as const, trialDays: 14 }
  const club = [{ name: 'Club', prices: [{ currencyOptions: { USD: { amount: 700 } }, ...trial }] }]
  const { client, storeId } = plugins
  const { productId } = await client.products.create({ storeId, name: 'Club', variants: club })
  const [onTrial] = (await client.products.get({ productId })).variants
  await page.goto(`${new URL(url).origin}/?variant=${onTrial?.id}`)
  await page.getByText('$7.00 / month').waitFor()
  expect(await page.getByText('Due later').locator('..').textContent()).toBe('Due later$7.00')
})

test('funnel says with every price that is agreed to, before it is, how often it is paid', async () => {
  const page = await open(await plugins.publish('boxes', ['--template', 'funnel'], { variantId }))
  await page.getByText('1 × Box $10.00 / 3 months').waitFor()
  await page.getByRole('button', { name: 'Order now' }).click()
  await page.getByRole('listitem').getByText('$10.00 / 3 months').waitFor()
  await pay(page)
  await page.getByRole('button', { name: 'Add it for $10.00' }).waitFor()
  await page.getByText('1 × Box $10.00 / 3 months').waitFor()
})
