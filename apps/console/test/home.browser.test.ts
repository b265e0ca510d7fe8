import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { authorise, newInstrument, pay, requestPayment } from '../../../packages/platform/test/pay-with-card.ts'
import { sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const platform = sharedPlatform({ env: consoleHost })

test('the first page shows the day in numbers, each of which leads to the list behind it', async () => {
  const { id } = await newInstrument(platform())
  await pay(platform(), id)
  platform().clock.advance(DAY_MS)
  await pay(platform(), id)
  await pay(platform(), id)
  await requestPayment(platform(), { paymentInstrumentId: id, currency: 'EUR', amount: 500 })
  const empty = await newInstrument(platform(), { number: '4000000000009995' })
  await requestPayment(platform(), { paymentInstrumentId: empty.id })
  const { page, context, complaints } = await signedIn(platform())
  await page.clock.setFixedTime(platform().clock.now())
  await page.goto(page.url())
  const figure = (title: string) => page.locator('.figure', { hasText: title })
  const rows = page.getByRole('table').getByRole('link')
  const drawn = (name: string) => page.getByRole('img', { name }).locator('canvas').waitFor()
  await figure('Volume today').getByRole('link', { name: '$39.98' }).waitFor()
  await drawn('Volume by hour, added up: $39.98. $0.00 a week ago')
  await page.getByLabel('Currency').selectOption('EUR')
  await drawn('Volume by hour, added up: €5.00. €0.00 a week ago')
  await figure('Success rate').getByText('75%').waitFor()

  await figure('Volume today').getByRole('link', { name: '$39.98' }).click()
  await expect.poll(() => rows.count()).toBe(2)
  expect(new URL(page.url()).searchParams.get('captured')).toBe('true')
  await page.goBack()
  await figure('Volume today').getByRole('link', { name: '€5.00' }).click()
  await expect.poll(() => rows.allTextContents()).toEqual(['€5.00'])
  await page.goBack()
  // Without yesterday’s, and with the one that was declined.
  await figure('Payments today').getByRole('link', { name: '4', exact: true }).click()
  await expect.poll(() => rows.count()).toBe(4)
  expect(complaints).toEqual([])
  await context.close()
})

test('the success rate leads to all that it is made of: payments that failed at their processor are not among those declined', async () => {
  platform().clock.advance(DAY_MS)
  const { id } = await newInstrument(platform())
  await pay(platform(), id)
  const empty = await newInstrument(platform(), { number: '4000000000009995' })
  await requestPayment(platform(), { paymentInstrumentId: empty.id, amount: 100 })
  const headers = { 'Tillwright-Fault': 'processor=outage' }
  const failed = await requestPayment(platform(), { paymentInstrumentId: id, amount: 200 }, { headers })
  expect(failed.error.code).toBe('processing_error')
  const { page, context, complaints } = await signedIn(platform())
  await page.clock.setFixedTime(platform().clock.now())
  await page.goto(page.url())
  const rate = page.locator('.figure', { hasText: 'Success rate' })
  const rows = page.getByRole('table').getByRole('link')
  for (const [name, amounts] of [
    ['33.3%', ['$1.00', '$19.99', '$2.00']],
    ['Declined', ['$1.00']],
    ['Failed', ['$2.00']],
  ] as const) {
    await rate.getByRole('link', { name }).click()
    await expect.poll(async () => (await rows.allTextContents()).toSorted()).toEqual(amounts) // all of one moment
    await page.goBack()
  }
  expect(complaints).toEqual([])
  await context.close()
})

test('a time of another year has its hour too, and is whole beside its status on a telephone', async () => {
  const { id } = await newInstrument(platform())
  await pay(platform(), id)
  const { page, context } = await signedIn(platform(), 'owner', { locale: 'en-US' })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.clock.setFixedTime(platform().clock.now() + 366 * DAY_MS)
  await page.goto(page.url())
  const latest = page.locator('.latest li', { has: page.locator('time') }).first()
  expect(await latest.locator('time').textContent()).toMatch(/^\w{3} \d+, \d{4}, \d+:\d\d\s[AP]M$/)
  const [status, time] = [await latest.locator('.badge').boundingBox(), await latest.locator('time').boundingBox()]
  expect((status?.x ?? 0) + (status?.width ?? 0)).toBeLessThanOrEqual(time?.x ?? 0)
  expect((time?.x ?? 0) + (time?.width ?? 0)).toBeLessThanOrEqual(360)
  await context.close()
})

test('a page whose files are away, as after an upgrade, says so under its own address, and loads when the window does', async () => {
  const { page, context } = await signedIn(platform())
  const scripts = /\/console\/assets\/customers-/
  await page.route(scripts, (route) => route.fulfill({ status: 404, body: '' }))
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click()
  await menu('Customers')
  await heading('This page could not be loaded').waitFor()
  await menu('Orders')
  await heading('Orders').waitFor()
  await menu('Customers')
  await heading('This page could not be loaded').waitFor()
  await page.unroute(scripts)
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading('Customers').waitFor()
  await context.close()
})

test('while the files of a page come, the page before it can no longer be used', async () => {
  const { page, context } = await signedIn(platform())
  const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click()
  await menu('Orders')
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  const held = Promise.withResolvers<void>()
  await page.route(/\/console\/assets\/customers-/, async (route) => {
    await held.promise
    await route.continue()
  })
  await menu('Customers')
  const main = page.getByRole('main')
  await page.locator('main[aria-busy="true"]').waitFor()
  expect(await main.evaluate((element) => getComputedStyle(element).pointerEvents)).toBe('none')
  held.resolve()
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  expect(await main.getAttribute('aria-busy')).toBe('false')
  await context.close()
})

test('volumes name their currencies, and lead to all that was captured, also what was refunded since', async () => {
  const { call } = platform()
  platform().clock.advance(DAY_MS)
  const { id } = await newInstrument(platform())
  const [refunded, partly] = [await pay(platform(), id), await pay(platform(), id)]
  await call(contract.payments.refund, { params: { paymentId: refunded.id }, body: {} })
  await call(contract.payments.refund, { params: { paymentId: partly.id }, body: { amount: 100 } })
  await pay(platform(), id)
  await requestPayment(platform(), { paymentInstrumentId: id, currency: 'CAD', amount: 1_999 })
  await authorise(platform())
  // Where midnight is within an hour of UTC.
  const { page } = await signedIn(platform(), 'owner', { locale: 'en-US', timezoneId: 'Asia/Kolkata' })
  await page.clock.setFixedTime(platform().clock.now())
  await page.goto(page.url())
  const volume = page.locator('.figure', { hasText: 'Volume today' })
  const rows = page.getByRole('table').getByRole('link')
  await volume.getByRole('link', { name: 'CA$19.99' }).waitFor()
  await volume.getByRole('link', { name: /^\$59\.97/ }).click()
  await expect.poll(() => rows.allTextContents()).toEqual(['$19.99', '$19.99', '$19.99'])
  await page.getByText('Captured: Yes').waitFor()
  const hour = 3_600_000
  const [from] = [Date.parse(new URL(page.url()).searchParams.get('createdFrom') ?? '')]
  expect(from % hour).toBe(0)
})

test('the first page goes on with the hours of the day, and begins anew after midnight', async () => {
  const { id } = await newInstrument(platform())
  const { clock } = platform()
  clock.advance(DAY_MS - (clock.now() % DAY_MS) + DAY_MS - 90 * 60_000) // 22:30
  await pay(platform(), id)
  const { page } = await signedIn(platform(), 'owner', { timezoneId: 'UTC' })
  await page.clock.install({ time: clock.now() })
  await page.goto(page.url())
  const payments = page.locator('.figure', { hasText: 'Payments today' }).getByRole('link')
  await expect.poll(() => payments.textContent()).toBe('1')
  clock.advance(60 * 60_000)
  await pay(platform(), id)
  await page.clock.fastForward(60 * 60_000)
  await expect.poll(() => payments.textContent()).toBe('2')
  clock.advance(60 * 60_000)
  await pay(platform(), id)
  await page.clock.fastForward(60 * 60_000)
  await expect.poll(() => payments.textContent()).toBe('1')
})

test('to a member who may read no processors, the first page leads to none, and it fits a telephone', async () => {
  const { id } = await newInstrument(platform())
  await pay(platform(), id)
  const { page, complaints } = await signedIn(platform(), 'support')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.clock.setFixedTime(platform().clock.now())
  await page.goto(page.url())
  await page
    .getByText(/^processor_/)
    .first()
    .waitFor()
  expect(await page.getByRole('link', { name: /processor_/ }).count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(complaints).toEqual([])
})
