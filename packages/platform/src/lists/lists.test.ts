import { contract, type CustomerRecord, type Order, type Payment, type Refund } from '@tillwright/contract'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { newDispute, newInstrument, newRefund, pay, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'
import { SCANNED_MAX } from './list.ts'

type Query = Record<string, string | number>

/** Reads all pages of a list. */
async function allOf<Entry>(list: (query: Query) => Promise<Page<Entry>>, query: Query): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: Page<Entry> = await list({ ...query, ...(after !== '' && { after }) })
    expect(page.hasMore).toBe(page.nextCursor !== null)
    entries.push(...page.data)
    after = page.nextCursor
  }
  return entries
}

interface Page<Entry> {
  data: Entry[]
  hasMore: boolean
  nextCursor: string | null
}

const payments = (platform: TestPlatform) => (query: Query) =>
  platform.call(contract.payments.list, { query }) as Promise<Page<Payment>>
const orders = (platform: TestPlatform) => (query: Query) =>
  platform.call(contract.orders.list, { query }) as Promise<Page<Order>>
const customers = (platform: TestPlatform) => (query: Query) =>
  platform.call(contract.customers.list, { query }) as Promise<Page<CustomerRecord>>

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const made: Payment[] = []
  const buyers = [
    { customerData: { email: 'ada.byrne@example.com' }, number: '4242424242424242' },
    {
      customerData: { email: 'cook@example.org', firstName: 'José María', lastName: 'Núñez' },
      number: '5555555555554444',
    },
    { customerData: { email: 'grace@example.com', lastName: 'Ødegård-Weiß' }, number: '4000000000000002' },
  ]

  beforeAll(async () => {
    for (const [index, buyer] of buyers.entries()) {
      const { id } = await newInstrument(platform(), buyer)
      for (const amount of [1_999, 500 + index, 1_000_000]) {
        platform().clock.advance(1_000)
        const metadata = { campaign: index === 0 ? 'spring' : 'autumn', n: String(amount) }
        const currency = amount === 500 + index ? 'EUR' : 'USD'
        await requestPayment(platform(), { paymentInstrumentId: id, amount, currency, metadata })
      }
    }
    made.push(...(await allOf(payments(platform()), { order: 'asc' })))
  })

  test('a list is the same as its resources are read alone, newest first or oldest first', async () => {
    expect(made).toHaveLength(9)
    const newest = await allOf(payments(platform()), { limit: 2 })
    expect(newest).toEqual(made.toReversed())
    for (const payment of made) {
      expect(await platform().call(contract.payments.get, { params: { paymentId: payment.id } })).toEqual(payment)
    }
    const [order] = await allOf(orders(platform()), { limit: 100, order: 'asc' })
    expect(order).toEqual(await platform().call(contract.orders.get, { params: { orderId: order?.id ?? '' } }))
    expect(order?.paymentIds).toEqual([made[0]?.id])
  })

  test('whatever filters are sent together, the pages have those that meet all, once and in order', async () => {
    const [first] = made
    const filters = fc.record(
      {
        status: fc.constantFrom('succeeded', 'declined', 'processing'),
        customerId: fc.constantFrom(...made.map(({ customerId }) => customerId), 'cus_none'),
        orderId: fc.constantFrom(...made.map(({ orderId }) => orderId)),
        storeId: fc.constantFrom(first?.storeId ?? '', 'store_none'),
        captured: fc.constantFrom('true', 'false'),
        currency: fc.constantFrom('USD', 'EUR'),
        amountFrom: fc.constantFrom(0, 501, 1_999, 2_000),
        amountTo: fc.constantFrom(500, 1_999, 1_000_000),
        createdFrom: fc.constantFrom(...made.map(({ createdAt }) => createdAt)),
        createdBefore: fc.constantFrom(...made.map(({ createdAt }) => createdAt)),
        order: fc.constantFrom('asc', 'desc'),
        limit: fc.integer({ min: 1, max: 10 }),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(filters, async (query) => {
        const sent: Query = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
        const meant = made.filter((payment) => meets(payment, query))
        const found = await allOf(payments(platform()), sent)
        expect(found).toEqual(query.order === 'asc' ? meant : meant.toReversed())
      }),
      { numRuns: 40 },
    )
  })

  test('customers are read by their ids, archived ones and no unknown ones', async () => {
    const all = await allOf(customers(platform()), {})
    const [first, second] = all
    if (first === undefined || second === undefined) throw new Error('There are three customers.')
    const archive = { params: { customerId: second.id }, body: { revision: second.revision } }
    const archived = await platform().call(contract.customers.archive, archive)
    const ids = [first.id, second.id, 'cus_none'].join(',')
    expect(await allOf(customers(platform()), { ids, limit: 1 })).toEqual([first, archived])
    expect(await allOf(customers(platform()), { ids, storeId: 'store_none' })).toEqual([])
    expect(await allOf(customers(platform()), { ids, archived: 'false' })).toEqual([first])
    const unarchive = { params: { customerId: second.id }, body: { revision: archived.revision } }
    await platform().call(contract.customers.unarchive, unarchive)
  })

  test.each<[string, string, (payment: Payment) => boolean]>([
    ['an e-mail address', 'ada.byrne@example.com', isOf(0)],
    ['the beginning of one', 'ada.by', isOf(0)],
    ['a name in another case, without its accents', 'JOSE nunez', isOf(1)],
    ['a name without the strokes of its letters', 'odegard weiss', isOf(2)],
    ['the domain of some', 'example.com', (payment) => isOf(0)(payment) || isOf(2)(payment)],
    ['the last four digits', '4444', isOf(1)],
    ['a network with them', 'visa 4242', isOf(0)],
    ['another network with them', 'amex 4242', () => false],
    ['an amount', '19.99', ({ amount }) => amount === 1_999],
    ['an amount with its currency', '€5.01', ({ amount }) => amount === 501],
    ['an amount as thousands are written', '10,000.00', ({ amount }) => amount === 1_000_000],
    ['nothing that there is', 'nobody@example.net', () => false],
  ])('payments are found by %s', async (_, q, isMeant) => {
    const found = await allOf(payments(platform()), { q, limit: 2 })
    expect(found.map(({ id }) => id)).toEqual(
      made
        .filter(isMeant)
        .map(({ id }) => id)
        .toReversed(),
    )
  })

  test('payments are found by the ids of their order and customer, whole or begun', async () => {
    const [payment] = made
    if (payment === undefined) throw new Error('There are payments.')
    const byOrder = await allOf(payments(platform()), { q: payment.orderId.slice(0, -6) })
    expect(byOrder).toEqual([payment])
    expect(await allOf(payments(platform()), { q: payment.id })).toEqual([payment])
    const byCustomer = await allOf(payments(platform()), { q: payment.customerId, status: 'succeeded' })
    expect(byCustomer).toEqual(made.filter(isOf(0)).toReversed())
  })

  test('orders are found by their metadata: a key, or a key with its value', async () => {
    const amounts = async (query: Query) =>
      (await allOf(orders(platform()), { order: 'asc', ...query })).map(({ amount }) => amount)
    expect(await amounts({ metadata: 'campaign=spring' })).toEqual([1_999, 500, 1_000_000])
    expect(await amounts({ metadata: 'n=1999' })).toEqual([1_999, 1_999, 1_999])
    expect(await amounts({ metadata: 'campaign', status: 'paid', amountFrom: 1_000_000 })).toHaveLength(2)
    expect(await amounts({ metadata: 'campaign=Spring' })).toEqual([])
    expect(await amounts({ metadata: 'campaign=spring', q: 'ada', amountTo: 600 })).toEqual([500])
  })

  test('metadata is found however many keys it has and however long they are, and only by the whole of a value', async () => {
    const { id } = await newInstrument(platform())
    const [key, value] = ['k'.repeat(64), 'v'.repeat(255)]
    const others = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`key-${index}`, String(index)]))
    const { body } = await requestPayment(platform(), {
      paymentInstrumentId: id,
      metadata: { ...others, [key]: value },
    })
    const found = async (metadata: string) =>
      (await orders(platform())({ metadata })).data.map(({ id: orderId }) => orderId)
    const { orderId } = contract.payments.create.response.parse(body)
    for (const metadata of [`${key}=${value}`, key, 'key-0', 'key-48=48'])
      expect(await found(metadata)).toEqual([orderId])
    for (const metadata of [`${key}=${value.slice(1)}`, key.slice(1), 'key-48=4'])
      expect(await found(metadata)).toEqual([])
  })

  test('a product is found by the sku of any of its variants', async () => {
    const { call, local } = platform()
    const prices = [{ currencyOptions: { USD: { amount: 900 } } }]
    const variants = Array.from({ length: 250 }, (_, index) => ({
      name: `Size ${index}`,
      sku: `rack-${index}-oak`,
      prices,
    }))
    const { productId } = await call(contract.products.create, {
      body: { storeId: local.storeId, name: 'Rack', variants },
    })
    const { data } = await call(contract.products.list, { query: { q: 'rack-249-oak' } })
    expect(data.map(({ id }) => id)).toEqual([productId])
  })

  test('a customer is found as what the latest order says', async () => {
    const [ada] = await allOf(customers(platform()), { q: 'ada' })
    expect(ada).toMatchObject({ email: 'ada.byrne@example.com', storeId: platform().local.storeId, phone: null })
    expect(ada).toEqual(await platform().call(contract.customers.get, { params: { customerId: ada?.id ?? '' } }))
  })

  test('a dispute is listed with its store and status', async () => {
    const dispute = await newDispute(platform())
    const list = (query: Query) => platform().call(contract.disputes.list, { query })
    expect((await list({ status: 'open', storeId: platform().local.storeId })).data).toEqual([dispute])
    expect((await list({ status: 'won' })).data).toEqual([])
    expect((await list({ q: dispute.paymentId })).data).toEqual([dispute])
  })

  test('a refund is found by itself and by its payment, and names payment and order', async () => {
    const list = (query: Query) => platform().call(contract.refunds.list, { query })
    const refund = await newRefund(platform())
    const { id: refundId, paymentId, orderId, storeId } = refund
    expect(refund).toMatchObject({ amount: 500, currency: 'USD', status: 'succeeded' })
    expect(await platform().call(contract.refunds.get, { params: { refundId } })).toEqual(refund)
    for (const query of [{ paymentId }, { q: refundId }, { q: paymentId }, { storeId, amountTo: 500, limit: 1 }])
      expect((await list({ status: 'succeeded', ...query })).data).toEqual([refund])
    for (const query of [{ status: 'failed' }, { amountFrom: 501 }, { currency: 'EUR' }, { storeId: 'none' }])
      expect((await list({ paymentId, ...query })).data).toEqual([])
    const order = await platform().call(contract.orders.get, { params: { orderId } })
    expect(order.paymentIds).toEqual([paymentId])
    const payment = await platform().call(contract.payments.get, { params: { paymentId } })
    expect(payment).toMatchObject({ orderId, refunds: [refund] })
    const [capture] = payment.captures
    expect((await platform().request('GET', `/api/payments/v1/refunds/${capture?.id}`)).status).toBe(404)
    expect((await list({ q: capture?.id ?? '' })).data).toEqual([])
  })

  test('refunds come in pages, newest first, without captures in between', async () => {
    const { id } = await newInstrument(platform())
    const { id: paymentId } = await pay(platform(), id)
    for (const amount of [1, 2, 3]) {
      platform().clock.advance(1_000)
      await platform().call(contract.payments.refund, { params: { paymentId }, body: { amount } })
    }
    const page = (query: Query) => platform().call(contract.refunds.list, { query }) as Promise<Page<Refund>>
    expect((await allOf(page, { paymentId, limit: 1 })).map(({ amount }) => amount)).toEqual([3, 2, 1])
    const first = await page({ limit: 2, order: 'asc' })
    const rest = await page({ limit: 100, order: 'asc', after: first.nextCursor ?? '' })
    expect([...first.data, ...rest.data].slice(-3).map(({ amount }) => amount)).toEqual([1, 2, 3])
  })

  test('a filter that lets next to nothing through costs a page no more than a bounded look, and loses nothing', async () => {
    const { accountId, apiKey } = await platform().addAccount()
    const [like] = await platform().services.db.read('SELECT * FROM orders LIMIT 1', [])
    const total = SCANNED_MAX + 500
    const columns = Object.keys(like ?? {})
    const inserts = Array.from({ length: total }, (_, index) => ({
      sql: `INSERT INTO orders (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      params: columns.map((name) => {
        if (name === 'account_id') return accountId
        if (name === 'id') return `order_${String(index).padStart(22, '0')}`
        if (name === 'currency') return index === 3 || index === total - 1 ? 'JPY' : 'USD'
        return like?.[name] ?? null
      }),
    }))
    for (let at = 0; at < total; at += 500) await platform().services.db.write(inserts.slice(at, at + 500))
    const page = (query: Query) => platform().call(contract.orders.list, { query }, apiKey) as Promise<Page<Order>>
    const first = await page({ currency: 'JPY' })
    expect(first.data.map(({ id }) => id)).toEqual([`order_${String(total - 1).padStart(22, '0')}`])
    expect(first.hasMore).toBe(true)
    const rest = await page({ currency: 'JPY', after: first.nextCursor ?? '' })
    expect(rest.data.map(({ id }) => id)).toEqual([`order_${'3'.padStart(22, '0')}`])
    expect(rest.nextCursor).toBe(null)

    const words = inserts.map(({ params }) => ({
      sql: "INSERT INTO search_words (account_id, resource, word, id) VALUES (?, 'order', '=bulk=1', ?)",
      params: [accountId, params[columns.indexOf('id')] ?? null],
    }))
    for (let at = 0; at < total; at += 500) await platform().services.db.write(words.slice(at, at + 500))
    const ids = (entries: readonly Order[]) => entries.map(({ id }) => id)
    const all = await allOf(page, { metadata: 'bulk=1', limit: 100 })
    expect(ids(all)).toEqual(inserts.map(({ params }) => params[columns.indexOf('id')]).toReversed())
    const inYen = await allOf(page, { metadata: 'bulk=1', currency: 'JPY', order: 'asc' })
    expect(ids(inYen)).toEqual([3, total - 1].map((index) => `order_${String(index).padStart(22, '0')}`))
  })

  function isOf(buyer: number): (payment: Payment) => boolean {
    return (payment) => Math.floor(made.indexOf(payment) / 3) === buyer
  }
})

function meets(payment: Payment, query: Partial<Record<string, string | number>>): boolean {
  const { amountFrom = 0, amountTo = Number.MAX_SAFE_INTEGER, createdFrom = '', createdBefore = '9' } = query
  const equal = (['status', 'customerId', 'orderId', 'storeId', 'currency'] as const).every(
    (name) => query[name] === undefined || payment[name] === query[name],
  )
  const { amount, createdAt, capturedAmount } = payment
  return (
    equal &&
    (query['captured'] === undefined || query['captured'] === String(capturedAmount > 0)) &&
    amount >= Number(amountFrom) &&
    amount <= Number(amountTo) &&
    createdAt >= createdFrom &&
    createdAt < createdBefore
  )
}
