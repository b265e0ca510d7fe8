import { contract, type EventType, idsFrom } from '@tillwright/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inNewStore } from '../../test/buyer-session.ts'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import { authorise, newDispute, newInstrument, newRefund, pay, requestPayment } from '../../test/pay-with-card.ts'
import { shopsMoney } from '../../test/payments/money-of.ts'
import { sharedPlatform } from '../../test/test-platform.ts'
import { emit } from '../events/index.ts'
import { type Database, DatabaseUnavailable } from '../storage/index.ts'
import { foldAll } from './fold.ts'
import { statistics } from './statistics.ts'

const HOUR_MS = 3_600_000
const ACCOUNT = `INSERT INTO accounts (id, name, plan, created_at) VALUES ('acc_1', 'Bikes', 'standard', 0)`

/** An event of a payment, some hours after the beginning. */
interface Happening {
  type:
    | 's_payment_created'
    | 's_payment_succeeded'
    | 's_payment_failed'
    | 's_payment_refunded'
    | 's_payment_partially_captured'
    | 's_payment_paid_late'
    | 's_store_created'
  afterMinutes: number
  storeId: string
  currency: string
  amount: number
  draft: boolean
}

const happening: fc.Arbitrary<Happening> = fc.record({
  type: fc.constantFrom(
    's_payment_created',
    's_payment_succeeded',
    's_payment_failed',
    's_payment_refunded',
    's_payment_partially_captured',
    's_payment_paid_late',
    's_store_created',
  ),
  afterMinutes: fc.integer({ min: 0, max: 300 }),
  storeId: fc.constantFrom('store_1', 'store_2'),
  currency: fc.constantFrom('EUR', 'USD'),
  amount: fc.integer({ min: 0, max: 10_000 }),
  draft: fc.boolean(),
})

async function record(platform: TestEvents, { type, storeId, currency, amount, draft }: Happening): Promise<void> {
  const amounts = { amount, refundAmount: amount, captureAmount: amount }
  const properties = { paymentId: 'pay_none', currency, ...amounts } as never // of whichever type
  await platform.commit(emit<EventType>(type, { storeId, draft, properties }, platform.call()))
}

async function read(platform: TestEvents, query: object = {}) {
  const parsed = contract.statistics.get.query.parse(query)
  const reply = await statistics.get({ params: undefined, query: parsed, body: undefined }, platform.call())
  if (!('body' in reply)) throw new Error('Statistics answer a body.')
  return reply.body
}

/** Events that tell of captured money. */
const tellsOfMoney = /^s_payment_(succeeded|partially_captured|paid_late)$/

const manyEvents = `INSERT INTO events (account_id, id, event_type, properties, draft, created_at)
  SELECT 'acc_1', item.value ->> 0, 's_payment_succeeded', '{"paymentId":"pay_none","currency":"EUR","amount":1}', 0,
    CAST(item.value ->> 1 AS BIGINT) FROM {items}`

/** A database that goes away, before or after what it is asked to write. */
function failing(db: Database, chooses: () => 'works' | 'fails before' | 'fails after'): Database {
  return {
    ...db,
    read: db.read.bind(db),
    async write(transaction) {
      const choice = chooses()
      if (choice === 'fails before') throw new DatabaseUnavailable('away')
      const outcome = await db.write(transaction)
      if (choice === 'fails after') throw new DatabaseUnavailable('away')
      return outcome
    },
  }
}

describe.each(testableEngines())('on %s', (engine) => {
  test('counters and what is newer are what the events say, wherever counting is broken off', async () => {
    const choice = fc.constantFrom('works', 'fails before', 'fails after')
    const platform = await openEvents(engine)
    await platform.commit([{ sql: ACCOUNT, params: [] }])
    const startMs = platform.clock.now()
    const [happenings] = fc.sample(fc.array(happening, { minLength: 200, maxLength: 200 }), 1)
    const ordered = (happenings ?? []).toSorted((a, b) => a.afterMinutes - b.afterMinutes)
    const choices = fc.sample(choice, 1_000)
    const db = failing(platform.services.db, () => choices.pop() ?? 'works')
    for (const [at, one] of ordered.entries()) {
      platform.clock.advance(startMs + one.afterMinutes * 60_000 + at - platform.clock.now())
      await record(platform, one)
      if (at % 7 === 0) await foldAll(db, platform.clock.now()).catch(() => {})
    }
    for (const storeId of [undefined, 'store_1']) {
      for (const interval of ['hour', 'day'] as const) {
        const query = { interval, from: new Date(startMs).toISOString(), ...(storeId && { storeId }) }
        const { currencies, times, upTo } = await read(platform, query)
        expect(upTo).toBe(new Date(platform.clock.now()).toISOString())
        const spanMs = interval === 'hour' ? HOUR_MS : 24 * HOUR_MS
        const wanted = ordered.filter((one) => !one.draft && (storeId === undefined || one.storeId === storeId))
        for (const currency of ['EUR', 'USD']) {
          const sums = (type: RegExp, of: (one: Happening) => number) =>
            times.map((time) =>
              wanted
                .filter((one) => type.test(one.type) && one.currency === currency)
                .filter(({ afterMinutes }) => afterMinutes * 60_000 >= Date.parse(time) - startMs)
                .filter(({ afterMinutes }) => afterMinutes * 60_000 < Date.parse(time) - startMs + spanMs)
                .reduce((sum, one) => sum + of(one), 0),
            )
          expect(currencies.find((each) => each.currency === currency)).toMatchObject({
            created: sums(/s_payment_created/, () => 1),
            succeeded: sums(/s_payment_succeeded/, () => 1),
            volume: sums(tellsOfMoney, ({ amount }) => amount),
            failed: sums(/s_payment_failed/, () => 1),
            refunds: sums(/s_payment_refunded/, () => 1),
            refundedVolume: sums(/s_payment_refunded/, ({ amount }) => amount),
          })
        }
      }
    }
  })

  test('a sum stops at the greatest number that JSON has, before and after it is counted', async () => {
    const platform = await openEvents(engine)
    await platform.commit([{ sql: ACCOUNT, params: [] }])
    const greatest = { amount: Number.MAX_SAFE_INTEGER, currency: 'EUR', storeId: 'store_1', draft: false }
    const earn = () => record(platform, { ...greatest, type: 's_payment_succeeded', afterMinutes: 0 })
    const volume = async () => (await read(platform, { interval: 'day' })).currencies[0]?.volume.at(-1)
    await earn()
    await earn()
    expect(await volume()).toBe(Number.MAX_SAFE_INTEGER)
    platform.clock.advance(120_000)
    await foldAll(platform.services.db, platform.clock.now())
    await earn()
    expect(await volume()).toBe(Number.MAX_SAFE_INTEGER)
    platform.clock.advance(120_000)
    await foldAll(platform.services.db, platform.clock.now())
    expect(await volume()).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('of processes that count at once, one does', async () => {
    const platform = await openEvents(engine)
    await platform.commit([{ sql: ACCOUNT, params: [] }])
    const other = await platform.elsewhere()
    const one = { type: 's_payment_succeeded', storeId: 'store_1', currency: 'EUR', amount: 5, draft: false } as const
    for (let count = 0; count < 20; count++) await record(platform, { ...one, afterMinutes: 0 })
    platform.clock.advance(120_000)
    const nowMs = platform.clock.now()
    await Promise.all([platform.services.db, other.db, platform.services.db].map((db) => foldAll(db, nowMs)))
    const [eur] = (await read(platform)).currencies
    expect([eur?.succeeded.at(-1), eur?.volume.at(-1)]).toEqual([20, 100])
  })

  test('when very much is not counted yet, it says up to when it has counted', async () => {
    const platform = await openEvents(engine)
    const startMs = platform.clock.now()
    const ids = Array.from({ length: 20_010 }, (_, ms) => [
      `${idsFrom('evt', startMs + ms)}${'0'.repeat(14)}`,
      startMs + ms,
    ])
    await platform.commit([{ sql: manyEvents, params: [JSON.stringify(ids)] }])
    const { upTo, currencies } = await read(platform, { interval: 'day' })
    expect(Date.parse(upTo)).toBeLessThan(startMs + 20_010)
    expect(currencies[0]?.succeeded.at(-1)).toBe(20_000)
    platform.clock.advance(200_000)
    await platform.commit([{ sql: ACCOUNT, params: [] }])
    await foldAll(platform.services.db, platform.clock.now())
    const folded = await read(platform, { interval: 'day' })
    expect(folded.upTo).toBe(new Date(platform.clock.now()).toISOString())
    expect(folded.currencies[0]?.volume.at(-1)).toBe(20_010)
  })
})

describe('of payments', () => {
  const platform = sharedPlatform()

  test('captured, failed, refunded and disputed payments, attempts at processors, and none of previews', async () => {
    const captured = await pay(platform(), (await newInstrument(platform())).id)
    const refund = await newRefund(platform())
    const dispute = await newDispute(platform())
    const held = await authorise(platform())
    await platform().call(contract.payments.capture, { params: { paymentId: held.id }, body: {} })
    const declined = await newInstrument(platform(), { number: '4000000000000002' })
    expect((await requestPayment(platform(), { paymentInstrumentId: declined.id })).status).toBe(402)
    const ask = async () => (await platform().call(contract.statistics.get, { query: {} })) satisfies object
    const fresh = await ask()
    const [usd] = fresh.currencies
    const last = (series: readonly number[] | undefined) => series?.at(-1)
    expect(last(usd?.succeeded)).toBe(4)
    expect(last(usd?.volume)).toBeGreaterThanOrEqual(captured.amount + held.amount)
    expect([last(usd?.failed), last(usd?.created)]).toEqual([1, 5])
    expect([last(usd?.refunds), last(usd?.refundedVolume)]).toEqual([1, refund.amount])
    expect([last(usd?.chargebacks), last(usd?.disputedVolume)]).toEqual([1, dispute.amount])
    const sum = (of: 'attempts' | 'approved') => fresh.processors.reduce((all, each) => all + (last(each[of]) ?? 0), 0)
    expect([sum('attempts') - sum('approved') >= 1, sum('approved')]).toEqual([true, 4])
    platform().clock.advance(120_000)
    await foldAll(platform().services.db, platform().clock.now())
    const counted = await ask()
    expect([counted.currencies, counted.processors]).toEqual([fresh.currencies, fresh.processors])
  })

  test('an order that costs nothing is a payment that was begun and has succeeded', async () => {
    const shop = await inNewStore(platform(), { createDemoProducts: false })
    const { storeId } = shop.local
    const variants = [{ name: 'Sample', prices: [{ currencyOptions: { USD: { amount: 0 } } }] }]
    const { productId } = await shop.call(contract.products.create, { body: { storeId, name: 'Sample', variants } })
    const product = await shop.call(contract.products.get, { params: { productId } })
    const { id: paymentInstrumentId } = await newInstrument(shop)
    const lines = [{ variantId: product.variants[0]?.id ?? '', quantity: 1 }]
    const body = { storeId, paymentInstrumentId, currency: 'USD', lines }
    const { id } = await shop.call(contract.payments.create, { body })
    const { currencies } = await shop.call(contract.statistics.get, { query: { storeId, interval: 'day' } })
    const [made] = currencies.map(({ created, succeeded, volume }) =>
      [created, succeeded, volume].map((all) => all.at(-1)),
    )
    expect(made).toEqual([1, 1, 0])
    const rows = await shop.services.db.read(
      "SELECT properties FROM events WHERE store_id = ? AND event_type = 's_payment_succeeded'",
      [storeId],
    )
    const told = rows.map(({ properties }) => JSON.parse(String(properties)))
    expect(told).toMatchObject([{ paymentId: id, amount: 0, processorId: null }])
  })

  test('what is captured in parts counts with each part, and sums to what the ledger has', async () => {
    const { call, services, clock } = platform()
    const held = await Promise.all([1, 2, 3].map(() => authorise(platform())))
    const agree = async () => {
      const { ledger, statistics: counted } = await shopsMoney('USD', platform())
      expect(counted).toEqual(ledger)
    }
    for (const { id } of held) {
      const body = { amount: 500, finalCapture: false }
      await call(contract.payments.capture, { params: { paymentId: id }, body })
    }
    await agree()
    const [ended, voided] = held.map(({ id }) => ({ params: { paymentId: id } }))
    if (ended === undefined || voided === undefined) throw new Error('Three payments were authorized.')
    await call(contract.payments.capture, { ...ended, body: {} })
    await call(contract.payments.void, voided)
    await call(contract.payments.refund, { ...voided, body: {} })
    await agree()
    clock.advance(120_000)
    await foldAll(services.db, clock.now())
    await agree()
  })

  test('a time without intervals, or with too many, is refused with what to do', async () => {
    const refusal = async (query: Record<string, string>) => {
      const { error } = await platform().request('GET', `${contract.statistics.get.path}?${new URLSearchParams(query)}`)
      return [error.param, error.message]
    }
    expect(await refusal({ from: '2030-01-02T00:00:00Z', to: '2030-01-01T00:00:00Z' })).toEqual([
      'from',
      'from must be before to.',
    ])
    expect(await refusal({ from: '2029-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z' })).toEqual([
      'from',
      'from and to are 8760 hours apart, and 800 is the most; ask for a shorter time, or for days.',
    ])
  })
})
