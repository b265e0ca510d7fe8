import { expect, test } from 'vitest'
import { newInstrument, pay, requestPayment } from '../../../packages/platform/test/pay-with-card.ts'
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
  expect(new URL(page.url()).searchParams.get('status')).toBe('succeeded')
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
