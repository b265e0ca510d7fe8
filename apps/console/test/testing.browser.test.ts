import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument } from '../../../packages/platform/test/pay-with-card.ts'
import { ruleEngines, sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('a payment, a dispute and a subscription are made in a click each, and the test clock renews a subscription in front of its reader', async () => {
    const { clock, call } = platform()
    const { page, complaints } = await signedIn(platform(), 'owner')
    const make = async (what: string) => {
      await page.getByRole('link', { name: 'Scenarios' }).click()
      await page.getByRole('button', { name: what }).click()
      await page.getByRole('dialog').getByLabel('Amount in').fill('12.50')
      await page.getByRole('dialog').getByRole('button', { name: what }).click()
    }
    await make('Test payment')
    await page.waitForURL(/\/payments\/pay_/)
    await make('Test dispute')
    await page.waitForURL(/\/disputes\/dispute_/)
    await make('Test subscription')
    await page.waitForURL(/\/subscriptions\/sub_/)
    const subscriptionId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const { currentPeriodEnd } = await call(contract.subscriptions.get, { params: { subscriptionId } })

    await page.getByRole('link', { name: 'Test clock' }).click()
    await page.getByRole('button', { name: 'To the next renewal' }).click()
    await page.getByText('The clock cannot be set back.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Advance the clock' }).click()
    await page.getByText(/^(30|31) days$/).waitFor()
    const renewed = page.getByRole('table').getByText('s_subscription_renewed')
    const isThere = () => {
      clock.advance(1_000)
      return renewed.count()
    }
    await expect.poll(isThere, { timeout: 10_000 }).toBe(1)
    const after = await call(contract.subscriptions.get, { params: { subscriptionId } })
    expect(after.currentPeriodStart).toBe(currentPeriodEnd)
    expect(complaints).toEqual([])
  })

  test('a developer is offered the clock and the scenarios, and no payments', async () => {
    const { storeId } = platform().local
    const { id } = await newInstrument(platform())
    const { page, complaints } = await signedIn(platform(), 'developer')
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await page.getByText('insufficient_funds').waitFor()
    const example = page.locator('.call pre').first()
    await expect.poll(() => example.textContent()).toContain(`"storeId":"${storeId}","paymentInstrumentId":"${id}"`)
    expect(await page.getByRole('button', { name: 'Test payment' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Test clock' }).click()
    await page.getByRole('button', { name: 'Advance 1 day' }).waitFor()
    expect(complaints).toEqual([])
  })
})
