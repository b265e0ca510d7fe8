import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@tillwright/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { quickstartFiles } from '../../../.ci/snippets/quickstarts.ts'
import { root } from '../../../.ci/spawn-program.ts'
import { type RunningShop, startShop } from './running-shop.ts'

const CHARGED = '4242424242424242'
const CHALLENGED = '4000002760003184'
const DECLINED = '4000000000000002'

let browser: Browser
let shop: RunningShop
let folder = ''

/** The files that the guide's page has, as they stand there. */
beforeAll(async () => {
  browser = await sharedChromium()
  folder = await mkdtemp(join(tmpdir(), 'tillwright-plain-page-'))
  const client = join(root, 'packages/client/src/index.ts')
  for (const [name, text] of Object.entries(quickstartFiles('plain page'))) {
    const placed = text.replaceAll("'@tillwright/client'", `'${client}'`)
    await writeFile(join(folder, name), placed.replace("'index.html'", JSON.stringify(join(folder, 'index.html'))))
  }
  shop = await startShop({ command: [join(folder, 'server.ts')] })
})
afterAll(async () => {
  await shop.stop()
  await rm(folder, { recursive: true, force: true })
})

async function enter(number: string) {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(shop.local.shopUrl)
  await typeCard(page, number)
  return { page, button: page.getByRole('button', { name: 'Pay $40.98' }), status: page.getByRole('status') }
}

async function typeCard(page: Page, number: string): Promise<void> {
  const card = page.frameLocator('#card iframe')
  await card.getByLabel('Card number').fill(number)
  await card.getByLabel('Expiry date').fill('1234')
  await card.getByLabel('Security code').fill('123')
}

async function countPayments(): Promise<number> {
  const { apiKey, apiUrl } = shop.local
  return (await createClient({ apiKey, baseUrl: apiUrl }).payments.list({})).data.length
}

test('the plain page of the guide charges a card once, however often its buyer presses Pay and Enter', async () => {
  const { page, button, status } = await enter(CHARGED)
  const before = await countPayments()
  await button.dblclick()
  await status.getByText(/: succeeded$/).waitFor()
  const shown = await status.innerText()
  await button.click({ force: true })
  await pressEnter(page.frameLocator('#card iframe').getByLabel('Security code'))
  expect(await button.isDisabled()).toBe(true)
  expect(await status.innerText()).toBe(shown)
  expect(await countPayments()).toBe(before + 1)
})

test('after a decline its buyer pays with another card, by Enter in the card form', async () => {
  const { page, button, status } = await enter(DECLINED)
  await button.click()
  await status.getByText('The card was not charged.', { exact: true }).waitFor()
  await typeCard(page, CHARGED)
  await pressEnter(page.frameLocator('#card iframe').getByLabel('Security code'))
  await status.getByText(/: succeeded$/).waitFor()
})

test('a buyer whose card the vault did not get is told so and may try again, and one who has not typed it all reads it in the form', async () => {
  const { page, button, status } = await enter(CHARGED)
  await page.route('**/api/vault/v1/tokens', (route) => route.abort(), { times: 1 })
  await button.click()
  await status.getByText('Your card could not be read. Please try again, or reload the page.').waitFor()
  const code = page.frameLocator('#card iframe').getByLabel('Security code')
  await code.fill('')
  await button.click()
  await page.frameLocator('#card iframe').getByText('Enter the security code').waitFor()
  expect(await status.innerText()).toBe('')
  await code.fill('123')
  await button.click()
  await status.getByText(/: succeeded$/).waitFor()
})

test('a buyer whose payment a webhook of the shop has continued already is not told that it failed, and cannot pay again', async () => {
  const { apiKey, apiUrl } = shop.local
  const { page, button, status } = await enter(CHALLENGED)
  await page.route('**/continue', async (route) => {
    const { paymentId } = route.request().postDataJSON()
    await createClient({ apiKey, baseUrl: apiUrl }).payments.continue({ paymentId })
    await route.continue()
  })
  await button.click()
  const code = page.frameLocator('dialog iframe').frameLocator('dialog iframe').getByRole('textbox')
  await code.fill('1234')
  await pressEnter(code)
  await status.getByText(/: succeeded$/).waitFor()
  expect(await button.isDisabled()).toBe(true)
})

test.each([
  ['whose script is not there', ''],
  ['that the page may not start', "window.Tillwright = { init: async () => { throw new Error('page_insecure') } }"],
])('a form %s is said not to have loaded, and its button leads nowhere', async (_, body) => {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.route('**/v1/tillwright.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
  const failed = page.waitForEvent('pageerror') // to the console, for the shop's developer
  await page.goto(shop.local.shopUrl)
  await failed
  await page.getByRole('button', { name: 'Pay $40.98' }).click({ force: true })
  await page.getByText('The card form did not load. Please reload the page.').waitFor()
  expect(page.url()).toBe(`${shop.local.shopUrl}/`)
})

test.each([
  ['the page', (page: Page) => page.route('**/pay', (route) => route.abort())],
  ['the platform', (page: Page) => page.route('**/pay', (route) => route.fulfill({ status: 502, body: 'null' }))],
] as const)(
  'without an answer for %s nobody is told that the card was not charged, or may pay again',
  async (_, lose) => {
    const { page, button, status } = await enter(CHARGED)
    await lose(page)
    await button.click()
    await status.getByText('It is not known yet whether you have paid.').waitFor()
    expect(await button.isDisabled()).toBe(true)
  },
)
