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

test('the reference page asks nobody but the platform, and its policy hinders nothing', () => {
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

test('the reference page fits a phone', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})
