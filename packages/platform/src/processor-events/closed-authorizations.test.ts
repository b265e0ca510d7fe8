import { contract, type Payment } from '@tillwright/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { balancesOf, eventsOf } from '../../test/payments/money-of.ts'
import { connectTelling, sendEvent, tellingDriver } from '../../test/processors/telling-processor.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import type { ProcessorReport } from '../processors/processor-driver.ts'

let told: ProcessorReport | null = null
const driver = tellingDriver(() => told)

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine, processors: [driver] })
  let paymentFlowId: string
  beforeAll(async () => {
    paymentFlowId = await connectTelling(platform(), driver)
  })

  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const statusOfOrder = async ({ orderId }: Payment) =>
    (await platform().call(contract.orders.get, { params: { orderId } })).status
  const endsOf = async (payment: Payment) =>
    (await eventsOf(payment, platform())).filter((type) => /canceled|succeeded|paid/.test(type)).toSorted()

  async function authorised(): Promise<Payment> {
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const wanted = { paymentInstrumentId, paymentFlowId, captureMethod: 'manual' }
    return contract.payments.create.response.parse((await requestPayment(platform(), wanted)).body)
  }

  const voided = ({ id }: Payment) => platform().request('POST', `/api/payments/v1/payments/${id}/void`)
  const capture = ({ id }: Payment, body: object, headers: Record<string, string> = {}) =>
    platform().request('POST', `/api/payments/v1/payments/${id}/capture`, { body, headers })

  /** The processor closes an authorization by itself, having captured some more of it, or released the rest. */
  const close = ({ attempts }: Payment, more = 0) => {
    const sql = 'UPDATE simulator_charges SET closed = 1, captured = captured + ? WHERE attempt_id = ?'
    return platform().services.db.write([{ sql, params: [more, attempts[0]?.id ?? ''] }])
  }

  async function hear({ attempts }: Payment): Promise<number> {
    told = { about: 'attempt', attemptId: attempts[0]?.id ?? '' }
    return (await sendEvent(platform())).status
  }

  it('an authorization that its processor has released ends its payment and its order, once', async () => {
    const payment = await authorised()
    expect(await hear(payment)).toBe(200)
    expect((await read(payment.id)).status).toBe('authorized')
    await close(payment)
    const answers = await Promise.all([1, 2, 3].map(() => hear(payment)))
    expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await hear(payment)).toBe(200)
    expect(await read(payment.id)).toMatchObject({ status: 'canceled', capturedAmount: 0 })
    expect(await statusOfOrder(payment)).toBe('canceled')
    expect(await endsOf(payment)).toEqual(['s_order_canceled', 's_payment_canceled'])
    expect(await balancesOf(payment.id, platform())).toEqual({})
    expect((await capture(payment, {})).status).toBe(409)
  })

  test('of an authorization that has run out unheard a void is done, and one that was captured is not voided', async () => {
    const [expired, taken] = [await authorised(), await authorised()]
    await close(expired)
    expect((await capture(expired, {})).status).toBe(409)
    expect((await voided(expired)).status).toBe(200)
    expect((await read(expired.id)).status).toBe('canceled')
    await close(taken, 700)
    expect((await voided(taken)).status).toBe(409)
    expect((await read(taken.id)).status).toBe('authorized')
  })

  test('what was captured before the rest was released stays the shop’s, and pays the order', async () => {
    const payment = await authorised()
    expect((await capture(payment, { amount: 500, finalCapture: false })).status).toBe(200)
    await close(payment)
    expect(await hear(payment)).toBe(200)
    expect(await read(payment.id)).toMatchObject({ status: 'succeeded', capturedAmount: 500 })
    expect(await statusOfOrder(payment)).toBe('paid')
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 500, sales: -500 })
  })

  it('what was captured at the processor itself is put on record, and can be refunded', async () => {
    const payment = await authorised()
    platform().clock.advance(1)
    await capture(payment, { amount: 500, finalCapture: false })
    platform().clock.advance(1)
    await close(payment, 700)
    for (let time = 0; time < 2; time++) expect(await hear(payment)).toBe(200)
    const taken = await read(payment.id)
    expect(taken).toMatchObject({ status: 'succeeded', capturedAmount: 1_200 })
    expect(taken.captures.map(({ amount, finalCapture }) => [amount, finalCapture])).toEqual([
      [500, false],
      [700, true],
    ])
    expect(await statusOfOrder(payment)).toBe('paid')
    expect(await endsOf(payment)).toEqual(['s_order_paid', 's_payment_succeeded'])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_200, sales: -1_200 })
    const path = `/api/payments/v1/payments/${payment.id}/refund`
    expect((await platform().request('POST', path, { body: {} })).status).toBe(200)
    expect(await balancesOf(payment.id, platform())).toEqual({ refunds: 1_200, sales: -1_200 })
  })

  test('a payment that is recovered after a part of it was captured has that part', async () => {
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const wanted = { paymentInstrumentId, paymentFlowId, captureMethod: 'manual' }
    const headers = { 'Tillwright-Fault': 'processor=timeout_after' }
    const answer = await requestPayment(platform(), wanted, { headers })
    const payment = contract.payments.create.response.parse(answer.body)
    await close(payment, 700)
    await expect
      .poll(async () => (platform().clock.advance(5_001), (await read(payment.id)).status), { timeout: 60_000 })
      .toBe('succeeded')
    expect(await read(payment.id)).toMatchObject({ capturedAmount: 700, captures: [{ amount: 700 }] })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 700, sales: -700 })
  })

  test('a capture without an outcome is waited for: its money may have been taken', async () => {
    const payment = await authorised()
    await capture(payment, { amount: 500, finalCapture: false })
    platform().clock.advance(1)
    await capture(payment, {}, { 'Tillwright-Fault': 'processor=timeout_after' })
    const waiting = { status: 'authorized', captures: [{ status: 'succeeded' }, { status: 'pending' }] }
    expect(await read(payment.id)).toMatchObject(waiting)
    expect(await hear(payment)).toBe(503)
    expect(await read(payment.id)).toMatchObject(waiting)
    await expect
      .poll(async () => (platform().clock.advance(5_001), (await read(payment.id)).status), { timeout: 60_000 })
      .toBe('succeeded')
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
  })
})
