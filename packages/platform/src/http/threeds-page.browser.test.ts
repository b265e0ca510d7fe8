import { createServer } from 'node:http'
import { contract } from '@tillwright/contract'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { SHOP_URL, sharedPlatform } from '../testing/test-platform.ts'
import { CHALLENGE_CARD, newWaitingPayment, type WaitingPayment } from '../testing/threeds-payment.ts'
import { commit } from './commit.ts'

const platform = sharedPlatform()
let browser: Browser
beforeAll(async () => {
  browser = await sharedChromium()
})

test.for([
  ['4242424242424242', 'authenticated', 200],
  ['4000000000002719', 'attempted', 200],
  ['4000000000002925', 'failed', 402],
  ['4000000000002313', 'unavailable', 402],
  ['4000000000002537', 'rejected', 402],
] as const)(
  'the card %s is %s without the buyer, and the payment goes on with %i',
  async ([number, outcome, status]) => {
    const waiting = await newWaitingPayment(platform(), { number })
    const page = await openShop()
    await authenticate(page, waiting)
    expect(await end(page)).toMatchObject({ outcome })
    expect(await statusOfContinuing(waiting)).toBe(status)
  },
)

test.for([
  ['1234', 'authenticated', 200],
  ['1111', 'failed', 402],
  ['2222', 'rejected', 402],
  ['7777', 'attempted', 200],
] as const)('a buyer who types %s is %s, and the payment goes on with %i', async ([code, outcome, status]) => {
  const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
  const page = await openShop()
  await authenticate(page, waiting)
  await typeCode(page, code)
  expect(await end(page)).toMatchObject({ outcome })
  expect(await statusOfContinuing(waiting)).toBe(status)
})

test.for([
  ['Esc', (page: Page) => page.keyboard.press('Escape')],
  ['the button', (page: Page) => frameOf(page).getByRole('button', { name: 'Cancel' }).click()],
] as const)('%s ends the session at the vault, and the card is not charged', async ([, cancel]) => {
  const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
  const page = await openShop()
  await authenticate(page, waiting)
  await bankOf(page).getByRole('textbox').waitFor()
  await cancel(page)
  expect(await end(page)).toMatchObject({ outcome: 'cancelled' })
  expect(await statusOfContinuing(waiting)).toBe(402)
})

test('a challenge that nobody answers in time is timed out, and its page closes by itself', async () => {
  const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
  const page = await openShop()
  await authenticate(page, waiting)
  await bankOf(page).getByRole('textbox').waitFor()
  platform().clock.advance(31 * 60_000)
  expect(await end(page)).toMatchObject({ outcome: 'timed_out' })
  expect(await page.locator('dialog').count()).toBe(0)
})

test('a page that is loaded anew, and a second tab, show the same challenge and end alike', async () => {
  const waiting = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
  const page = await openShop()
  await authenticate(page, waiting)
  await bankOf(page).getByRole('textbox').waitFor()
  await page.reload()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await Promise.all([authenticate(page, waiting), authenticate(other, waiting)])
  await bankOf(other).getByRole('textbox').waitFor()
  await typeCode(page, '1234')
  expect(await end(page)).toMatchObject({ outcome: 'authenticated' })
  expect(await end(other)).toMatchObject({ outcome: 'authenticated' })
  expect(await statusOfContinuing(waiting)).toBe(200)
})

test('no page but those of the key may hold the frame', async () => {
  const page = await openShop()
  await allow('https://other.example')
  await authenticate(page, await newWaitingPayment(platform()))
  expect(await end(page)).toMatchObject({ code: 'frame_unavailable' })
})

/** Opens a shop under the strictest policy that lets the checkout in; any complaint of the browser fails the test. */
async function openShop(): Promise<Page> {
  const { vaultUrl } = platform()
  const csp = `default-src 'none'; script-src ${vaultUrl}; frame-src ${vaultUrl}; require-trusted-types-for 'script'; trusted-types 'none'`
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': csp })
    response.end(`<!doctype html><title>Shop</title><script src="${vaultUrl}/v1/tillwright.js"></script>`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The shop listens on a port.')
  const origin = `http://127.0.0.1:${address.port}`
  await allow(origin)
  const context = await browser.newContext()
  onTestFinished(async () => {
    await context.close()
    server.closeAllConnections()
    server.close()
  })
  const page = await context.newPage()
  await page.goto(origin)
  return page
}

/** Allows an origin beside the one that the test platform's own cards are typed at, and no other. */
async function allow(origin: string): Promise<void> {
  const { local, parts } = platform()
  const sql = "UPDATE api_keys SET allowed_origins = ? WHERE account_id = ? AND kind = 'publishable'"
  await commit([{ sql, params: [JSON.stringify([SHOP_URL, origin]), local.accountId] }], parts)
}

/** Starts an authentication as the shop's page does, and leaves it running. */
async function authenticate(page: Page, { actionToken }: WaitingPayment): Promise<void> {
  await page.evaluate(`(async () => {
    const checkout = await window.Tillwright.init({ publishableKey: '${platform().local.publishableKey}' })
    window.authentication = checkout.authenticate('${actionToken}').catch(({ code, message }) => ({ code, message }))
  })()`)
}

function end(page: Page): Promise<unknown> {
  return page.evaluate('window.authentication')
}

function frameOf(page: Page): FrameLocator {
  return page.frameLocator('dialog iframe')
}

function bankOf(page: Page): FrameLocator {
  return frameOf(page).frameLocator('dialog iframe')
}

async function typeCode(page: Page, code: string): Promise<void> {
  await bankOf(page).getByRole('textbox').fill(code)
  await page.keyboard.press('Enter')
}

/** What the shop's server is answered when it continues the payment. */
async function statusOfContinuing({ payment }: WaitingPayment): Promise<number> {
  const path = contract.payments.continue.path.replace('{paymentId}', payment.id)
  return (await platform().request('POST', path)).status
}
