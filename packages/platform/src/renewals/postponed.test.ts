import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { removeHook, startMerchant } from '../../test/merchant-server.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { renewOnce } from '../../test/renewals/renew-once.ts'
import { subscribe } from '../../test/subscribe.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'

const HOUR_MS = 60 * 60 * 1_000

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const read = (subscriptionId: string) => platform().call(contract.subscriptions.get, { params: { subscriptionId } })
  /** What was told of it since it was sold. */
  const eventsOf = async (id: string) => {
    const sql = `SELECT event_type, properties FROM events WHERE event_type LIKE 's_subscription_%'
      AND event_type <> 's_subscription_created' AND properties LIKE ? ORDER BY id`
    const rows = await platform().services.db.read(sql, [`%${id}%`])
    return rows.map((row) => ({ type: row['event_type'], properties: JSON.parse(String(row['properties'])) }))
  }
  /** Has the period that has just begun be over, as its worker finds it. */
  const endPeriod = async (id: string) => {
    const { currentPeriodEnd } = await read(id)
    platform().clock.advance(Date.parse(currentPeriodEnd) - platform().clock.now())
  }

  test('a renewal that no processor can be asked for is told once, with when it is tried again', async () => {
    const { flow, processorIds } = await newFlow(platform(), 0)
    const { id, customerId } = await subscribe(platform(), { order: { paymentFlowId: flow.id } })
    await platform().call(contract.processors.delete, { body: { processorIds: [...processorIds] } })
    await endPeriod(id)
    await renewOnce(platform())
    await expect.poll(() => eventsOf(id)).toHaveLength(1)
    const { nextPaymentAt } = await read(id)
    expect(await eventsOf(id)).toEqual([
      {
        type: 's_subscription_postponed',
        properties: { subscriptionId: id, status: 'active', reason: 'no_eligible_processor', nextPaymentAt },
      },
    ])
    platform().clock.advance(HOUR_MS)
    await renewOnce(platform())
    await expect.poll(async () => (await read(id)).nextPaymentAt).not.toBe(nextPaymentAt)
    expect(await eventsOf(id)).toHaveLength(1)
    const payments = await platform().call(contract.payments.list, { query: { customerId } })
    expect(payments.data).toHaveLength(1)
  })

  test('a tax that nobody answers is told, and its renewal follows when it is answered', async () => {
    const { id, productId } = await subscribe(platform(), { trialDays: 7 })
    const taxable = { revision: 1, isTaxable: true }
    await platform().call(contract.products.update, { params: { productId }, body: taxable })
    await startMerchant(platform(), { kinds: ['tax'] }, () => ({ status: 500 }))
    await endPeriod(id)
    await renewOnce(platform())
    await expect
      .poll(() => eventsOf(id))
      .toMatchObject([
        { type: 's_subscription_postponed', properties: { status: 'trialing', reason: 'tax_unanswered' } },
      ])
    await removeHook(platform(), 'tax')
    platform().clock.advance(HOUR_MS)
    await renewOnce(platform())
    await expect.poll(async () => (await read(id)).status).toBe('active')
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['s_subscription_postponed', 's_subscription_renewed'])
  })
})
