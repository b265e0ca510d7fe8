import { bankSimulator } from '@tillwright/bank-simulator'
import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newCode, newPromotion } from '../../../test/new-promotion.ts'
import { newInstrument, requestPayment } from '../../../test/pay-with-card.ts'
import { driverWith } from '../../../test/payments/driver-with.ts'
import { payThrough } from '../../../test/payments/pay-through.ts'
import { uncaptured } from '../../../test/payments/uncaptured.ts'
import { sharedPlatform, testableEngines, type TestPlatform } from '../../../test/test-platform.ts'
import type { Authorisation, AuthorisationOutcome } from '../../processors/authorisation.ts'
import type { DriverOf } from '../../processors/driver.ts'
import { circuitBreaker } from '../../routing/circuit-breaker.ts'
import { manualClock } from '../../runtime/clock.ts'
import { testCodes } from '../../../test/vault/test-codes.ts'
import { recoverPayments } from './recover-payments.ts'

const LEASE_MS = 60_000
const PROCESSOR_TIMEOUT_MS = 30_000

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const charges = async () => (await platform().services.db.read('SELECT * FROM simulator_charges', [])).length
  /** Recovery looks every five seconds of the clock, which go by here while the test waits. */
  const completed = (paymentId: string, status: Payment['status']) =>
    expect
      .poll(async () => (platform().clock.advance(5_001), (await read(paymentId)).status), { timeout: 60_000 })
      .toBe(status)

  test.for([
    ['4242424242424242', 'succeeded', 201, ['s_order_paid', 's_payment_succeeded']],
    ['4000000000009995', 'declined', 402, ['s_payment_failed']],
  ] as const)(
    'a payment of %s that a crash left after the charge is %s without a second charge',
    async ([number, status, http, types]) => {
      const headers = { 'Idempotency-Key': `crash-${number}` }
      const { id } = await newInstrument(platform(), { number })
      const answered = await requestPayment(platform(), { paymentInstrumentId: id }, { headers })
      const payment = await read(paymentIdOf(answered.body))
      await undoCompletion(platform(), payment)
      const before = await charges()
      expect((await read(payment.id)).status).toBe('processing')

      await platform().restart()
      await completed(payment.id, status)

      expect(await charges()).toBe(before)
      expect(await read(payment.id)).toMatchObject({ status, attempts: [{ id: payment.attempts[0]?.id, status }] })
      const again = await requestPayment(platform(), { paymentInstrumentId: id }, { headers })
      expect([again.status, paymentIdOf(again.body)]).toEqual([http, payment.id])
      const rows = await platform().services.db.read('SELECT event_type FROM events WHERE properties LIKE ?', [
        `%${payment.orderId}%`,
      ])
      const events = rows.map((row) => row['event_type'])
      expect(events.filter((type) => types.some((wanted) => wanted === type))).toHaveLength(types.length)
    },
  )

  test('a processor that gives no answer leaves the payment processing, and it is asked again under the same attempt', async () => {
    const { clock, request } = platform()
    const { id } = await newInstrument(platform())
    const asked = Promise.withResolvers<string>()
    const silent = acceptingThen((attemptId) => (asked.resolve(attemptId), new Promise(() => {})), platform())
    const answer = payThrough({ ...platform(), driverOf: silent, paymentInstrumentId: id, key: 'silent' })
    const attemptId = await asked.promise
    clock.advance(PROCESSOR_TIMEOUT_MS)
    const payment = contract.payments.create.response.parse(JSON.parse((await answer).body))
    expect(payment).toMatchObject({
      status: 'processing',
      attempts: [{ id: attemptId, status: 'processing', outcome: 'unknown', finishedAt: null }],
    })
    expect(await read(payment.id)).toEqual(payment)

    await completed(payment.id, 'succeeded')

    const recorded = await platform().services.db.read(
      'SELECT attempt_id FROM simulator_charges WHERE attempt_id = ?',
      [attemptId],
    )
    expect(recorded).toHaveLength(1)
    expect((await request('GET', `/api/payments/v1/orders/${payment.orderId}`)).body).toMatchObject({ status: 'paid' })
  })

  test('a processor whose connection breaks leaves the payment processing, and no second one is tried', async () => {
    const { id } = await newInstrument(platform())
    let tries = 0
    const broken = acceptingThen(() => ((tries += 1), Promise.reject(new Error('socket hang up'))), platform())
    const { status, body } = await payThrough({
      ...platform(),
      driverOf: broken,
      paymentInstrumentId: id,
      key: 'broken',
    })
    expect([status, JSON.parse(body).status, tries]).toEqual([201, 'processing', 1])
  })

  test.for([
    ['4242424242424242', 'succeeded', 'is counted', { usage_count: 1, usage_reserved: 0 }],
    ['4000000000009995', 'declined', 'is given back', { usage_count: 0, usage_reserved: 0 }],
  ] as const)(
    'the use of a promotion by a payment of %s without an outcome stays set aside, and once it is %s the use %s',
    async ([number, status, , after]) => {
      const { call, local, services } = platform()
      const code = newCode()
      const promotionId = await newPromotion(platform(), { code, usageLimit: 1 })
      const usage = async () =>
        (await services.db.read('SELECT usage_count, usage_reserved FROM promotions WHERE id = ?', [promotionId]))[0]
      const { variants } = await call(contract.products.get, { params: { productId: local.productId } })
      const lines = [{ variantId: variants[0]?.id ?? '', quantity: 1 }]
      const order = { amount: undefined, lines, promotionCodes: [code] }
      const { id } = await newInstrument(platform(), { number })
      const broken = acceptingThen(() => Promise.reject(new Error('socket hang up')), platform())
      const sent = { ...platform(), driverOf: broken, paymentInstrumentId: id, key: `promotion-${number}`, order }
      const payment = contract.payments.create.response.parse(JSON.parse((await payThrough(sent)).body))
      expect(await usage()).toEqual({ usage_count: 0, usage_reserved: 1 })
      expect((await requestPayment(platform(), { paymentInstrumentId: id, ...order })).error.code).toBe(
        'promotion_exhausted',
      )

      await completed(payment.id, status)

      expect(await usage()).toEqual(after)
      const applied = await services.db.read(
        `SELECT id FROM events WHERE event_type = 's_promotion_applied' AND properties LIKE ?`,
        [`%${payment.orderId}%`],
      )
      expect(applied).toHaveLength(after.usage_count)
    },
  )

  test('a payment that never arrived at its processor has failed, and takes no money if it arrives after all', async () => {
    const { clock, services } = platform()
    const { id } = await newInstrument(platform())
    const sent = Promise.withResolvers<Authorisation>()
    const lost = driverWith({ authorise: (authorisation) => (sent.resolve(authorisation), new Promise(() => {})) })
    const answer = payThrough({ ...platform(), driverOf: async () => lost, paymentInstrumentId: id, key: 'lost' })
    const authorisation = await sent.promise
    clock.advance(PROCESSOR_TIMEOUT_MS)
    const payment = contract.payments.create.response.parse(JSON.parse((await answer).body))
    await completed(payment.id, 'failed')

    const [attempt] = (await read(payment.id)).attempts
    expect(attempt).toMatchObject({ status: 'failed', outcome: 'technical_failure', declineCode: null })
    expect((await read(payment.id)).routing.stopped).toBe('recovered')
    const processor = bankSimulator.openProcessor({ db: services.db, clock, processorId: attempt?.processorId ?? '' })
    expect(await processor.authorise(authorisation)).toMatchObject({ outcome: 'refused_before_acceptance' })
  })

  test('a payment that is being worked on is left alone', async () => {
    const { clock, services } = platform()
    const { id } = await newInstrument(platform())
    const payment = await read(paymentIdOf((await requestPayment(platform(), { paymentInstrumentId: id })).body))
    await undoCompletion(platform(), payment)
    const looked = services.db.read('SELECT lease_until FROM payments WHERE id = ?', [payment.id])
    clock.advance(PROCESSOR_TIMEOUT_MS)
    // Once a later payment is completed, the search for abandoned payments has run.
    const other = await read(paymentIdOf((await requestPayment(platform(), { paymentInstrumentId: id })).body))
    await undoCompletion(platform(), other, { leaseUntilMs: 0 })
    await completed(other.id, 'succeeded')
    expect((await read(payment.id)).status).toBe('processing')
    expect(await services.db.read('SELECT lease_until FROM payments WHERE id = ?', [payment.id])).toEqual(await looked)
  })

  test('an account with a hundred payments at a processor that hangs does not hold up the payment of another one', async () => {
    const { services, clock, local } = platform()
    const { id } = await newInstrument(platform())
    const payment = await read(paymentIdOf((await requestPayment(platform(), { paymentInstrumentId: id })).body))
    await undoCompletion(platform(), payment)
    await Promise.all(Array.from({ length: 100 }, (_, n) => copyPayment(payment, `acc_0${n % 2}`, `pay_0${n}`)))
    const hanging = Promise.withResolvers<never>()
    hanging.promise.catch(() => {})
    const asked = new Set<string>()
    const driverOf: DriverOf = async ({ id: processorId, accountId }) =>
      accountId === local.accountId
        ? bankSimulator.openProcessor({ db: services.db, clock: later, processorId })
        : driverWith({ query: ({ attemptId }) => (asked.add(attemptId), hanging.promise) })
    // A clock of its own has the platform's workers sleep.
    const later = manualClock(clock.now() + LEASE_MS + 1)
    const answer = () => ({ status: 200, body: '' })
    const recovering = recoverPayments({
      services: { ...services, clock: later },
      driverOf,
      codes: testCodes(services),
      circuit: circuitBreaker(later),
      apiUrl: '',
      answer,
      answerPage: answer,
    })
    await expect.poll(async () => (await read(payment.id)).status).toBe('succeeded')
    expect(asked.size).toBeGreaterThan(10)
    expect(asked.size).toBeLessThan(60)
    await services.db.write([{ sql: `DELETE FROM payments WHERE account_id LIKE 'acc_0_'`, params: [] }])
    hanging.reject(new Error('socket hang up'))
    await recovering
  })

  /** The payment and its attempt, as they would be in another account. */
  async function copyPayment(payment: Payment, accountId: string, id: string): Promise<void> {
    const { db } = platform().services
    const copies = [
      ['payments', { account_id: accountId, id, idempotency_key: null, lease_until: 1 }],
      ['payment_attempts', { account_id: accountId, id: `att_${id}`, payment_id: id }],
    ] as const
    for (const [table, change] of copies) {
      const key = table === 'payments' ? 'id' : 'payment_id'
      const [row = {}] = await db.read(`SELECT * FROM ${table} WHERE ${key} = ?`, [payment.id])
      const columns = Object.keys(row)
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
      await db.write([{ sql, params: Object.values({ ...row, ...change }) }])
    }
  }
})

function paymentIdOf(body: unknown): string {
  const { id, error } = body as { id?: string; error?: { paymentId: string } } // a payment, or an error that names one
  return id ?? error?.paymentId ?? ''
}

/** Brings the database to where a crash between the charge and its completion leaves it. */
async function undoCompletion(
  { services, clock }: TestPlatform,
  payment: Payment,
  { leaseUntilMs = clock.now() + LEASE_MS } = {},
): Promise<void> {
  const completion = ['s_payment_succeeded', 's_order_paid', 's_payment_failed']
  await services.db.write([
    {
      sql: `UPDATE payments SET status = 'processing', decline_code = NULL, lease_until = ? WHERE id = ?`,
      params: [leaseUntilMs, payment.id],
    },
    {
      sql: `UPDATE payment_attempts SET status = 'processing', is_open = 1, decline_code = NULL WHERE payment_id = ?`,
      params: [payment.id],
    },
    ...uncaptured(payment.id),
    { sql: `UPDATE orders SET status = 'pending', paid_at = NULL WHERE id = ?`, params: [payment.orderId] },
    {
      sql: `DELETE FROM events WHERE event_type IN (?, ?, ?) AND properties LIKE ?`,
      params: [...completion, `%${payment.orderId}%`],
    },
    {
      sql: `UPDATE idempotency_keys SET status = NULL, body = NULL, lease_until = expires_at WHERE body LIKE ?`,
      params: [`%${payment.id}%`],
    },
  ])
}

/** The simulator, whose answer to an authorisation gets lost on the way. */
function acceptingThen(
  answer: (attemptId: string) => Promise<AuthorisationOutcome>,
  { services, clock }: TestPlatform,
): DriverOf {
  return async ({ id }) => {
    const accepting = bankSimulator.openProcessor({ db: services.db, clock, processorId: id })
    return driverWith({
      authorise: async (authorisation) => {
        await accepting.authorise(authorisation)
        return answer(authorisation.attemptId)
      },
    })
  }
}
