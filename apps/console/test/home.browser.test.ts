import { expect, test } from 'vitest'
import { newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

const platform = sharedPlatform({ env: consoleHost })

test('the first page shows the day in numbers, each of which leads to the list behind it', async () => {
  const { id } = await newInstrument(platform())
  await pay(platform(), id)
  await pay(platform(), id)
  const { page, context, complaints } = await signedIn(platform())
  await page.clock.setFixedTime(platform().clock.now())
  await page.goto(page.url())
  const volume = page.locator('.figure', { hasText: 'Volume today' })
  await volume.getByRole('link', { name: '$39.98' }).waitFor()
  await page
    .getByRole('img', { name: 'Volume by hour, added up: $39.98. $0.00 a week ago' })
    .locator('canvas')
    .waitFor()
  await page.getByText('100%').first().waitFor()
  await volume.getByRole('link').click()
  await expect.poll(() => page.getByRole('table').getByRole('link').count()).toBe(2)
  expect(new URL(page.url()).searchParams.get('status')).toBe('succeeded')
  expect(complaints).toEqual([])
  await context.close()
})
