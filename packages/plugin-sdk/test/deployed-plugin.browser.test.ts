import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { commit } from '../../platform/src/http/operations/commit.ts'
import { manualClock } from '../../platform/src/runtime/clock.ts'
import { newFunnel } from '../../platform/test/new-funnel.ts'
import { sharedPlatform } from '../../platform/test/test-platform.ts'
import { CHALLENGE_CARD, newWaitingPayment } from '../../platform/test/threeds-payment.ts'
import { bagShop, reactPage } from './bag-shop.ts'
import { buildAndDeploy, type DeployedPlugin } from './deployed-plugin.ts'
import { firstVariant } from './local-page.ts'

// The browser uses the machine's clock, and a card must be encrypted and sent at the same time.
const platform = sharedPlatform({ clock: manualClock(Date.now()) })
let browser: Browser
let plugin: DeployedPlugin
beforeAll(async () => {
  browser = await sharedChromium()
  const pages = ['checkout', 'upsell', 'thanks'].map((id) => ({ id, path: `/${id}` }))
  plugin = await buildAndDeploy(platform(), { pages, files: bagShop(await firstVariant(platform())) })
  const { pluginId } = plugin
  await newFunnel(platform(), {
    steps: [
      { type: 'checkout', name: 'Checkout', path: '/checkout', pluginId, pageId: 'checkout' },
      { type: 'upsell', name: 'One more thing', path: '/upsell', pluginId, pageId: 'upsell' },
      { type: 'thank_you', name: 'Thank you', path: '/thanks', pluginId, pageId: 'thanks' },
    ],
  })
  await authenticateEveryone()
})

/** Makes the store's flow authenticate every buyer. */
async function authenticateEveryone(): Promise<void> {
  const { payment } = await newWaitingPayment(platform())
  const { accountId, storeId } = platform().local
  const sql = 'UPDATE stores SET selected_payment_flow_id = ? WHERE account_id = ? AND id = ?'
  await commit([{ sql, params: [payment.paymentFlowId, accountId, storeId] }], platform().services)
}

/** Opens a page, by default the checkout, and collects everything the browser reports. */
async function open(url = `${plugin.url}/checkout`): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ locale: 'de-AT' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(url)
  return { page, complaints }
}

async function typeCard(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator('#card iframe')
  await frame.getByLabel(/Kartennummer|Card number/).fill(number)
  await frame.getByLabel(/Ablauf|Gültig|Expiry/).fill('1235')
  await frame.getByLabel(/Sicherheits|Prüf|Security/).fill('123')
}

/** Waits until the bank asks for a code, a second later by the platform's clock. */
async function bankAsks(page: Page) {
  const bank = page.frameLocator('dialog iframe').frameLocator('dialog iframe')
  await bank.getByRole('textbox').waitFor()
  platform().clock.advance(1_000)
  return bank
}

test('a buyer pays with a challenged card, reloads the page meanwhile, and takes an offer with the same card', async () => {
  const { page, complaints } = await open()
  await page.getByRole('heading', { name: 'Kasse' }).waitFor()
  expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual(['de-AT', 'ltr'])
  await typeCard(page, CHALLENGE_CARD)
  await page.getByRole('button', { name: 'Pay' }).click()
  await bankAsks(page)
  await page.reload()
  await typeCode(await bankAsks(page))
  await page.waitForURL(`${plugin.url}/upsell`)

  await page.getByRole('button', { name: 'Add to my order' }).dblclick()
  await typeCode(await bankAsks(page))
  await page.waitForURL(`${plugin.url}/thanks`)
  await page.locator('li').nth(1).waitFor()
  expect(await page.locator('li').allTextContents()).toEqual([
    expect.stringContaining('paid'),
    expect.stringContaining('paid'),
  ])
  expect(complaints).toEqual([])
  const paid = "SELECT id FROM payments WHERE funnel_session_id IS NOT NULL AND status = 'succeeded'"
  const payments = await platform().services.db.read(paid, [])
  expect(payments).toHaveLength(2)
})

test('with the oldest Preact that the SDK takes, a plugin sells, too', async () => {
  const { version } = JSON.parse(await readFile(new URL(import.meta.resolve('preact-oldest/package.json')), 'utf8'))
  const { peerDependencies } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8'))
  expect(`${peerDependencies.preact}.0`).toBe(`>=${version}`)
  const old = await buildAndDeploy(platform(), {
    pages: [{ id: 'checkout', path: '/checkout' }],
    files: bagShop(await firstVariant(platform())),
    preact: 'preact-oldest',
  })
  const { page, complaints } = await open(`${old.url}/checkout`)
  await typeCard(page, CHALLENGE_CARD)
  await page.getByRole('button', { name: 'Pay' }).click()
  await typeCode(await bankAsks(page))
  await page.getByText(/ paid$/).waitFor()
  await expect.poll(() => complaints).toEqual(['The session has no funnel.']) // whose next step the page asks for
})

test('in React’s StrictMode there is only one card form, and Enter in it pays as soon as the page’s button can be pressed', async () => {
  const react = await buildAndDeploy(platform(), {
    pages: [{ id: 'pay', path: '/pay' }],
    files: reactPage(await firstVariant(platform())),
  })
  const { page, complaints } = await open(`${react.url}/pay`)
  await page
    .frameLocator('#card iframe')
    .getByLabel(/Kartennummer/)
    .waitFor()
  expect(await page.locator('iframe').count()).toBe(1)
  await typeCard(page, '4242424242424242')
  const code = page.frameLocator('#card iframe').getByLabel(/Sicherheits|Prüf/)
  await code.press('Enter')
  await page.getByLabel('I agree').check()
  await page.getByRole('button', { name: 'Pay', disabled: false }).waitFor()
  await code.press('Enter')
  await page.getByText('idle paid 1').waitFor()
  expect(complaints).toEqual([])
})

/** Types the right code, and sends it with Enter in that field, wherever the keyboard is. */
async function typeCode(bank: FrameLocator): Promise<void> {
  const field = bank.getByRole('textbox')
  await field.fill('1234')
  await pressEnter(field)
}
