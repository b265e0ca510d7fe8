import { bankSimulator } from '@tillwright/bank-simulator'
import { contract, type Event, type Subscription } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { testCodes } from '../../test/vault/test-codes.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { buySubscription, recurringVariant, subscribe } from '../../test/subscribe.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { openDrivers } from '../processors/open-drivers.ts'
import { processorRegistry } from '../processors/registry.ts'
import { simulatorOf } from '../processors/simulator.ts'
import { renewDue } from '../renewals/renewals.ts'
import { circuitBreaker } from '../routing/circuit-breaker.ts'
import { DAY_MS } from './periods.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const read = (subscriptionId: string) => platform().call(contract.subscriptions.get, { params: { subscriptionId } })
  const events = async (subscriptionId: string): Promise<{ type: string; properties: Event['properties'] }[]> => {
    const rows = await platform().services.db.read(
      `SELECT event_type, properties FROM events WHERE event_type LIKE 's_subscription_%' AND properties LIKE ? ORDER BY id`,
      [`%${subscriptionId}%`],
    )
    return rows.map((row) => ({ type: String(row['event_type']), properties: JSON.parse(String(row['properties'])) }))
  }
  const types = async (subscriptionId: string) => (await events(subscriptionId)).map(({ type }) => type)
  /** Amounts charged to the customer, in minor units, the oldest first; a card that was only verified was not charged. */
  const charges = async ({ customerId }: Pick<Subscription, 'customerId'>) => {
    const rows = await platform().services.db.read(
      `SELECT s.amount FROM simulator_charges s JOIN payment_attempts a ON a.id = s.attempt_id
        JOIN payments p ON p.account_id = a.account_id AND p.id = a.payment_id
        WHERE p.customer_id = ? AND a.status = 'succeeded' AND s.amount > 0 ORDER BY s.created_at, a.id`,
      [customerId],
    )
    return rows.map((row) => Number(row['amount']))
  }
  /** Waits until the worker has seen what is due by now. */
  const until = (id: string, wanted: Partial<Subscription>) =>
    expect
      .poll(async () => (platform().clock.advance(5_001), await read(id)), { timeout: 60_000 })
      .toMatchObject(wanted)
  const charged = (of: Pick<Subscription, 'customerId'>, amounts: readonly number[]) =>
    expect.poll(async () => (platform().clock.advance(5_001), await charges(of)), { timeout: 60_000 }).toEqual(amounts)
  const days = (count: number) => platform().clock.advance(count * DAY_MS)

  test('a subscription renews at its own price when that is replaced, and product and store are archived', async () => {
    const { id, productId, variantId, priceId, storeId } = await subscribe(platform())
    await platform().call(contract.prices.create, {
      params: { productId, variantId },
      body: {
        revision: 1,
        replaces: priceId,
        recurring: true,
        interval: 'month',
        currencyOptions: { USD: { amount: 9_900 } },
      },
    })
    await platform().call(contract.products.archive, { params: { productId }, body: { revision: 2 } })
    const { revision } = await platform().call(contract.stores.get, { params: { storeId } })
    await platform().call(contract.stores.archive, { params: { storeId }, body: { revision } })
    days(32)
    await charged(await read(id), [1_500, 1_500])
    await platform().call(contract.stores.unarchive, { params: { storeId }, body: { revision: revision + 1 } })
  })

  test('a recurring price begins a subscription with the first period paid, together with what is bought once', async () => {
    const monthly = await recurringVariant(platform())
    const once = await recurringVariant(platform(), {
      recurring: false,
      interval: null,
      currencyOptions: { USD: { amount: 700 } },
    })
    const { id, customerId } = await newInstrument(platform())
    const lines = [{ variantId: once }, { variantId: monthly, quantity: 2 }]
    const answer = await requestPayment(platform(), { paymentInstrumentId: id, amount: undefined, lines })
    const payment = contract.payments.create.response.parse(answer.body)
    expect(payment).toMatchObject({
      amount: 3_700,
      status: 'succeeded',
      subscriptions: [{ occasion: 'first', status: 'active' }],
    })
    const { data } = await platform().call(contract.subscriptions.list, { query: { customerId } })
    expect(data).toEqual([await read(payment.subscriptions[0]?.subscriptionId ?? '')])
    expect(data[0]).toMatchObject({
      status: 'active',
      quantity: 2,
      unitAmount: 1_500,
      orderId: payment.orderId,
      interval: 'month',
      currentPeriodStart: payment.createdAt,
      cancelAtPeriodEnd: false,
    })
    expect(await types(data[0]?.id ?? '')).toEqual(['s_subscription_created'])
    const order = await platform().call(contract.orders.get, { params: { orderId: payment.orderId } })
    expect(order.lines.map(({ recurring }) => recurring?.interval ?? null)).toEqual([null, 'month'])
  })

  test('a declined card begins nothing', async () => {
    const variantId = await recurringVariant(platform())
    const { id, customerId } = await newInstrument(platform(), { number: '4000000000009995' })
    const { status } = await requestPayment(platform(), {
      paymentInstrumentId: id,
      amount: undefined,
      lines: [{ variantId }],
    })
    expect(status).toBe(402)
    expect(await platform().call(contract.subscriptions.list, { query: { customerId } })).toMatchObject({ data: [] })
    const rows = await platform().services.db.read('SELECT id FROM subscriptions WHERE customer_id = ?', [customerId])
    expect(rows).toEqual([])
  })

  test('what is captured later begins a subscription then, and what is voided begins none', async () => {
    const buy = async () => {
      const variantId = await recurringVariant(platform())
      const { id } = await newInstrument(platform())
      const order = { amount: undefined, lines: [{ variantId }], captureMethod: 'manual' }
      const answer = await requestPayment(platform(), { paymentInstrumentId: id, ...order })
      return contract.payments.create.response.parse(answer.body)
    }
    const known = async (customerId: string) =>
      (await platform().call(contract.subscriptions.list, { query: { customerId } })).data.map(({ status }) => status)
    const [captured, voided] = [await buy(), await buy()]
    expect([captured.status, await known(captured.customerId)]).toEqual(['authorized', []])
    days(3)
    const now = new Date(platform().clock.now()).toISOString()
    const link = { occasion: 'first', periodStart: now }
    const paid = await platform().call(contract.payments.capture, { params: { paymentId: captured.id }, body: {} })
    expect(paid).toMatchObject({ subscriptions: [link] })
    expect(await platform().call(contract.payments.get, { params: { paymentId: paid.id } })).toMatchObject({
      subscriptions: paid.subscriptions,
    })
    const { data } = await platform().call(contract.subscriptions.list, { query: { customerId: paid.customerId } })
    const currentPeriodEnd = paid.subscriptions[0]?.periodEnd
    expect(data).toMatchObject([
      { status: 'active', currentPeriodStart: now, currentPeriodEnd, nextPaymentAt: currentPeriodEnd },
    ])
    expect((await events(data[0]?.id ?? ''))[0]?.properties).toMatchObject({
      currentPeriodStart: now,
      currentPeriodEnd,
    })
    await platform().call(contract.payments.void, { params: { paymentId: voided.id } })
    expect(await known(voided.customerId)).toEqual([])
    const rows = await platform().services.db.read('SELECT id FROM subscriptions WHERE customer_id = ?', [
      voided.customerId,
    ])
    expect(rows).toEqual([])
  })

  test('a trial is an order of 0 for which the card is verified, and its end is the first charge', async () => {
    const payment = await buySubscription(platform(), { trialDays: 14 })
    expect(payment).toMatchObject({ amount: 0, status: 'succeeded', attempts: [{ status: 'succeeded' }], captures: [] })
    const order = await platform().call(contract.orders.get, { params: { orderId: payment.orderId } })
    expect(order).toMatchObject({ status: 'paid', amount: 0, subtotal: 1_500, deferredAmount: 1_500 })
    const id = payment.subscriptions[0]?.subscriptionId ?? ''
    const trial = await read(id)
    expect(trial).toMatchObject({ status: 'trialing', trialDays: 14 })
    expect(Date.parse(trial.currentPeriodEnd) - Date.parse(trial.currentPeriodStart)).toBe(14 * DAY_MS)
    days(14)
    await until(id, { status: 'active', currentPeriodStart: trial.currentPeriodEnd })
    expect(await charges(payment)).toEqual([1_500])
    expect(await types(id)).toEqual(['s_subscription_created', 's_subscription_renewed'])
  })

  test('a promotion gives a trial and a discount, which the first paid period keeps and the second has not', async () => {
    const [free, off] = [newCode(), newCode()]
    const stands = { combinesWithLineItemDiscounts: true }
    const lineItem = { targetProductId: null, targetVariantId: null }
    await newPromotion(platform(), {
      code: free,
      ...stands,
      actions: [{ type: 'SubscriptionLineItemFreeTrial', trialDays: 30, ...lineItem }],
    })
    await newPromotion(platform(), {
      code: off,
      ...stands,
      actions: [{ type: 'LineItemPercentageAdjustment', adjustmentPercentage: 10, ...lineItem }],
    })
    const payment = await buySubscription(platform(), { order: { promotionCodes: [free, off] }, trialDays: 7 })
    const id = payment.subscriptions[0]?.subscriptionId ?? ''
    expect(await read(id)).toMatchObject({ status: 'trialing', trialDays: 30 })
    days(30)
    await until(id, { status: 'active' })
    days(31)
    await charged(payment, [1_350, 1_500])
  })

  test('after a long outage each period is paid once, one after the other', async () => {
    const subscription = await subscribe(platform())
    days(93)
    await charged(subscription, [1_500, 1_500, 1_500, 1_500])
    await until(subscription.id, { status: 'active' })
    const renewed = (await events(subscription.id)).filter(({ type }) => type === 's_subscription_renewed')
    const starts = renewed.map(({ properties }) => properties['currentPeriodStart'])
    expect(new Set(starts).size).toBe(3)
  })

  it('however many processes look at once, and whatever leases have run out, a period is paid once', async () => {
    const { services } = platform()
    const subscription = await subscribe(platform())
    const charging = {
      services,
      driverOf: openDrivers(services, processorRegistry('local', [simulatorOf(bankSimulator)])),
      codes: testCodes(services),
      circuit: circuitBreaker(services.clock),
      apiUrl: platform().apiUrl,
    }
    const forgetLeases = { sql: 'UPDATE subscriptions SET lease_until = 0 WHERE id = ?', params: [subscription.id] }
    days(93)
    const look = async () => {
      for (let i = 0; i < 6; i++) {
        await services.db.write([forgetLeases])
        await renewDue(charging)
      }
    }
    await Promise.all([look(), look(), look(), look()])
    await charged(subscription, [1_500, 1_500, 1_500, 1_500])
    await until(subscription.id, { status: 'active' })
    const renewed = (await events(subscription.id)).filter(({ type }) => type === 's_subscription_renewed')
    expect(renewed).toHaveLength(3)
  })

  test('without a processor a renewal waits an hour, and that is no try', async () => {
    const { flow, processorIds } = await newFlow(platform(), 0)
    const subscription = await subscribe(platform(), { order: { paymentFlowId: flow.id } })
    await platform().call(contract.processors.delete, { body: { processorIds: [...processorIds] } })
    days(31)
    await untilTried(subscription.id, subscription.nextPaymentAt)
    const waiting = await read(subscription.id)
    expect(waiting).toMatchObject({ status: 'active', currentPeriodEnd: subscription.currentPeriodEnd })
    expect(Date.parse(waiting.nextPaymentAt ?? '')).toBeGreaterThan(platform().clock.now())
    expect(await tried(subscription.paymentInstrumentId)).toBe(1)
  })

  test('one that is paid in arrears pays each period when it is over, and its last one when it is canceled', async () => {
    const subscription = await subscribe(platform(), { price: { billingTiming: 'in_arrears', interval: 'week' } })
    expect(await charges(subscription)).toEqual([])
    days(7)
    await charged(subscription, [1_500])
    await until(subscription.id, { status: 'active', currentPeriodStart: subscription.currentPeriodEnd })
    await cancel(subscription.id, {})
    days(7)
    await until(subscription.id, { status: 'canceled' })
    expect(await charges(subscription)).toEqual([1_500, 1_500])
    expect((await types(subscription.id)).at(-1)).toBe('s_subscription_canceled')
  })

  const cancel = (subscriptionId: string, body: { atPeriodEnd?: boolean }) =>
    platform().call(contract.subscriptions.cancel, { params: { subscriptionId }, body })

  test('a cancellation ends with the period, without another charge', async () => {
    const subscription = await subscribe(platform())
    expect(await cancel(subscription.id, {})).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
    await cancel(subscription.id, {})
    // Events of one moment are in any order.
    expect((await types(subscription.id)).toSorted()).toEqual(['s_subscription_created', 's_subscription_updated'])
    days(31)
    await until(subscription.id, { status: 'canceled', nextPaymentAt: null })
    expect(await charges(subscription)).toEqual([1_500])
    expect((await types(subscription.id)).slice(2)).toEqual(['s_subscription_canceled'])
  })

  test('a cancellation at once is final', async () => {
    const { id } = await subscribe(platform())
    const canceled = await cancel(id, { atPeriodEnd: false })
    expect(canceled).toMatchObject({ status: 'canceled', canceledAt: expect.any(String) })
    expect(await read(id)).toEqual(canceled)
    const { paymentInstrumentId } = canceled
    for (const [operation, body] of Object.entries({ cancel: {}, update: { paymentInstrumentId } })) {
      const again = await platform().request('POST', `/api/payments/v1/subscriptions/${id}/${operation}`, { body })
      expect([again.status, again.error.code]).toEqual([409, 'state_conflict'])
    }
  })

  /** A subscription whose card is another one from its second period on. */
  const withCard = async (number: string) => {
    const { id: subscriptionId, customerId } = await subscribe(platform())
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number, customerId })
    return platform().call(contract.subscriptions.update, { params: { subscriptionId }, body: { paymentInstrumentId } })
  }
  /** Waits until the try of that time is over. */
  const untilTried = (id: string, dueAt: string | null) =>
    expect
      .poll(async () => (platform().clock.advance(5_001), (await read(id)).nextPaymentAt), { timeout: 60_000 })
      .not.toBe(dueAt)
  const tried = async (paymentInstrumentId: string) => {
    const rows = await platform().services.db.read('SELECT id FROM payments WHERE payment_instrument_id = ?', [
      paymentInstrumentId,
    ])
    return rows.length
  }

  test('a renewal that is declined is tried 1, 3, 5 and 7 days later, and then the subscription ends', async () => {
    const { id, paymentInstrumentId } = await withCard('4000000000009995')
    days(31)
    await until(id, { status: 'past_due' })
    for (const [tries, gap] of [
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 2],
    ] as const) {
      expect(await tried(paymentInstrumentId)).toBe(tries)
      const { nextPaymentAt } = await read(id)
      days(gap)
      await untilTried(id, nextPaymentAt)
    }
    await until(id, { status: 'canceled' })
    expect(await tried(paymentInstrumentId)).toBe(5)
    const [first, second, ...later] = await events(id)
    expect([first?.type, second?.type].toSorted()).toEqual(['s_subscription_created', 's_subscription_updated'])
    // Two of one transaction.
    expect([later[0]?.type, later[1]?.type].toSorted()).toEqual([
      's_subscription_action_required',
      's_subscription_past_due',
    ])
    expect(later.slice(2)).toMatchObject([{ type: 's_subscription_canceled', properties: { reason: 'unpaid' } }])
  })

  test('a stolen card is not asked again; another one is, at once', async () => {
    const { id, customerId, paymentInstrumentId } = await withCard('4000000000009979')
    days(31)
    await until(id, { status: 'past_due' })
    const { nextPaymentAt } = await read(id)
    days(1)
    await untilTried(id, nextPaymentAt)
    expect(await tried(paymentInstrumentId)).toBe(1)
    const other = await newInstrument(platform(), { customerId })
    const body = { paymentInstrumentId: other.id }
    await platform().call(contract.subscriptions.update, { params: { subscriptionId: id }, body })
    await until(id, { status: 'active', paymentInstrumentId: other.id })
    expect(await charges({ customerId })).toEqual([1_500, 1_500])
  })

  test('a trial of what does not recur, and the instrument of another customer are refused', async () => {
    const { id } = await newInstrument(platform())
    const once = await recurringVariant(platform(), { recurring: false, interval: null })
    const pay = (line: object) =>
      requestPayment(platform(), { paymentInstrumentId: id, amount: undefined, lines: [line] })
    expect((await pay({ variantId: once, trialDays: 3 })).error).toMatchObject({
      code: 'parameter_invalid',
      param: 'lines[0].trialDays',
    })
    const subscription = await subscribe(platform())
    const path = `/api/payments/v1/subscriptions/${subscription.id}/update`
    const refused = await platform().request('POST', path, { body: { paymentInstrumentId: id } })
    expect([refused.status, refused.error.param]).toEqual([404, 'paymentInstrumentId'])
  })
})
