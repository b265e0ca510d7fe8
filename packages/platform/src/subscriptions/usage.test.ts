import { contract, type NewProductInput, type Subscription } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { buySubscription, recurringVariant, subscribe, type Subscribing } from '../../test/subscribe.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { DAY_MS } from './periods.ts'

type PriceInput = NewProductInput['variants'][number]['prices'][number]

/** A month at 0.25 USD for each unit. */
const metered: Partial<PriceInput> = { billingTiming: 'usage', currencyOptions: { USD: { amount: 25 } } }

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const read = (subscriptionId: string) => platform().call(contract.subscriptions.get, { params: { subscriptionId } })
  const path = (subscriptionId: string) => `/api/payments/v1/subscriptions/${subscriptionId}/usage-records`
  const report = (subscriptionId: string, body: { quantity: number; id?: string; occurredAt?: string }) =>
    platform().call(contract.subscriptions.createUsageRecord, { params: { subscriptionId }, body })
  const refused = async (subscriptionId: string, body: object) => {
    const { status, error } = await platform().request('POST', path(subscriptionId), { body })
    return [status, error.code, error.param]
  }
  const meter = (change: Subscribing = {}) =>
    subscribe(platform(), { ...change, price: { ...metered, ...change.price } })
  const charges = async ({ customerId }: Pick<Subscription, 'customerId'>) => {
    const rows = await platform().services.db.read(
      `SELECT p.amount FROM payments p WHERE p.customer_id = ? AND p.status = 'succeeded' ORDER BY p.created_at, p.id`,
      [customerId],
    )
    return rows.map((row) => Number(row['amount']))
  }
  /** Lets time pass until the subscription is in the period that follows, or as it is wanted. */
  const until = async (id: string, wanted: Partial<Subscription>) =>
    expect
      .poll(async () => (platform().clock.advance(5_001), await read(id)), { timeout: 60_000 })
      .toMatchObject(wanted)
  const passPeriod = async (id: string) => {
    const { currentPeriodEnd } = await read(id)
    platform().clock.advance(Date.parse(currentPeriodEnd) - platform().clock.now())
    await until(id, { currentPeriodStart: currentPeriodEnd })
  }

  test('a year of usage is billed month by month, each for what was used in it', async () => {
    const bought = await buySubscription(platform(), { price: metered })
    expect(bought).toMatchObject({ status: 'succeeded', amount: 0, captures: [] })
    const id = bought.subscriptions[0]?.subscriptionId ?? ''
    expect(await read(id)).toMatchObject({ status: 'active', billingTiming: 'usage', unitAmount: 25, usageQuantity: 0 })
    const start = Date.parse((await read(id)).currentPeriodStart)
    const billed: number[] = [0]
    for (let month = 1; month <= 12; month++) {
      const used = month === 5 ? [] : [month, 100, month * month]
      for (const quantity of used) {
        await report(id, { quantity })
        platform().clock.advance(7 * DAY_MS)
      }
      const sum = used.reduce((all, each) => all + each, 0)
      expect((await read(id)).usageQuantity).toBe(sum)
      await passPeriod(id)
      billed.push(sum * 25)
      expect(await charges(bought)).toEqual(billed)
      expect((await read(id)).usageQuantity).toBe(0)
    }
    const { currentPeriodStart, status } = await read(id)
    const [from, to] = [new Date(start), new Date(currentPeriodStart)]
    expect([status, to.getUTCFullYear() - from.getUTCFullYear()]).toEqual(['active', 1])
    expect([to.getUTCMonth(), to.getUTCDate()]).toEqual([from.getUTCMonth(), from.getUTCDate()])
    const { data } = await platform().call(contract.subscriptions.listUsageRecords, {
      params: { subscriptionId: id },
      query: { limit: 100 },
    })
    expect(data.map(({ quantity }) => quantity).reduce((all, each) => all + each, 0) * 25).toBe(
      billed.reduce((all, each) => all + each, 0),
    )
    const rows = await platform().services.db.read('SELECT id FROM orders WHERE customer_id = ?', [bought.customerId])
    expect(rows).toHaveLength(13)
  }, 120_000)

  test('an order of a period says how many units were used', async () => {
    const { id, customerId } = await meter()
    await report(id, { quantity: 40 })
    await passPeriod(id)
    const [row] = await platform().services.db.read(
      `SELECT order_id FROM payments WHERE customer_id = ? AND amount = 1000`,
      [customerId],
    )
    const order = await platform().call(contract.orders.get, { params: { orderId: String(row?.['order_id']) } })
    expect(order).toMatchObject({ amount: 1_000, lines: [{ quantity: 40, unitAmount: 25, amount: 1_000 }] })
  })

  it('a record sent again is counted once, by its id and by its Idempotency-Key', async () => {
    const { id } = await meter()
    const first = await report(id, { id: 'meter-1', quantity: 8 })
    expect(await report(id, { id: 'meter-1', quantity: 8 })).toEqual(first)
    expect(await report(id, { id: 'meter-1', quantity: 8, occurredAt: first.occurredAt })).toEqual(first)
    expect(await refused(id, { id: 'meter-1', quantity: 9 })).toEqual([409, 'resource_exists', 'id'])
    const keyed = () =>
      platform().request('POST', path(id), { body: { quantity: 2 }, headers: { 'Idempotency-Key': `u-${engine}` } })
    const [one, again] = [await keyed(), await keyed()]
    expect([one.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, one.text, 'true'])
    const many = await Promise.all(Array.from({ length: 6 }, () => report(id, { id: 'meter-2', quantity: 1 })))
    for (const each of many) expect(each).toEqual(many[0])
    expect((await read(id)).usageQuantity).toBe(11)
    const other = await meter()
    expect(await report(other.id, { id: 'meter-1', quantity: 3 })).toMatchObject({ quantity: 3 })
  })

  it('of many records at once none is lost', async () => {
    const { id } = await meter()
    await Promise.all(Array.from({ length: 20 }, (_, n) => report(id, { quantity: n + 1 })))
    expect((await read(id)).usageQuantity).toBe(210)
  })

  test('usage counts for the period it happened in; that of a billed one for the current one', async () => {
    const { id, customerId, currentPeriodStart, currentPeriodEnd } = await meter()
    await report(id, { quantity: 10, occurredAt: currentPeriodStart })
    await passPeriod(id)
    const late = await report(id, { quantity: 4, occurredAt: currentPeriodStart })
    expect(late).toMatchObject({ occurredAt: currentPeriodStart, periodStart: currentPeriodEnd })
    await passPeriod(id)
    expect(await charges({ customerId })).toEqual([0, 250, 100])
  })

  test('usage while a period is past due counts for the next one', async () => {
    const { id, customerId } = await meter({ number: '4000000000009995' })
    await report(id, { quantity: 10 })
    const { currentPeriodEnd } = await read(id)
    platform().clock.advance(Date.parse(currentPeriodEnd) - platform().clock.now())
    await until(id, { status: 'past_due' })
    expect(await report(id, { quantity: 6 })).toMatchObject({ periodStart: currentPeriodEnd })
    expect(await report(id, { quantity: 1, occurredAt: currentPeriodEnd })).toMatchObject({
      periodStart: currentPeriodEnd,
    })
    expect((await read(id)).usageQuantity).toBe(10)
    const { id: paymentInstrumentId } = await newInstrument(platform(), { customerId })
    await platform().call(contract.subscriptions.update, {
      params: { subscriptionId: id },
      body: { paymentInstrumentId },
    })
    await until(id, { status: 'active', usageQuantity: 7 })
    expect(await charges({ customerId })).toEqual([0, 250])
    await passPeriod(id)
    expect(await charges({ customerId })).toEqual([0, 250, 175])
  })

  test('usage of a trial is free, and corrections leave no debt', async () => {
    const { id, customerId } = await meter({ trialDays: 7 })
    await report(id, { quantity: 1_000 })
    await passPeriod(id)
    await report(id, { quantity: 30 })
    await report(id, { quantity: -10 })
    await passPeriod(id)
    await report(id, { quantity: -5 })
    await passPeriod(id)
    expect(await charges({ customerId })).toEqual([0, 0, 500, 0])
  })

  test('usage of a trial is free also when it is reported after the trial', async () => {
    const { id, customerId, currentPeriodEnd: trialEnd } = await meter({ trialDays: 7 })
    await passPeriod(id)
    const occurredAt = new Date(Date.parse(trialEnd) - 1).toISOString()
    const late = await report(id, { quantity: 1_000, occurredAt })
    expect(late).toMatchObject({ quantity: 1_000, periodEnd: trialEnd })
    await report(id, { quantity: 2, occurredAt: trialEnd })
    expect(await read(id)).toMatchObject({ usageQuantity: 2, nextPaymentAmount: 50 })
    await passPeriod(id)
    expect(await charges({ customerId })).toEqual([0, 0, 50])
  })

  test('one that is cancelled pays the usage of its last period, and takes no more', async () => {
    const { id, customerId, currentPeriodEnd } = await meter()
    await report(id, { quantity: 12 })
    await platform().call(contract.subscriptions.cancel, {
      params: { subscriptionId: id },
      body: { atPeriodEnd: true },
    })
    await report(id, { quantity: 3 })
    platform().clock.advance(Date.parse(currentPeriodEnd) - platform().clock.now())
    await until(id, { status: 'canceled' })
    expect(await charges({ customerId })).toEqual([0, 375])
    expect(await refused(id, { quantity: 1 })).toEqual([409, 'state_conflict', undefined])
  })

  test('nothing is taken off usage by a promotion, nor paid for it with what is bought once', async () => {
    const code = newCode()
    await newPromotion(platform(), {
      code,
      actions: [{ type: 'OrderPercentageAdjustment', adjustmentType: 'percentage', adjustmentPercentage: 50 }],
    })
    const [use, once] = [
      await recurringVariant(platform(), metered),
      await recurringVariant(platform(), { recurring: false, interval: null }),
    ]
    const { id } = await newInstrument(platform())
    const order = { lines: [{ variantId: use }, { variantId: once }], promotionCodes: [code], amount: undefined }
    const answer = await requestPayment(platform(), { paymentInstrumentId: id, ...order })
    const payment = contract.payments.create.response.parse(answer.body)
    expect(payment).toMatchObject({ amount: 750, status: 'succeeded', subscriptions: [{ occasion: 'first' }] })
    const bought = await platform().call(contract.orders.get, { params: { orderId: payment.orderId } })
    expect(bought).toMatchObject({
      subtotal: 1_500,
      lines: [{ unitAmount: 25, amount: 0, deferredAmount: 0 }, { amount: 750 }],
    })
  })

  test('what cannot be reported is refused', async () => {
    const { id, currentPeriodStart } = await meter()
    const before = new Date(Date.parse(currentPeriodStart) - 1).toISOString()
    const future = new Date(platform().clock.now() + 6 * 60_000).toISOString()
    expect(await refused(id, { quantity: 1, occurredAt: before })).toEqual([400, 'parameter_invalid', 'occurredAt'])
    expect(await refused(id, { quantity: 1, occurredAt: future })).toEqual([400, 'parameter_invalid', 'occurredAt'])
    for (const quantity of [0, 1.5, '3', 1_000_000_001]) {
      expect(await refused(id, { quantity })).toEqual([400, 'parameter_invalid', 'quantity'])
    }
    const dear = await meter({ price: { currencyOptions: { USD: { amount: 9_007_199_254_740_991 } } } })
    await report(dear.id, { quantity: 1 })
    expect(await refused(dear.id, { quantity: 1 })).toEqual([400, 'parameter_invalid', 'quantity'])
    const { id: inAdvance } = await subscribe(platform())
    expect(await refused(inAdvance, { quantity: 1 })).toEqual([409, 'state_conflict', undefined])
    const { apiKey } = await platform().addAccount()
    const foreign = await platform().request('POST', path(id), { body: { quantity: 1 }, key: apiKey })
    expect([foreign.status, foreign.error.param]).toEqual([404, 'subscriptionId'])
    expect((await read(id)).usageQuantity).toBe(0)
  })

  test('usage is not bought in quantities', async () => {
    const variantId = await recurringVariant(platform(), metered)
    const { id } = await newInstrument(platform())
    const order = { amount: undefined, lines: [{ variantId, quantity: 2 }] }
    const answer = await requestPayment(platform(), { paymentInstrumentId: id, ...order })
    expect([answer.status, answer.error.param]).toEqual([400, 'lines[0].quantity'])
  })
})
