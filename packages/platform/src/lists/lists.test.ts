import { contract, type CustomerRecord, type Order, type Payment } from '@tillwright/contract'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { newDispute, newInstrument, requestPayment } from '../../test/pay-with-card.ts'
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
    { customerData: { email: 'grace@example.com' }, number: '4000000000000002' },
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

  test.each<[string, string, (payment: Payment) => boolean]>([
    ['an e-mail address', 'ada.byrne@example.com', isOf(0)],
    ['the beginning of one', 'ada.by', isOf(0)],
    ['a name in another case, without its accents', 'JOSE nunez', isOf(1)],
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
  const { amount, createdAt } = payment
  return (
    equal &&
    amount >= Number(amountFrom) &&
    amount <= Number(amountTo) &&
    createdAt >= createdFrom &&
    createdAt < createdBefore
  )
}
