import { contract, type Subscription } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newInstrument } from '../../test/pay-with-card.ts'
import { renewOnce } from '../../test/renewals/renew-once.ts'
import { pastDue, subscribe } from '../../test/subscribe.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import type { Database } from '../storage/index.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const of = (subscriptionId: string) => ({ params: { subscriptionId } })
  const read = (id: string) => platform().call(contract.subscriptions.get, of(id))
  const cancel = (id: string) =>
    platform().call(contract.subscriptions.cancel, { ...of(id), body: { atPeriodEnd: false } })
  const set = (id: string, columns: string) =>
    platform().services.db.write([{ sql: `UPDATE subscriptions SET ${columns} WHERE id = '${id}'`, params: [] }])
  const paymentsOf = async ({ customerId }: Pick<Subscription, 'customerId'>) =>
    (await platform().call(contract.payments.list, { query: { customerId } })).data.map(({ status }) => status)

  /** One round of a worker, with something that happens before or after it reads the subscription that it has claimed. */
  const renew = ({ before, after }: { before?: () => Promise<unknown>; after?: () => Promise<unknown> }) => {
    const { db } = platform().services
    const reading: Database['read'] = async (sql, params, options) => {
      const isOfClaimed = sql.includes("status <> 'incomplete'")
      if (isOfClaimed) await before?.()
      const rows = await db.read(sql, params, options)
      if (isOfClaimed) await after?.()
      return rows
    }
    const watched = new Proxy(db, { get: (all, name) => (name === 'read' ? reading : Reflect.get(all, name, all)) })
    const services = { ...platform().services, db: watched }
    return renewOnce({ services, apiUrl: platform().apiUrl })
  }

  it('one that is canceled after a worker has claimed it is not charged, and stays canceled', async () => {
    const subscription = await subscribe(platform())
    await set(subscription.id, `due_at = ${platform().clock.now()}`)
    expect(await renew({ before: () => cancel(subscription.id) })).toBe(1)
    expect(await read(subscription.id)).toMatchObject({ status: 'canceled' })
    expect(await paymentsOf(subscription)).toEqual(['succeeded'])
  })

  test('one that another worker has renewed since it was claimed is not charged for the period after that', async () => {
    const subscription = await subscribe(platform())
    const nowMs = platform().clock.now()
    await set(subscription.id, `due_at = ${nowMs}`)
    expect(await renew({ before: () => set(subscription.id, `period = 1, due_at = ${nowMs + 1}`) })).toBe(1)
    expect(await paymentsOf(subscription)).toEqual(['succeeded'])
  })

  test('one that is canceled while a worker passes over its refused card stays canceled', async () => {
    const { id, customerId } = await pastDue(platform(), { dueMs: platform().clock.now() })
    const { id: paymentInstrumentId } = await newInstrument(platform(), { customerId })
    await set(id, `payment_instrument_id = '${paymentInstrumentId}', refused_instrument_id = '${paymentInstrumentId}'`)
    expect(await renew({ after: () => cancel(id) })).toBe(1)
    expect(await read(id)).toMatchObject({ status: 'canceled', nextPaymentAt: null })
  })
})
