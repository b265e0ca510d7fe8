import { contract, eventTypes, type Operation } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOf } from '../../../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../../../.ci/chromium.ts'
import { sharedPlatform } from '../../../test/test-platform.ts'

const platform = sharedPlatform()
const CREATE = '/api/public/v1/products/create'
let page: Page
const requested: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  const browser = await sharedChromium()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('request', (request) => requested.push(request.url()))
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  // An address of the page as it was before.
  await page.goto(`${platform().apiUrl}/docs#tag/products/POST${CREATE}`)
  await page.getByRole('heading', { name: contract.products.create.summary }).waitFor()
})
afterAll(() => page?.close())

test('an operation has an address, the page loads nothing else, and its policy hinders nothing', async () => {
  expect(page.url()).toBe(`${platform().apiUrl}/docs/products#POST${CREATE}`)
  const paths = requested.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).pathname)
  expect(paths).toEqual(['/docs', '/docs/products'])
  expect(complaints).toEqual([])
})

test('a default and an example can be read without pointing at anything', async () => {
  const field = page.locator('.property', { hasText: 'Whether the product has to be shipped.' }).first()
  const text = (await field.innerText()).replaceAll(/\s+/g, ' ')
  expect(text).toMatch(/^isShippable boolean Whether .* Default false Example true$/)
})

test('every operation and every event is in the contents, and found by the words of its name or its address', async () => {
  const contents = page.getByRole('navigation', { name: 'Contents' })
  const shown = await contents.evaluate((list) => list.textContent ?? '')
  const operations = Object.values(contract).flatMap((group) => Object.values<Operation>(group))
  for (const { summary } of operations) expect(shown).toContain(summary)
  for (const type of Object.keys(eventTypes)) expect(shown).toContain(type)
  await page.keyboard.press('/')
  await page.keyboard.type('refund order_refunded')
  expect(await contents.getByRole('link').allInnerTexts()).toEqual(['s_order_refunded'])
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('simulate-dispute')
  await contents.getByRole('link', { name: contract.disputes.simulate.summary }).click()
  await page.getByRole('heading', { name: contract.disputes.simulate.summary }).waitFor()
  await page.goBack()
  await contents.getByRole('searchbox').fill('')
})

test('the page carries our name and version, and says what it is to those who list it', async () => {
  const header = page.getByRole('banner')
  expect(await header.innerText()).toMatch(/Tillwright\s+API reference\s+\d+\.\d+\.\d+, local/)
  expect(await page.locator('meta[name=description]').getAttribute('content')).toMatch(/\w+ \w+/)
})

test('the samples are for curl and our client', async () => {
  const operation = page.locator(`[id="POST${CREATE}"]`)
  await operation.getByText(`curl ${platform().apiUrl}${CREATE}`).waitFor()
  await operation.getByText('TypeScript', { exact: true }).click()
  await operation.getByText('await tillwright.products.create({').waitFor()
})

test('the errors are found while one types, and by the address', async () => {
  const own = await (await sharedChromium()).newPage()
  await own.goto(`${platform().apiUrl}/docs/errors`)
  await own.getByRole('searchbox').fill('idempotency reused')
  const shown = own.locator('section:visible')
  expect(await shown.count()).toBe(1)
  expect(await shown.innerText()).toContain('idempotency_key_reused')
  expect(new URL(own.url()).searchParams.get('q')).toBe('idempotency reused')
  await own.reload()
  expect(await shown.count()).toBe(1)
  await own.goto(`${platform().apiUrl}/docs/errors?q=token#card_declined`)
  await own.goto(`${platform().apiUrl}/docs/errors#card_declined`)
  expect(await own.locator('#card_declined').isVisible()).toBe(true)
  await own.setViewportSize({ width: 390, height: 844 })
  expect(await own.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await own.close()
})

test('without scripts the errors and the reference are there, too, and the search is a form', async () => {
  const context = await (await sharedChromium()).newContext({ javaScriptEnabled: false })
  const own = await context.newPage()
  await own.goto(`${platform().apiUrl}/docs/errors`)
  await own.getByRole('searchbox').fill('incorrect_cvc')
  await own.getByRole('button', { name: 'Search' }).click()
  expect(await own.locator('section:visible').count()).toBe(1)
  await own.goto(`${platform().apiUrl}/docs/products`)
  await own.getByRole('heading', { name: contract.products.create.summary }).waitFor()
  await context.close()
})

test('on a phone the page fits, can be read by everybody, and its contents lead to what is chosen', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  const contents = page.getByRole('navigation', { name: 'Contents' })
  expect(await contents.isVisible()).toBe(false)
  await page.getByRole('link', { name: 'Contents' }).click()
  await contents.getByText('Stores', { exact: true }).click()
  await contents.getByRole('link', { name: contract.stores.create.summary }).click()
  await page.getByRole('heading', { name: contract.stores.create.summary }).waitFor()
  expect(await contents.isVisible()).toBe(false)
  await page.goto(`${platform().apiUrl}/docs/refundLimits`) // a short one, for axe looks at everything
  expect(await violationsOf(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a payment can be made from the page, with the local key', async () => {
  const { storeId } = platform().local
  const body = { serviceToken: 'tok_visa', storeId }
  const { paymentInstrument } = await platform().call(contract.paymentInstruments.createFromToken, { body })
  const { path } = contract.payments.create
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${platform().apiUrl}/docs/payments#POST${path}`)
  const operation = page.locator(`[id="POST${path}"]`)
  await operation.getByText('Test request').click()
  const order = { storeId, paymentInstrumentId: paymentInstrument.id, currency: 'USD', amount: 4_098 }
  await operation.getByLabel('Body').fill(JSON.stringify(order))
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url().endsWith(path)),
    operation.getByRole('button', { name: 'Send POST' }).click(),
  ])
  expect(response.status()).toBe(201)
  expect(await response.json()).toMatchObject({ status: 'succeeded', amount: 4_098, nextAction: null })
  await operation.getByText('"status": "succeeded"').last().waitFor()
})
