import { contract, eventTypes, type Operation } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { sharedPlatform } from '../../test/test-platform.ts'

const platform = sharedPlatform()
let page: Page
const requested: string[] = []
const complaints: string[] = []

beforeAll(async () => {
  const browser = await sharedChromium()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('request', (request) => requested.push(request.url()))
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${platform().apiUrl}/docs#tag/products/POST/api/public/v1/products/create`)
  await page.getByRole('heading', { name: contract.products.create.summary }).waitFor()
})
afterAll(() => page?.close())

test('the reference page sends requests to the platform alone, and its policy hinders nothing', () => {
  const others = requested.filter((url) => !url.startsWith(`${platform().apiUrl}/`) && !url.startsWith('data:'))
  expect(others).toEqual([])
  expect(requested).toContain(`${platform().apiUrl}/openapi.json`)
  expect(complaints).toEqual([])
})

test('a default and an example can be read without pointing at anything', async () => {
  const field = page.locator('.property', { hasText: 'Whether the product has to be shipped.' }).first()
  const text = (await field.innerText()).replaceAll(/\s+/g, ' ')
  expect(text).toContain('isShippable Type: boolean Default false Example true')
})

test('every operation and every event can be found in the reference page', async () => {
  const sidebar = page.getByRole('complementary').first()
  // One look at the page for all of it: there are dozens.
  await sidebar.evaluate((list) => {
    for (const closed of list.querySelectorAll('[aria-expanded="false"]'))
      (closed as unknown as { click(): void }).click()
  })
  await sidebar.getByText('s_order_paid').waitFor()
  const shown = await sidebar.innerText()
  const operations = Object.values(contract).flatMap((group) => Object.values<Operation>(group))
  for (const { summary } of operations) expect(shown).toContain(summary)
  for (const type of Object.keys(eventTypes)) expect(shown).toContain(type)
})

test('the page carries our name and version, and no other name', async () => {
  const header = page.locator('header.own')
  expect(await header.innerText()).toMatch(/Tillwright\s+API reference\s+\d+\.\d+\.\d+, local/)
  expect(await page.evaluate('document.body.innerText')).not.toMatch(/scalar/i)
})

test('the samples are for curl and our client, the only ones that exist', async () => {
  const sample = page.locator('.scalar-card', { hasText: `curl ${platform().apiUrl}/api/public/v1/products/create` })
  await sample.getByRole('button', { name: 'curl' }).click()
  const offered = await page.getByRole('option').allInnerTexts()
  expect(offered.map((each) => each.trim())).toEqual(['curl', 'TypeScript'])
  await page.getByRole('option', { name: 'TypeScript' }).click()
  await page.locator('.scalar-card', { hasText: 'await tillwright.products.create({' }).waitFor()
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

test('without scripts the errors are there, too, and the search is a form', async () => {
  const context = await (await sharedChromium()).newContext({ javaScriptEnabled: false })
  const own = await context.newPage()
  await own.goto(`${platform().apiUrl}/docs/errors`)
  await own.getByRole('searchbox').fill('incorrect_cvc')
  await own.getByRole('button', { name: 'Search' }).click()
  expect(await own.locator('section:visible').count()).toBe(1)
  await context.close()
})

test('the reference page fits a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})

// The last one: the page is heavy to load, and behind it a window lies over this one.
test('a payment can be made from the page, with the local key', async () => {
  const { storeId } = platform().local
  const body = { serviceToken: 'tok_visa', storeId }
  const { paymentInstrument } = await platform().call(contract.paymentInstruments.createFromToken, { body })
  const { path } = contract.payments.create
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${platform().apiUrl}/docs#tag/payments/POST${path}`)
  await page.getByRole('button', { name: new RegExp(`test request\\s*\\(post ${path}\\)`, 'i') }).click()
  await page.locator('.cm-content', { hasText: 'storeId' }).last().click()
  await page.keyboard.press('ControlOrMeta+a')
  const order = { storeId, paymentInstrumentId: paymentInstrument.id, currency: 'USD', amount: 4_098 }
  await page.keyboard.insertText(JSON.stringify(order))
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.url().endsWith(path)),
    page.getByRole('button', { name: /^Send/ }).first().click(),
  ])
  expect(response.status()).toBe(201)
  expect(await response.json()).toMatchObject({ status: 'succeeded', amount: 4_098, nextAction: null })
})
