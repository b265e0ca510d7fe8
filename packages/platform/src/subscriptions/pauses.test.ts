import { bankSimulator } from '@tillwright/bank-simulator'
import { contract, type Subscription } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newInstrument } from '../../test/pay-with-card.ts'
import { type Subscribing, subscribe } from '../../test/subscribe.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { testCodes } from '../../test/vault/test-codes.ts'
import { openDrivers } from '../processors/open-drivers.ts'
import { processorRegistry } from '../processors/registry.ts'
import { simulatorOf } from '../processors/simulator.ts'
import { renewDue } from '../renewals/renewals.ts'
import { circuitBreaker } from '../routing/circuit-breaker.ts'
import { DAY_MS } from './periods.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const of = (subscriptionId: string) => ({ params: { subscriptionId } })
  const read = (id: string) => platform().call(contract.subscriptions.get, of(id))
  const pause = (id: string) => platform().call(contract.subscriptions.pause, of(id))
  const resume = (id: string) => platform().call(contract.subscriptions.resume, of(id))
  const refusal = async (id: string, verb: string) => {
    const { status, error } = await platform().request('POST', `/api/payments/v1/subscriptions/${id}/${verb}`)
    return [status, error.code]
  }
  const days = (count: number) => platform().clock.advance(count * DAY_MS)
  const later = (time: string, dayCount: number) => new Date(Date.parse(time) + dayCount * DAY_MS).toISOString()
  const paymentsOf = async ({ customerId }: Pick<Subscription, 'customerId'>) => {
    const { data } = await platform().call(contract.payments.list, { query: { customerId } })
    return data.map(({ status }) => status)
  }
  const until = (id: string, wanted: Partial<Subscription>) =>
    expect
      .poll(async () => (platform().clock.advance(5_001), await read(id)), { timeout: 60_000 })
      .toMatchObject(wanted)
  /** One round of the worker of this or of another process. */
  const renewAll = async () => {
    const { services } = platform()
    const charging = {
      services,
      driverOf: openDrivers(services, processorRegistry('local', [simulatorOf(bankSimulator)])),
      codes: testCodes(services),
      circuit: circuitBreaker(services.clock),
      apiUrl: platform().apiUrl,
    }
    while ((await renewDue(charging)) > 0);
  }

  test('time stands still while a subscription is paused: the rest of its period is kept, and nothing is charged', async () => {
    const subscription = await subscribe(platform())
    const { id, currentPeriodStart, currentPeriodEnd } = subscription
    days(10)
    const pausedAt = new Date(platform().clock.now()).toISOString()
    expect(await pause(id)).toMatchObject({ status: 'paused', pausedAt, nextPaymentAt: null, currentPeriodEnd })
    expect(await refusal(id, 'pause')).toEqual([409, 'state_conflict'])
    days(60)
    await renewAll()
    expect(await paymentsOf(subscription)).toEqual(['succeeded'])
    const resumed = await resume(id)
    const end = later(currentPeriodEnd, 60)
    expect(resumed).toMatchObject({ status: 'active', pausedAt: null, nextPaymentAt: end })
    expect(resumed).toMatchObject({ currentPeriodStart, currentPeriodEnd: end })
    expect(await read(id)).toEqual(resumed)
    expect(await refusal(id, 'resume')).toEqual([409, 'state_conflict'])
    await renewAll()
    expect(await paymentsOf(subscription)).toEqual(['succeeded'])
    days(21)
    await until(id, { status: 'active', currentPeriodStart: end })
    expect(await paymentsOf(subscription)).toEqual(['succeeded', 'succeeded'])
    const rows = await platform().services.db.read(
      `SELECT event_type, properties FROM events WHERE event_type LIKE 's_subscription_%' AND properties LIKE ? ORDER BY id`,
      [`%${id}%`],
    )
    expect(rows.map((row) => row['event_type'])).toEqual([
      's_subscription_created',
      's_subscription_paused',
      's_subscription_resumed',
      's_subscription_renewed',
    ])
    expect(JSON.parse(String(rows[1]?.['properties']))).toMatchObject({ status: 'paused', pausedAt })
    expect(JSON.parse(String(rows[2]?.['properties']))).toMatchObject({ status: 'active', nextPaymentAt: end })
  })

  test('a trial is as long as before without its pauses, and a declined renewal is tried again as late as before', async () => {
    const trial = await subscribe(platform(), { trialDays: 14 })
    for (const pausedDays of [3, 4]) {
      await pause(trial.id)
      days(pausedDays)
      await resume(trial.id)
    }
    expect(await read(trial.id)).toMatchObject({
      status: 'trialing',
      currentPeriodEnd: later(trial.currentPeriodEnd, 7),
    })
    const { id, customerId } = await subscribe(platform())
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number: '4000000000009995', customerId })
    await platform().call(contract.subscriptions.update, { ...of(id), body: { paymentInstrumentId } })
    days(32)
    await until(id, { status: 'past_due' })
    const { nextPaymentAt } = await read(id)
    await pause(id)
    days(30)
    await renewAll()
    expect(await resume(id)).toMatchObject({ status: 'past_due', nextPaymentAt: later(nextPaymentAt ?? '', 30) })
  })

  test('a paused subscription is canceled at once, and charged to another card when it goes on', async () => {
    const { id, customerId } = await subscribe(platform())
    await pause(id)
    const { id: paymentInstrumentId } = await newInstrument(platform(), { customerId })
    const update = { ...of(id), body: { paymentInstrumentId } }
    expect(await platform().call(contract.subscriptions.update, update)).toMatchObject({ status: 'paused' })
    expect(await resume(id)).toMatchObject({ status: 'active', paymentInstrumentId })
    await pause(id)
    const canceled = await platform().call(contract.subscriptions.cancel, { ...of(id), body: {} })
    expect(canceled).toMatchObject({ status: 'canceled', pausedAt: null })
    expect(await read(id)).toEqual(canceled)
    expect(await refusal(id, 'resume')).toEqual([409, 'state_conflict'])
    expect(await refusal(id, 'pause')).toEqual([409, 'state_conflict'])
  })

  test('usage of before a pause is reported during it, and none of the pause itself', async () => {
    const metered: Subscribing = { price: { billingTiming: 'usage' } }
    const { id } = await subscribe(platform(), metered)
    const occurredAt = new Date(platform().clock.now()).toISOString()
    days(1)
    await pause(id)
    days(1)
    const report = (body: object) =>
      platform().request('POST', `/api/payments/v1/subscriptions/${id}/usage-records`, { body })
    expect((await report({ quantity: 2, occurredAt })).status).toBe(201)
    expect((await report({ quantity: 2 })).error).toMatchObject({ code: 'state_conflict' })
    expect(await resume(id)).toMatchObject({ usageQuantity: 2 })
  })

  it('of a pause and a renewal that come together one wins: no charge of a paused subscription, no pause of a charged one', async () => {
    const subscriptions = await Promise.all(Array.from({ length: 12 }, () => subscribe(platform())))
    platform().clock.advance(32 * DAY_MS)
    const pausing = subscriptions.map(({ id }) =>
      platform().request('POST', `/api/payments/v1/subscriptions/${id}/pause`, {
        headers: { 'Idempotency-Key': `pause-${id}` },
      }),
    )
    const [answers] = await Promise.all([Promise.all(pausing), renewAll(), renewAll()])
    for (const [at, subscription] of subscriptions.entries()) {
      const isPaused = answers[at]?.status === 200
      const { status, currentPeriodStart } = await read(subscription.id)
      if (isPaused) {
        // One that was renewed first is paused in its next period.
        const isRenewed = currentPeriodStart !== subscription.currentPeriodStart
        expect([status, (await paymentsOf(subscription)).length]).toEqual(['paused', isRenewed ? 2 : 1])
        const again = await platform().request('POST', `/api/payments/v1/subscriptions/${subscription.id}/pause`, {
          headers: { 'Idempotency-Key': `pause-${subscription.id}` },
        })
        expect([again.status, again.text]).toEqual([200, answers[at]?.text])
      } else {
        expect(answers[at]?.error.code).toBe('state_conflict')
        await until(subscription.id, { status: 'active' })
      }
    }
  })
})
