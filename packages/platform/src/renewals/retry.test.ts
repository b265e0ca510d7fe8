import { contract, type Payment, type Subscription } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newInstrument } from '../../test/pay-with-card.ts'
import { renewOnce } from '../../test/renewals/renew-once.ts'
import { pastDue, subscribe } from '../../test/subscribe.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const of = (subscriptionId: string) => ({ params: { subscriptionId } })
  const read = (id: string) => platform().call(contract.subscriptions.get, of(id))
  const retry = (id: string, headers: Record<string, string> = {}) =>
    platform().request('POST', `/api/payments/v1/subscriptions/${id}/retry`, { headers })
  const triesOf = async (id: string) => {
    const [row] = await platform().services.db.read('SELECT tries FROM subscriptions WHERE id = ?', [id])
    return Number(row?.['tries'])
  }
  const paymentsOf = async ({ customerId }: Pick<Subscription, 'customerId'>): Promise<Payment[]> =>
    (await platform().call(contract.payments.list, { query: { customerId } })).data
  /** In the order of the alphabet: what is of one moment is in any order. */
  const statuses = async (whose: Pick<Subscription, 'customerId'>) =>
    (await paymentsOf(whose)).map(({ status }) => status).toSorted()
  const eventsOf = async (id: string): Promise<string[]> => {
    const rows = await platform().services.db.read(
      `SELECT event_type FROM events WHERE event_type LIKE 's_subscription_%' AND properties LIKE ?`,
      [`%${id}%`],
    )
    return rows.map((row) => String(row['event_type'])).toSorted()
  }
  const until = (id: string, wanted: Partial<Subscription>) =>
    expect
      .poll(async () => (platform().clock.advance(5_001), await read(id)), { timeout: 60_000 })
      .toMatchObject(wanted)
  const useCard = async (subscription: Subscription, number: string) => {
    const { id: paymentInstrumentId } = await newInstrument(platform(), {
      number,
      customerId: subscription.customerId,
    })
    return platform().call(contract.subscriptions.update, { ...of(subscription.id), body: { paymentInstrumentId } })
  }
  const renew = () => renewOnce(platform())

  test('a past-due subscription is charged when it is asked for, goes on with its next period, and the log names who asked', async () => {
    const subscription = await pastDue(platform())
    const key = { 'Idempotency-Key': `retry-${subscription.id}` }
    const answer = await retry(subscription.id, key)
    const payment = contract.subscriptions.retry.response.parse(answer.body)
    expect(payment).toMatchObject({
      amount: subscription.nextPaymentAmount,
      status: 'succeeded',
      subscriptions: [
        {
          subscriptionId: subscription.id,
          occasion: 'renewal',
          status: 'active',
          requested: true,
          retryAfterDays: null,
        },
      ],
    })
    expect(await read(subscription.id)).toMatchObject({
      status: 'active',
      currentPeriodStart: subscription.currentPeriodEnd,
      nextPaymentAmount: 1_500,
    })
    expect(await triesOf(subscription.id)).toBe(0)
    expect(await eventsOf(subscription.id)).toEqual(['s_subscription_created', 's_subscription_renewed'])
    const again = await retry(subscription.id, key)
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([200, 'true', answer.body])
    expect(await statuses(subscription)).toEqual(['succeeded', 'succeeded'])
    const query = { resourceType: 'subscription', resourceId: subscription.id }
    const { data } = await platform().call(contract.audit.list, { query })
    const entries = data.filter(({ operation }) => operation === 'subscriptions.retry')
    expect(entries.map(({ actor }) => actor.kind)).toEqual(['key', 'key'])
  })

  test('a declined one stays past due, and its automatic tries come at their times and in their number', async () => {
    const subscription = await subscribe(platform())
    await useCard(subscription, '4000000000009995')
    platform().clock.advance(31 * DAY_MS)
    await until(subscription.id, { status: 'past_due' })
    const { nextPaymentAt } = await read(subscription.id)
    for (let i = 0; i < 2; i++) {
      const { status, error } = await retry(subscription.id)
      expect([status, error.code, error.declineCode]).toEqual([402, 'insufficient_funds', 'insufficient_funds'])
      const params = { paymentId: error.paymentId ?? '' }
      expect(await platform().call(contract.payments.get, { params })).toMatchObject({ status: 'declined' })
    }
    expect(await read(subscription.id)).toMatchObject({ status: 'past_due', nextPaymentAt })
    expect(await triesOf(subscription.id)).toBe(1)
    platform().clock.advance(DAY_MS)
    await expect.poll(async () => (platform().clock.advance(5_001), await triesOf(subscription.id))).toBe(2)
    const events = await eventsOf(subscription.id)
    expect(events.filter((type) => type === 's_subscription_past_due')).toHaveLength(1)
    expect(await statuses(subscription)).toEqual([...Array.from({ length: 4 }, () => 'declined'), 'succeeded'])
  })

  test('another card is charged at once, and its decline neither uses up nor moves the automatic tries', async () => {
    const subscription = await subscribe(platform())
    await useCard(subscription, '4000000000009995')
    platform().clock.advance(31 * DAY_MS)
    await until(subscription.id, { status: 'past_due' })
    const { nextPaymentAt } = await read(subscription.id)
    const changed = await useCard(subscription, '4000000000009995')
    expect(Date.parse(changed.nextPaymentAt ?? '')).toBe(platform().clock.now())
    await until(subscription.id, { status: 'past_due', nextPaymentAt })
    expect(await triesOf(subscription.id)).toBe(1)
    const asked = (await paymentsOf(subscription)).filter(
      ({ paymentInstrumentId }) => paymentInstrumentId === changed.paymentInstrumentId,
    )
    expect(asked).toMatchObject([{ status: 'declined', subscriptions: [{ requested: true, retryAfterDays: null }] }])
    platform().clock.advance(DAY_MS)
    await expect.poll(async () => (platform().clock.advance(5_001), await triesOf(subscription.id))).toBe(2)
    const { nextPaymentAt: nextOne } = await read(subscription.id)
    const { paymentInstrumentId } = await useCard(subscription, '4000000000009979')
    await until(subscription.id, { status: 'past_due', nextPaymentAt: nextOne })
    const body = { paymentInstrumentId }
    const again = await platform().call(contract.subscriptions.update, { ...of(subscription.id), body })
    expect(again.nextPaymentAt, 'a card that is refused for good is not charged').toBe(nextOne)
    expect(await triesOf(subscription.id)).toBe(2)
    await useCard(subscription, '4242424242424242')
    await until(subscription.id, { status: 'active' })
  })

  test('naming the card that it has already charges nothing, however often', async () => {
    const subscription = await pastDue(platform())
    const { paymentInstrumentId } = subscription
    for (let i = 0; i < 2; i++) {
      const body = { paymentInstrumentId }
      const same = await platform().call(contract.subscriptions.update, { ...of(subscription.id), body })
      expect(same).toEqual(subscription)
      await renew()
    }
    expect(await statuses(subscription)).toEqual(['succeeded'])
    expect(await read(subscription.id)).toEqual(subscription)
  })

  test('one that is refused for good, deleted or inactive is not asked again, and the answer says what to do instead', async () => {
    const refused = await pastDue(platform())
    await useCard(refused, '4000000000009979')
    expect((await retry(refused.id)).status).toBe(402)
    const gone = await pastDue(platform())
    const inactive = await pastDue(platform())
    await platform().services.db.write([
      { sql: 'UPDATE payment_instruments SET is_active = 0 WHERE id = ?', params: [inactive.paymentInstrumentId] },
    ])
    await platform().call(contract.paymentInstruments.delete, {
      params: { paymentInstrumentId: gone.paymentInstrumentId },
    })
    for (const each of [refused, gone, inactive]) {
      const { status, error } = await retry(each.id)
      expect([status, error.code]).toEqual([409, 'state_conflict'])
      expect(error.message).toContain(`/api/payments/v1/subscriptions/${each.id}/update`)
    }
    expect(await statuses(gone)).toEqual(['succeeded'])
  })

  test('what is paid, in trial, paused or canceled is not charged, and neither is an unknown one', async () => {
    const active = await subscribe(platform())
    const trial = await subscribe(platform(), { trialDays: 7 })
    const paused = await pastDue(platform())
    await platform().call(contract.subscriptions.pause, of(paused.id))
    const canceled = await pastDue(platform())
    await platform().call(contract.subscriptions.cancel, { ...of(canceled.id), body: { atPeriodEnd: false } })
    const answers = []
    for (const { id } of [active, trial, paused, canceled, { id: 'sub_unknown' }]) {
      const { status, error } = await retry(id)
      answers.push([status, error.code, /is \w+|There is no/.exec(error.message ?? '')?.[0]])
    }
    expect(answers).toEqual([
      [409, 'state_conflict', 'is active'],
      [409, 'state_conflict', 'is trialing'],
      [409, 'state_conflict', 'is paused'],
      [409, 'state_conflict', 'is canceled'],
      [404, 'resource_missing', 'There is no'],
    ])
    await platform().call(contract.subscriptions.resume, of(paused.id))
    expect((await retry(paused.id)).status).toBe(200)
  })

  test('a charge without an answer is under way until recovery ends it: nothing else is charged, paused or canceled meanwhile', async () => {
    const { id, customerId } = await pastDue(platform())
    const { body } = await retry(id, { 'Tillwright-Fault': 'processor=timeout_after' })
    const payment = contract.subscriptions.retry.response.parse(body)
    expect(payment.status).toBe('processing')
    for (const verb of ['retry', 'pause', 'cancel']) {
      const refused = await platform().request('POST', `/api/payments/v1/subscriptions/${id}/${verb}`, {
        body: verb === 'cancel' ? { atPeriodEnd: false } : undefined,
      })
      expect([verb, refused.status, refused.error.code]).toEqual([verb, 409, 'state_conflict'])
    }
    await until(id, { status: 'active' })
    expect(await statuses({ customerId })).toEqual(['succeeded', 'succeeded'])
  })

  test('another card that comes while a charge is under way is for the next one, and refused where its decline would end the subscription', async () => {
    const underWay = { 'Tillwright-Fault': 'processor=timeout_after' }
    const next = await pastDue(platform())
    await retry(next.id, underWay)
    const changed = await useCard(next, '4242424242424242')
    expect(changed.nextPaymentAt, 'nothing is charged beside it').toBe(next.nextPaymentAt)
    const last = await pastDue(platform())
    await platform().services.db.write([{ sql: 'UPDATE subscriptions SET tries = 4 WHERE id = ?', params: [last.id] }])
    await retry(last.id, underWay)
    const { id: paymentInstrumentId } = await newInstrument(platform(), { customerId: last.customerId })
    const path = `/api/payments/v1/subscriptions/${last.id}/update`
    const refused = await platform().request('POST', path, { body: { paymentInstrumentId } })
    expect([refused.status, refused.error.code]).toEqual([409, 'state_conflict'])
    expect(refused.error.message).toContain('is being charged')
    await until(last.id, { status: 'active' })
    const again = await platform().request('POST', path, { body: { paymentInstrumentId } })
    expect(again.body).toMatchObject({ paymentInstrumentId })
    await until(next.id, { status: 'active', paymentInstrumentId: changed.paymentInstrumentId })
  })

  test('processors that fail leave the schedule as it was, and what costs nothing is paid without one', async () => {
    const subscription = await pastDue(platform())
    const failed = await retry(subscription.id, { 'Tillwright-Fault': 'processor=outage' })
    expect([failed.status, failed.error.code]).toEqual([402, 'processing_error'])
    expect(await read(subscription.id)).toMatchObject({ status: 'past_due', nextPaymentAt: subscription.nextPaymentAt })
    const unused = await pastDue(platform(), { price: { billingTiming: 'usage' } })
    expect((await retry(unused.id)).body).toMatchObject({ amount: 0, status: 'succeeded', attempts: [] })
    expect(await read(unused.id)).toMatchObject({ status: 'active', currentPeriodStart: unused.currentPeriodEnd })
    const last = await pastDue(platform(), { price: { billingTiming: 'in_arrears', interval: 'week' } })
    await platform().services.db.write([
      { sql: 'UPDATE subscriptions SET cancel_at_period_end = 1 WHERE id = ?', params: [last.id] },
    ])
    expect((await retry(last.id)).body).toMatchObject({ amount: 1_500, subscriptions: [{ occasion: 'last' }] })
    expect(await read(last.id)).toMatchObject({ status: 'canceled', nextPaymentAmount: null })
  })

  it('however many ask at once, also while the worker renews, a period is charged once', async () => {
    for (const workers of [0, 2]) {
      const dueMs = workers === 0 ? platform().clock.now() + DAY_MS : platform().clock.now()
      const subscription = await pastDue(platform(), { dueMs })
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 4 }, () => retry(subscription.id))),
        ...Array.from({ length: workers }, renew),
      ])
      const taken = answers.filter(({ status }) => status === 200)
      expect(taken.length).toBeLessThanOrEqual(1)
      if (workers === 0) expect(taken).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(4 - taken.length)
      await expect.poll(() => read(subscription.id)).toMatchObject({ status: 'active' })
      expect(await statuses(subscription)).toEqual(['succeeded', 'succeeded'])
      const renewed = (await eventsOf(subscription.id)).filter((type) => type === 's_subscription_renewed')
      expect(renewed).toHaveLength(1)
    }
  })
})
