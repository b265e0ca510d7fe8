import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { authorise, newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

const platform = sharedPlatform({ env: consoleHost })
const telephone = { width: 390, height: 844 }

test('on a telephone a list is filtered by a store’s name, a time in the reader’s zone, and an amount in a currency as people write it', async () => {
  const { name: storeName } = await platform().call(contract.stores.create, { body: { name: 'Berlin pop-up' } })
  const { id } = await newInstrument(platform())
  await pay(platform(), id)
  const { page, complaints } = await signedIn(platform(), 'support', { timezoneId: 'Europe/Berlin', locale: 'en-GB' })
  await page.setViewportSize(telephone)
  await page.goto(new URL('/console/payments', page.url()).href)
  const rows = page.getByRole('table').getByRole('link')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByText('Filter', { exact: true }).click()
  const apply = page.getByRole('button', { name: 'Apply' })
  const form = (await page.locator('.filter-form').boundingBox()) ?? { x: -1, width: 0 }
  expect(form.x).toBeGreaterThanOrEqual(0)
  expect(form.x + form.width).toBeLessThanOrEqual(telephone.width)
  await page.getByText('In your time zone, Europe/Berlin.').first().waitFor()

  // An amount without its currency would be of nothing.
  await page.getByLabel('Amount from').fill('19.99')
  await apply.click()
  expect(await page.getByLabel('Currency').evaluate((select) => select.matches(':invalid'))).toBe(true)
  const offered = await page.getByLabel('Currency').getByRole('option').allTextContents()
  expect(offered).toContain('EUR')
  expect(offered).not.toContain('ZWL')
  await page.getByLabel('Currency').selectOption('JPY')
  await page.getByText('Enter an amount such as 1999.').waitFor()
  await page.getByLabel('Currency').selectOption('USD')
  await page.getByLabel('Created from').fill('2026-01-02T03:04')
  await apply.click()
  await page.getByText('Amount from: US$19.99').waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY')
  await page.getByText(/Created from: .*2 January 2026 at 03:04:00 CET/).waitFor()
  const sent = () => Object.fromEntries(new URL(page.url()).searchParams)
  expect(sent()).toEqual({ amountFrom: '1999', currency: 'USD', createdFrom: '2026-01-02T02:04:00.000Z' })
  await expect.poll(() => rows.count()).toBe(1)

  await page.getByText('Filter', { exact: true }).click()
  expect(await page.getByLabel('Amount from').inputValue()).toBe('19.99')
  await page.getByLabel('Store').selectOption(storeName)
  await apply.click()
  await page.getByText(`Store: ${storeName}`).waitFor()
  await page.getByText('Nothing fits these filters').waitFor()
  expect(complaints).toEqual([])
})

test('a further page of a list that is refused is asked for once, and again by a button below the rows', async () => {
  const { id } = await newInstrument(platform())
  for (let count = 0; count < 60; count += 1) await pay(platform(), id)
  const { page } = await signedIn(platform())
  let refused = 0
  const further = /\/payments\?(?=.*after=)/
  await page.route(further, (route) => {
    refused += 1
    return route.fulfill({ status: 429, json: { message: 'Wait a little.', error: { code: 'rate_limit_exceeded' } } })
  })
  await page.goto(new URL('/console/payments', page.url()).href)
  await page.getByRole('table').getByRole('link').first().waitFor()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const said = page.getByRole('alert').filter({ hasText: 'Wait a little.' })
  await said.waitFor()
  const bottom = async (of: typeof said) => {
    const { y, height } = (await of.boundingBox()) ?? { y: Infinity, height: 0 }
    return y + height
  }
  const table = page.getByRole('table')
  expect(await bottom(said)).toBeGreaterThan(await bottom(table))
  // What makes the page draw anew asks for nothing.
  await page.keyboard.press('k')
  await page.evaluate(() => scrollBy(0, -200))
  await page.getByRole('button', { name: 'Newest first' }).hover()
  expect(refused).toBe(1)
  await page.unroute(further)
  await said.getByRole('button', { name: 'Try again' }).click()
  await said.waitFor({ state: 'detached' })
  await expect.poll(() => table.getAttribute('aria-rowcount')).not.toBe('-1')
})

test('who goes back from an entry finds a long list where it was left', async () => {
  const { id } = await newInstrument(platform())
  for (let count = 0; count < 60; count += 1) await pay(platform(), id)
  const { page } = await signedIn(platform())
  await page.goto(new URL('/console/payments', page.url()).href)
  await page.getByRole('row', { name: /19.99/ }).first().waitFor()
  await page.evaluate(() => scrollTo(0, 1_200))
  const row = page.locator('tr[aria-rowindex="35"]').getByRole('link')
  const address = await row.getAttribute('href')
  await row.click()
  await page.getByText('Payment requested').waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(1_200)
  await expect.poll(() => row.getAttribute('href')).toBe(address)
  await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).click()
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('who leaves a list while typing in its search stays on the page that was gone to', async () => {
  await authorise(platform())
  const { page } = await signedIn(platform())
  await page.goto(new URL('/console/payments', page.url()).href)
  await page.getByRole('table').getByRole('link').first().waitFor()
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(/\/assets\/orders-.*\.js/, async (route) => {
    asked.resolve()
    await released.promise
    await route.continue()
  })
  await page.clock.install()
  await page.getByRole('searchbox', { name: 'Search' }).fill('ada')
  await page.getByRole('navigation').getByRole('link', { name: 'Orders' }).click()
  await asked.promise
  await page.clock.runFor(1_000)
  released.resolve()
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  await page.clock.runFor(1_000)
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/orders')
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('')
})
