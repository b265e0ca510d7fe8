import { type CallOf, contract, type NewProductInput } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { buyersPage } from '../../test/buyer-session.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { DAY_MS } from '../subscriptions/periods.ts'

type StoreInput = CallOf<typeof contract.stores.create>['body']
type PriceInput = NewProductInput['variants'][number]['prices'][number]

const prices = { USD: { amount: 1_500 }, EUR: { amount: 1_400 }, GBP: { amount: 1_300 } }
const monthly: Partial<PriceInput> = { recurring: true, interval: 'month' }

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  /** The local store with these settings alone, and what buys in it. */
  async function storeWith(settings: Partial<StoreInput>, price: Partial<PriceInput> = {}) {
    const { call, local, services } = platform()
    const { storeId } = local
    const { id: _, ...fresh } = await call(contract.stores.create, { body: { name: 'Shop', ...settings } })
    await services.db.write([
      {
        sql: 'UPDATE stores SET resource = ? WHERE id = ?',
        params: [JSON.stringify({ id: storeId, ...fresh }), storeId],
      },
    ])
    const variants = [{ name: 'Club', prices: [{ currencyOptions: prices, ...price }] }]
    const { productId } = await call(contract.products.create, { body: { storeId, name: 'Club', variants } })
    const product = await call(contract.products.get, { params: { productId } })
    const variantId = product.variants[0]?.id ?? ''
    const newCard = (change: Parameters<typeof newInstrument>[1] = {}) => newInstrument(platform(), change)
    const pay = (paymentInstrumentId: string, change: object = {}) =>
      requestPayment(platform(), { paymentInstrumentId, amount: undefined, lines: [{ variantId }], ...change })
    return { storeId, variantId, newCard, pay }
  }

  test('a store charges in its charge currencies alone', async () => {
    const { storeId, variantId, newCard, pay } = await storeWith({ chargeCurrencies: 'USD, GBP' })
    const { id } = await newCard()
    expect((await pay(id, { currency: 'GBP' })).body).toMatchObject({ status: 'succeeded', currency: 'GBP' })
    for (const change of [{ currency: 'EUR' }, { currency: 'EUR', amount: 500, lines: undefined }]) {
      const refused = await pay(id, change)
      expect([refused.status, refused.error.code, refused.error.param]).toEqual([
        400,
        'currency_unsupported',
        'currency',
      ])
      expect(refused.error.message).toContain('USD, GBP')
    }
    const quote = (currency: string) =>
      platform().request('POST', contract.orders.quote.path, { body: { storeId, currency, lines: [{ variantId }] } })
    expect([(await quote('USD')).status, (await quote('EUR')).status]).toEqual([200, 400])
  })

  test('a store without charge currencies charges in any that its prices have', async () => {
    const { newCard, pay } = await storeWith({})
    const { id } = await newCard()
    for (const currency of ['USD', 'EUR', 'GBP']) expect((await pay(id, { currency })).status).toBe(201)
  })

  test.for([
    [{ baseCurrency: 'EUR' }, 'EUR'],
    [{ baseCurrency: 'EUR', presentmentCurrencies: 'GBP,EUR' }, 'EUR'],
    [{ baseCurrency: 'USD', presentmentCurrencies: 'GBP,EUR' }, 'GBP'],
    [{ chargeCurrencies: 'EUR' }, 'EUR'],
    [{}, 'USD'],
  ] as const)(
    'by %j a session’s order is in %s unless its page names another currency',
    async ([settings, currency]) => {
      await storeWith(settings)
      const { session } = await buyersPage(platform())
      expect(session.order.currency).toBe(currency)
    },
  )

  test('a page shows prices in the presentment currencies alone', async () => {
    const { variantId } = await storeWith({ presentmentCurrencies: 'EUR,GBP', chargeCurrencies: 'GBP' })
    const page = await buyersPage(platform())
    const setLines = (currency: string) =>
      page.send('PUT', '/order/lines', { body: { currency, lines: [{ variantId }] } })
    expect((await setLines('EUR')).body).toMatchObject({ order: { amount: 1_400, currency: 'EUR' } })
    const refused = await setLines('USD')
    expect([refused.status, refused.error.code, refused.error.param]).toEqual([400, 'currency_unsupported', 'currency'])
  })

  test('a store that sells one subscription at a time refuses a second one until the first is canceled', async () => {
    const { newCard, pay, variantId } = await storeWith({ multipleSubscriptionsPerCustomerEnabled: false }, monthly)
    const { id, customerId } = await newCard()
    const two = await pay(id, { lines: [{ variantId }, { variantId }] })
    expect([two.status, two.error.param]).toEqual([400, 'lines'])
    const first = contract.payments.create.response.parse((await pay(id)).body)
    const second = await pay(id)
    expect([second.status, second.error.code, second.error.param]).toEqual([409, 'state_conflict', 'lines'])
    expect((await pay((await newCard()).id)).status).toBe(201)
    const subscriptionId = first.subscriptions[0]?.subscriptionId ?? ''
    await platform().call(contract.subscriptions.cancel, { params: { subscriptionId }, body: { atPeriodEnd: false } })
    const attempts = await Promise.all([pay(id), pay(id), pay(id)])
    expect(attempts.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const { data } = await platform().call(contract.subscriptions.list, { query: { customerId } })
    expect(data.filter(({ status }) => status === 'active')).toHaveLength(1)
  })

  test('a store that has begun to sell one at a time refuses a second one also to customers of before', async () => {
    const { newCard, pay } = await storeWith({}, monthly)
    const { id } = await newCard()
    const { subscriptions } = contract.payments.create.response.parse((await pay(id)).body)
    const now = await storeWith({ multipleSubscriptionsPerCustomerEnabled: false }, monthly)
    const second = await now.pay(id)
    expect([second.status, second.error.code, second.error.param]).toEqual([409, 'state_conflict', 'lines'])
    const params = { subscriptionId: subscriptions[0]?.subscriptionId ?? '' }
    await platform().call(contract.subscriptions.cancel, { params, body: { atPeriodEnd: false } })
    expect((await now.pay(id)).status).toBe(201)
  })

  test('a declined first payment of a subscription leaves room for the next try', async () => {
    const { newCard, pay } = await storeWith({ multipleSubscriptionsPerCustomerEnabled: false }, monthly)
    const { id, customerId } = await newCard({ number: '4000000000009995' })
    expect((await pay(id)).status).toBe(402)
    expect((await pay((await newCard({ customerId })).id)).status).toBe(201)
  })

  test('any other store sells a customer several subscriptions', async () => {
    const { newCard, pay, variantId } = await storeWith({}, monthly)
    const { id } = await newCard()
    expect([(await pay(id)).status, (await pay(id, { lines: [{ variantId }, { variantId }] })).status]).toEqual([
      201, 201,
    ])
  })

  test('the rebill settings decide when a declined renewal is tried again', async () => {
    const { newCard, pay } = await storeWith({ rebillSettings: '{"retryDays":[3,5]}' }, { ...monthly, trialDays: 7 })
    const { id } = await newCard({ number: '4000000000009995' })
    const bought = contract.payments.create.response.parse((await pay(id)).body)
    const subscriptionId = bought.subscriptions[0]?.subscriptionId ?? ''
    const read = () => platform().call(contract.subscriptions.get, { params: { subscriptionId } })
    const until = (wanted: object) =>
      expect
        .poll(async () => (platform().clock.advance(5_001), await read()), { timeout: 60_000 })
        .toMatchObject(wanted)
    const gaps: number[] = []
    platform().clock.advance(7 * DAY_MS)
    await until({ status: 'past_due' })
    for (const days of [3, 5]) {
      const { nextPaymentAt } = await read()
      gaps.push(Math.round((Date.parse(nextPaymentAt ?? '') - platform().clock.now()) / DAY_MS))
      platform().clock.advance(days * DAY_MS - 60_000)
      expect((await read()).nextPaymentAt).toBe(nextPaymentAt)
      platform().clock.advance(60_000)
      await expect
        .poll(async () => (platform().clock.advance(5_001), (await read()).nextPaymentAt), { timeout: 60_000 })
        .not.toBe(nextPaymentAt)
    }
    expect(gaps).toEqual([3, 5])
    await until({ status: 'canceled', nextPaymentAt: null })
  })

  test.for(['{"retries":11}', '{"retries":-1}', '{"retries":"3"}', '{"retryDays":[0]}', '{"retryDays":[61]}'])(
    'the rebill settings %s are refused',
    async (rebillSettings) => {
      const body = { name: 'Shop', rebillSettings }
      const answer = await platform().request('POST', contract.stores.create.path, { body })
      expect([answer.status, answer.error.param]).toEqual([400, 'rebillSettings'])
    },
  )
})
