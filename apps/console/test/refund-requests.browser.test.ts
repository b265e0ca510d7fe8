import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { consoleHeaders, placeMember } from '../../../packages/platform/test/console-browser.ts'
import { newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { sharedPlatform, ruleEngines } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('a refund above the limit waits, its requester cannot approve it, and a second person does', async () => {
    const { token } = await placeMember(platform())
    const headers = consoleHeaders(platform(), token)
    const body = { currency: 'USD', amount: 1_000 }
    await platform().request('POST', '/api/payments/v1/refund-limits/set', { key: '', headers, body })
    const payment = await pay(platform(), (await newInstrument(platform())).id)
    const [first, second, reader] = [
      await signedIn(platform(), 'operations'),
      await signedIn(platform(), 'owner'),
      await signedIn(platform(), 'read_only'),
    ]
    await first.page.goto(new URL(`/console/payments/${payment.id}`, first.page.url()).href)
    await first.page.getByRole('button', { name: 'Refund' }).click()
    await first.page.getByRole('button', { name: 'Refund $19.99' }).click()
    await first.page.getByText('it waits for a second person').waitFor()
    await first.page.getByRole('button', { name: 'Close' }).click()
    await first.page.getByRole('link', { name: 'A refund of $19.99 waits for a second person.' }).waitFor()

    for (const { page } of [first, second, reader]) await page.getByRole('link', { name: 'Refund requests' }).click()
    await first.page.getByRole('button', { name: 'Decide' }).click()
    await first.page.getByText('You have requested this refund').waitFor()
    const buttons = first.page.getByRole('dialog').getByRole('button')
    expect(await buttons.allTextContents()).toEqual(['Take it back'])

    await reader.page.getByRole('table').getByRole('link').click()
    await reader.page.getByText('Another member has to approve it').waitFor()
    expect(await reader.page.getByRole('button', { name: /Approve|Decline|Take it back/ }).count()).toBe(0)

    await second.page.getByRole('button', { name: 'Decide' }).click()
    await second.page.getByRole('button', { name: 'Approve $19.99' }).click()
    await second.page.getByRole('cell', { name: 'Approved' }).waitFor()
    const { refunds } = await platform().call(contract.payments.get, { params: { paymentId: payment.id } })
    expect(refunds).toMatchObject([{ amount: 1_999, status: 'succeeded' }])
    expect([first, second, reader].flatMap(({ complaints }) => complaints)).toEqual([])
  })
})
