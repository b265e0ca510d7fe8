import { contract, type Event } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newInstrument } from '../../test/pay-with-card.ts'
import { pastDue, subscribe, subscriptionCalls } from '../../test/subscribe.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { emitterAt } from '../events/index.ts'
import { withoutErrors } from '../ledger/index.ts'
import { DAY_MS } from './periods.ts'
import { findSubscription } from './records.ts'
import { cancelAtEnd } from './subscriptions.ts'

const weekly = { billingTiming: 'in_arrears', interval: 'week' } as const

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const { of, read, update, refusal, until, days } = subscriptionCalls(platform)
  const cancel = (id: string, body = {}) => platform().call(contract.subscriptions.cancel, { ...of(id), body })
  const told = async (subscriptionId: string): Promise<Event['properties'][]> => {
    const rows = await platform().services.db.read(
      `SELECT properties FROM events WHERE event_type = 's_subscription_updated' AND properties LIKE ? ORDER BY id`,
      [`%${subscriptionId}%`],
    )
    return rows.map((row) => JSON.parse(String(row['properties'])))
  }

  it('a cancellation that is taken back leaves the subscription as it was, and the next period is charged', async () => {
    const before = await subscribe(platform())
    await cancel(before.id)
    expect(await read(before.id)).toMatchObject({ cancelAtPeriodEnd: true, nextPaymentAmount: 0 })
    platform().clock.advance(1)
    const after = await update(before.id, { cancelAtPeriodEnd: false })
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt })
    expect(await read(before.id)).toEqual(after)
    expect(after.updatedAt > before.updatedAt).toBe(true)
    const changed = { subscriptionId: before.id, status: 'active', changed: ['cancelAtPeriodEnd'] }
    expect(await told(before.id)).toEqual([changed, changed])
    days(31)
    await until(before.id, { status: 'active', currentPeriodStart: before.currentPeriodEnd })
  })

  test('the audit log says who has taken a cancellation back', async () => {
    const { id } = await subscribe(platform())
    await cancel(id)
    await update(id, { cancelAtPeriodEnd: false })
    const query = { resourceId: id, operation: 'subscriptions.update' }
    const { data } = await platform().call(contract.audit.list, { query }, platform().local.adminApiKey)
    const changes = { before: { cancelAtPeriodEnd: true }, after: { cancelAtPeriodEnd: false } }
    expect(data).toMatchObject([{ actor: { kind: 'key' }, changes }])
  })

  test('what ends with its period in trial, in a pause and in arrears goes on as well', async () => {
    const [trial, paused, owing] = [
      await subscribe(platform(), { trialDays: 7 }),
      await subscribe(platform()),
      await subscribe(platform(), { price: weekly }),
    ]
    for (const { id } of [trial, paused, owing]) await cancel(id)
    await platform().call(contract.subscriptions.pause, of(paused.id))
    for (const { id } of [trial, paused, owing]) {
      expect(await update(id, { cancelAtPeriodEnd: false })).toMatchObject({ cancelAtPeriodEnd: false })
    }
    await platform().call(contract.subscriptions.resume, of(paused.id))
    expect(await read(paused.id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false })
    days(7)
    await until(trial.id, { status: 'active', currentPeriodStart: trial.currentPeriodEnd })
    await until(owing.id, { status: 'active', currentPeriodStart: owing.currentPeriodEnd })
  })

  test('card and cancellation change in one request, each alone, and what is so already changes nothing', async () => {
    const before = await subscribe(platform())
    expect(await update(before.id, { cancelAtPeriodEnd: false })).toEqual(before)
    expect(await told(before.id)).toEqual([])
    const { id: paymentInstrumentId } = await newInstrument(platform(), { customerId: before.customerId })
    await cancel(before.id)
    platform().clock.advance(1)
    const both = await update(before.id, { paymentInstrumentId, cancelAtPeriodEnd: false })
    expect(both).toMatchObject({ paymentInstrumentId, cancelAtPeriodEnd: false })
    expect(await told(before.id)).toMatchObject([
      { changed: ['cancelAtPeriodEnd'] },
      { changed: ['paymentInstrumentId', 'cancelAtPeriodEnd'] },
    ])
    await cancel(before.id)
    const card = await update(before.id, { paymentInstrumentId: before.paymentInstrumentId })
    expect(card).toMatchObject({ paymentInstrumentId: before.paymentInstrumentId, cancelAtPeriodEnd: true })
  })

  test('an update ends nothing, has to say something, and wakes nothing that has ended', async () => {
    const { id } = await subscribe(platform())
    expect(await refusal(id, { cancelAtPeriodEnd: true })).toEqual([400, 'parameter_invalid', 'cancelAtPeriodEnd'])
    expect((await refusal(id, {})).slice(0, 1)).toEqual([400])
    expect(await read(id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false })
    await cancel(id, { atPeriodEnd: false })
    expect(await refusal(id, { cancelAtPeriodEnd: false })).toEqual([409, 'state_conflict', undefined])
  })

  it('a worker that has read the cancellation before it was taken back ends nothing', async () => {
    const { services } = platform()
    const { id, accountId } = await subscribe(platform())
    await cancel(id)
    const seen = await findSubscription(id, accountId, services.db)
    await update(id, { cancelAtPeriodEnd: false })
    if (seen === null) throw new Error('The subscription is there.')
    const end = withoutErrors(cancelAtEnd(seen, emitterAt(accountId, services)))
    expect(await services.db.write(end)).toMatchObject({ outcome: 'refused' })
    expect(await read(id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: false })
  })

  test('the last period of one in arrears is owed also when it is cancelled after its end', async () => {
    const dueMs = platform().clock.now() + 30 * DAY_MS
    const { id } = await pastDue(platform(), { price: weekly, dueMs })
    days(8)
    expect(await cancel(id)).toMatchObject({ status: 'past_due', cancelAtPeriodEnd: true, nextPaymentAmount: 1_500 })
    const paid = await platform().call(contract.subscriptions.retry, of(id))
    expect(paid).toMatchObject({ status: 'succeeded', amount: 1_500, subscriptions: [{ occasion: 'last' }] })
    expect(await read(id)).toMatchObject({ status: 'canceled' })
  })

  test('one in advance whose period is over ends at once: the next period has not begun', async () => {
    const { id } = await pastDue(platform(), { dueMs: platform().clock.now() + 60 * DAY_MS })
    days(32)
    expect(await cancel(id)).toMatchObject({ status: 'canceled' })
  })
})
