import { contract, type NewProductInput, type Order, type Subscription } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { pastDue, subscribe, subscriptionCalls } from '../../test/subscribe.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { withoutErrors } from '../ledger/index.ts'
import { holdSubscription } from './begin.ts'
import { DAY_MS } from './periods.ts'
import { findSubscription } from './records.ts'

type PriceInput = NewProductInput['variants'][number]['prices'][number]

const large = { currencyOptions: { USD: { amount: 2_000 } }, recurring: true, interval: 'month' } as const

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const { of, read, update, refusal, until, days } = subscriptionCalls(platform)

  /** Another price, of a product and variant of its own. */
  async function newPrice(price: PriceInput = large): Promise<{ productId: string; priceId: string }> {
    const { call, local } = platform()
    const body = { storeId: local.storeId, name: 'Large club', variants: [{ name: 'One', prices: [price] }] }
    const { productId } = await call(contract.products.create, { body })
    const product = await call(contract.products.get, { params: { productId } })
    return { productId, priceId: product.variants[0]?.prices[0]?.id ?? '' }
  }

  async function lastOrder({ customerId }: Subscription): Promise<Order> {
    const { data } = await platform().call(contract.orders.list, { query: { customerId, limit: 1 } })
    if (data[0] === undefined) throw new Error('The customer has an order.')
    return platform().call(contract.orders.get, { params: { orderId: data[0].id } })
  }

  it('another price and quantity are charged from the next period on, and shown until then', async () => {
    const before = await subscribe(platform())
    const { productId, priceId } = await newPrice()
    const item = { productId, priceId, name: 'Large club', quantity: 3, unitAmount: 2_000 }
    const changed = await update(before.id, { priceId, quantity: 3 })
    expect(changed).toMatchObject({ priceId: before.priceId, unitAmount: 1_500, nextPaymentAmount: 6_000 })
    expect(changed.pendingChange).toMatchObject({ ...item, effectiveAt: before.currentPeriodEnd })
    expect(await read(before.id)).toEqual(changed)
    days(31)
    await until(before.id, { ...item, currentPeriodStart: before.currentPeriodEnd, pendingChange: null })
    expect(await lastOrder(before)).toMatchObject({
      amount: 6_000,
      lines: [{ productId, priceId, quantity: 3, unitAmount: 2_000, amount: 6_000 }],
    })
    days(31)
    const next = await read(before.id)
    await until(before.id, { currentPeriodStart: next.currentPeriodEnd, nextPaymentAmount: 6_000 })
  })

  test('a later change takes the place of one that waits, field by field, and the present ones take it back', async () => {
    const before = await subscribe(platform())
    const { priceId } = await newPrice()
    await update(before.id, { priceId })
    expect((await update(before.id, { quantity: 2 })).pendingChange).toMatchObject({ priceId, quantity: 2 })
    const back = await update(before.id, { priceId: before.priceId, quantity: 1 })
    expect(back).toEqual({ ...before, updatedAt: back.updatedAt })
    expect(await update(before.id, { quantity: 1 })).toEqual(back)
  })

  test('what is paid afterwards is charged for the period that ends as it was bought', async () => {
    const before = await subscribe(platform(), { price: { billingTiming: 'in_arrears', interval: 'week' } })
    const { priceId } = await newPrice({ ...large, billingTiming: 'in_arrears', interval: 'week' })
    expect(await update(before.id, { priceId })).toMatchObject({ nextPaymentAmount: 1_500, pendingChange: { priceId } })
    days(8)
    await until(before.id, { priceId, pendingChange: null, nextPaymentAmount: 2_000 })
    expect(await lastOrder(before)).toMatchObject({ amount: 1_500, lines: [{ priceId: before.priceId }] })
  })

  test('one in trial goes on with the other price once the trial is over', async () => {
    const { id, currentPeriodEnd } = await subscribe(platform(), { trialDays: 7 })
    const { priceId } = await newPrice()
    expect(await update(id, { priceId })).toMatchObject({ status: 'trialing', nextPaymentAmount: 2_000 })
    days(8)
    await until(id, { status: 'active', priceId, currentPeriodStart: currentPeriodEnd })
  })

  test('one that is past due owes the other price: the period that it has not paid is the next one', async () => {
    const dueMs = platform().clock.now() + 60 * DAY_MS
    const { id } = await pastDue(platform(), { dueMs })
    days(32)
    const { priceId } = await newPrice()
    expect(await update(id, { priceId })).toMatchObject({ status: 'past_due', nextPaymentAmount: 2_000 })
    const paid = await platform().call(contract.subscriptions.retry, of(id))
    expect(paid).toMatchObject({ status: 'succeeded', amount: 2_000 })
    expect(await read(id)).toMatchObject({ status: 'active', priceId })
  })

  test('a pause in between moves the change with the period', async () => {
    const before = await subscribe(platform())
    await update(before.id, { quantity: 4 })
    await platform().call(contract.subscriptions.pause, of(before.id))
    days(2)
    const { currentPeriodEnd, pendingChange } = await platform().call(contract.subscriptions.resume, of(before.id))
    expect(pendingChange).toMatchObject({ quantity: 4, effectiveAt: currentPeriodEnd })
    expect(currentPeriodEnd > before.currentPeriodEnd).toBe(true)
  })

  it('a renewal that was prepared before the change charges nothing', async () => {
    const { services } = platform()
    const { id, accountId } = await subscribe(platform())
    const seen = await findSubscription(id, accountId, services.db)
    if (seen === null) throw new Error('The subscription is there.')
    await update(id, { quantity: 2 })
    const { writes } = holdSubscription({ ...seen, isRequested: false }, { id: 'pay_stale', accountId })
    expect(await services.db.write(withoutErrors(writes))).toMatchObject({ outcome: 'refused' })
    const now = await findSubscription(id, accountId, services.db)
    if (now === null) throw new Error('The subscription is there.')
    const held = holdSubscription({ ...now, isRequested: false }, { id: 'pay_current', accountId })
    expect(await services.db.write(withoutErrors(held.writes))).toMatchObject({ outcome: 'committed' })
    expect(await refusal(id, { quantity: 3 })).toEqual([409, 'state_conflict', undefined])
  })

  test('a price that it cannot go on with is refused by name', async () => {
    const { id } = await subscribe(platform())
    const named = async (price: PriceInput) => refusal(id, { priceId: (await newPrice(price)).priceId })
    const unfit = [400, 'parameter_invalid', 'priceId']
    expect(await named({ ...large, interval: 'year' })).toEqual(unfit)
    expect(await named({ ...large, intervalCount: 3 })).toEqual(unfit)
    expect(await named({ ...large, billingTiming: 'in_arrears' })).toEqual(unfit)
    expect(await named({ currencyOptions: { USD: { amount: 2_000 } } })).toEqual(unfit)
    const euros = { ...large, currencyOptions: { EUR: { amount: 2_000 } } }
    expect(await named(euros)).toEqual([400, 'currency_unsupported', 'priceId'])
    expect(await refusal(id, { priceId: 'price_unknown' })).toEqual([404, 'resource_missing', 'priceId'])
    expect(await refusal(id, { quantity: 10_001 })).toEqual([400, 'parameter_invalid', 'quantity'])
    const { productId, priceId } = await newPrice()
    const { revision } = await platform().call(contract.products.get, { params: { productId } })
    await platform().call(contract.products.archive, { params: { productId }, body: { revision } })
    expect((await refusal(id, { priceId })).slice(1)).toEqual(['state_conflict', 'priceId'])
    expect(await read(id)).toMatchObject({ pendingChange: null })
  })

  test('one that ends with its period goes on with another quantity when the cancellation is taken back with it', async () => {
    const { id } = await subscribe(platform())
    await platform().call(contract.subscriptions.cancel, { ...of(id), body: {} })
    expect(await refusal(id, { quantity: 2 })).toEqual([409, 'state_conflict', 'quantity'])
    const goesOn = { cancelAtPeriodEnd: false, pendingChange: { quantity: 2 } }
    expect(await update(id, { quantity: 2, cancelAtPeriodEnd: false })).toMatchObject(goesOn)
  })

  test('a metered one takes another price for a unit, and no quantity', async () => {
    const usage = { billingTiming: 'usage', currencyOptions: { USD: { amount: 5 } } } as const
    const { id } = await subscribe(platform(), { price: usage })
    const { priceId } = await newPrice({ ...large, ...usage, currencyOptions: { USD: { amount: 7 } } })
    expect(await refusal(id, { quantity: 2 })).toEqual([400, 'parameter_invalid', 'quantity'])
    const body = { quantity: 100 }
    await platform().call(contract.subscriptions.createUsageRecord, { ...of(id), body })
    expect(await update(id, { priceId })).toMatchObject({ unitAmount: 5, nextPaymentAmount: 500 })
    days(31)
    await until(id, { unitAmount: 7, usageQuantity: 0, pendingChange: null })
  })

  test('the change is told and audited, and the price keeps its terms from then on', async () => {
    const { id } = await subscribe(platform())
    const { productId, priceId } = await newPrice()
    await update(id, { priceId })
    const rows = await platform().services.db.read(
      `SELECT properties FROM events WHERE event_type = 's_subscription_updated' AND properties LIKE ?`,
      [`%${id}%`],
    )
    expect(rows.map((row) => JSON.parse(String(row['properties'])))).toMatchObject([{ changed: ['pendingChange'] }])
    const { data } = await platform().call(
      contract.audit.list,
      { query: { resourceId: id, operation: 'subscriptions.update' } },
      platform().local.adminApiKey,
    )
    expect(data).toMatchObject([
      { changes: { before: { pendingChange: null }, after: { pendingChange: { priceId } } } },
    ])
    const product = await platform().call(contract.products.get, { params: { productId } })
    const variantId = product.variants[0]?.id ?? ''
    const { status, error } = await platform().request(
      'PATCH',
      `/api/catalog/v1/products/${productId}/variants/${variantId}/prices/${priceId}`,
      { body: { revision: product.revision, currencyOptions: { USD: { amount: 1 } } } },
    )
    expect([status, error.code]).toEqual([409, 'state_conflict'])
  })
})
