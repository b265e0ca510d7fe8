import { contract, type Payment } from '@tillwright/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { authorise, newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { balancesOf, eventsOf, shopsMoney } from '../../test/payments/money-of.ts'
import { connectTelling, sendEvent, tellingDriver } from '../../test/processors/telling-processor.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { type PostAuthorizationOutcome, refused, unavailable } from '../processors/driver.ts'
import type { ProcessorReport, ReportedRefunds } from '../processors/processor-driver.ts'

/** What the processor tells, one after the other; the last one again and again. */
const told: ProcessorReport[] = []
const driver = tellingDriver(() => (told.length > 1 ? told.shift() : told[0]) ?? null)
const reversed = refused('reversed')

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine, processors: [driver] })
  let paymentFlowId: string
  beforeAll(async () => {
    paymentFlowId = await connectTelling(platform(), driver)
  })

  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const orderOf = ({ orderId }: Payment) => platform().call(contract.orders.get, { params: { orderId } })

  async function pay(wanted: { captureMethod?: 'manual' } = {}): Promise<Payment> {
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId, ...wanted })
    return contract.payments.create.response.parse(answer.body)
  }

  async function hear(...reports: ProcessorReport[]): Promise<number> {
    told.splice(0, told.length, ...reports)
    platform().clock.advance(1)
    return (await sendEvent(platform())).status
  }
  const hearOf = (id: string | undefined, outcome: PostAuthorizationOutcome) =>
    hear({ about: 'post_authorization', id: id ?? '', outcome })
  const attemptOf = ({ attempts }: Payment) => attempts[0]?.id ?? ''
  const hearRefunds = (payment: Payment, ...states: Omit<ReportedRefunds, 'attemptId'>[]) =>
    hear(
      ...states.map((state) => ({ about: 'refunds', refunds: { attemptId: attemptOf(payment), ...state } }) as const),
    )

  async function ask(payment: Payment, kind: 'capture' | 'refund', body: object = {}): Promise<Payment> {
    platform().clock.advance(1)
    const answer = await platform().request('POST', `/api/payments/v1/payments/${payment.id}/${kind}`, { body })
    expect(answer.status, answer.text).toBe(200)
    return contract.payments.get.response.parse(answer.body)
  }
  /** The money of a refund comes back to the processor's own books. */
  const comesBack = (payment: Payment, amount: number) => {
    const sql = 'UPDATE simulator_charges SET refunded = refunded - ? WHERE attempt_id = ?'
    return platform().services.db.write([{ sql, params: [amount, attemptOf(payment)] }])
  }
  const toldOf = async (payment: Payment, type: RegExp) =>
    (await eventsOf(payment, platform())).filter((each) => type.test(each))

  it('a refund that fails after it had succeeded is undone once, and its amount can be refunded again', async () => {
    const payment = await pay()
    const [refund] = (await ask(payment, 'refund', { amount: 500 })).refunds
    await comesBack(payment, 500)
    const answers = await Promise.all([1, 2, 3].map(() => hearOf(refund?.id, reversed)))
    expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await hearOf(refund?.id, reversed)).toBe(200)
    // An older word of the processor.
    expect(await hearOf(refund?.id, { outcome: 'succeeded', reference: 'again' })).toBe(200)
    const undone = await read(payment.id)
    expect(undone).toMatchObject({ status: 'succeeded', capturedAmount: 1_999, refundedAmount: 0 })
    expect(undone.refunds).toMatchObject([{ id: refund?.id, status: 'failed', failure: 'reversed' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
    const { lines } = await platform().call(contract.payments.getLedger, { params: { paymentId: payment.id } })
    expect(lines.filter(({ entryId }) => entryId === refund?.id).map(({ booking }) => booking)).toEqual([
      'refunded',
      'refunded',
      'refund_reversed',
      'refund_reversed',
    ])
    expect(await toldOf(payment, /refund/)).toEqual(['s_payment_refund_failed', 's_payment_refunded'])
    expect(await ask(payment, 'refund')).toMatchObject({ status: 'refunded', refundedAmount: 1_999 })
    expect(await balancesOf(payment.id, platform())).toEqual({ refunds: 1_999, sales: -1_999 })
  })

  test('the order of a payment is paid again when the refund of all of it comes back, since when it was paid before', async () => {
    const payment = await pay()
    const { paidAt } = await orderOf(payment)
    await ask(payment, 'refund', { amount: 999 })
    const { refunds } = await ask(payment, 'refund')
    expect((await orderOf(payment)).status).toBe('refunded')
    await comesBack(payment, 1_999)
    await hearOf(refunds[1]?.id, reversed)
    expect(await read(payment.id)).toMatchObject({ status: 'partially_refunded', refundedAmount: 999 })
    expect(await orderOf(payment)).toMatchObject({ status: 'paid', paidAt })
    await hearOf(refunds[0]?.id, reversed)
    expect(await read(payment.id)).toMatchObject({ status: 'succeeded', refundedAmount: 0 })
    expect(await ask(payment, 'refund')).toMatchObject({ status: 'refunded' })
    expect(await orderOf(payment)).toMatchObject({ status: 'refunded' })
    expect(await toldOf(payment, /s_order_/)).toEqual(['s_order_paid', 's_order_refunded', 's_order_refunded'])
  })

  test('a refund that was refused is no success that is withdrawn', async () => {
    const payment = await pay()
    const [refund] = (await ask(payment, 'refund', { amount: 500 })).refunds
    for (const outcome of [refused('wrong_state'), refused('amount_too_large'), unavailable('status 401')]) {
      expect(await hearOf(refund?.id, outcome)).toBe(200)
    }
    expect(await read(payment.id)).toMatchObject({ refundedAmount: 500, refunds: [{ status: 'succeeded' }] })
  })

  test('refunds that were made at the processor are undone too, in whatever order it tells', async () => {
    const payment = await pay()
    const [made, other] = ['one', 'other'].map((name) => ({ reference: `${name}_${payment.id}`, amount: 1_500 }))
    if (made === undefined || other === undefined) throw new Error('There are two.')
    const { reference } = made
    expect(await hearRefunds(payment, { refunds: [], reversed: [reference] })).toBe(200)
    expect((await read(payment.id)).refunds).toEqual([])
    // Asked before it came back, and put on record after the event that told so.
    expect(await hearRefunds(payment, { refunds: [made], reversed: [] }, { refunds: [], reversed: [reference] })).toBe(
      200,
    )
    expect((await read(payment.id)).refunds).toMatchObject([{ id: reference, status: 'failed', failure: 'reversed' }])
    // Given back again, which there is room for.
    expect(await hearRefunds(payment, { refunds: [other], reversed: [reference] })).toBe(200)
    expect(await read(payment.id)).toMatchObject({ status: 'partially_refunded', refundedAmount: 1_500 })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 499, refunds: 1_500, sales: -1_999 })
  })

  test('a refund that comes back before it was known to be made is heard of again', async () => {
    const payment = await pay()
    const headers = { 'Tillwright-Fault': 'processor=timeout_after' }
    const path = `/api/payments/v1/payments/${payment.id}/refund`
    const { body } = await platform().request('POST', path, { body: { amount: 500 }, headers })
    const [refund] = contract.payments.get.response.parse(body).refunds
    expect(refund?.status).toBe('pending')
    const report = { refunds: [], reversed: [`simulated_${refund?.id}`] }
    expect(await hearRefunds(payment, report)).toBe(503)
    await expect
      .poll(async () => (platform().clock.advance(61_000), (await read(payment.id)).refunds[0]?.status), {
        timeout: 60_000,
      })
      .toBe('succeeded')
    expect(await hearRefunds(payment, report)).toBe(200)
    expect(await read(payment.id)).toMatchObject({ refundedAmount: 0, refunds: [{ failure: 'reversed' }] })
  })

  it('a payment whose capture comes to nothing has failed, and its order is canceled', async () => {
    const payment = await pay()
    for (let time = 0; time < 3; time++) {
      expect(await hear({ about: 'reversed_capture', attemptId: attemptOf(payment) })).toBe(200)
    }
    expect(await read(payment.id)).toMatchObject({
      status: 'failed',
      capturedAmount: 0,
      captures: [{ status: 'failed', failure: 'reversed' }],
    })
    expect((await orderOf(payment)).status).toBe('canceled')
    expect(await balancesOf(payment.id, platform())).toEqual({})
    expect(await toldOf(payment, /capture_failed|canceled/)).toEqual(['s_order_canceled', 's_payment_capture_failed'])
    const path = `/api/payments/v1/payments/${payment.id}/refund`
    expect((await platform().request('POST', path, { body: {} })).error.code).toBe('state_conflict')
    // What tells of the authorization again finds no money that came late.
    expect(await hear({ about: 'attempt', attemptId: attemptOf(payment) })).toBe(200)
    expect((await read(payment.id)).status).toBe('failed')
  })

  test('of a payment captured in parts one that comes to nothing leaves the others', async () => {
    const payment = await pay({ captureMethod: 'manual' })
    await ask(payment, 'capture', { amount: 500, finalCapture: false })
    const held = await ask(payment, 'capture', { amount: 700, finalCapture: false })
    await hearOf(held.captures[0]?.id, reversed)
    expect(await read(payment.id)).toMatchObject({ status: 'authorized', capturedAmount: 700 })
    const paid = await ask(payment, 'capture', { amount: 799 })
    expect(paid).toMatchObject({ status: 'succeeded', capturedAmount: 1_499 })
    await ask(payment, 'refund', { amount: 900 })
    await hearOf(paid.captures[2]?.id, reversed)
    expect(await read(payment.id)).toMatchObject({ status: 'refunded', capturedAmount: 700, refundedAmount: 900 })
    expect((await orderOf(payment)).status).toBe('refunded')
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: -200, refunds: 900, sales: -700 })
    await hearOf(paid.captures[1]?.id, reversed)
    expect(await read(payment.id)).toMatchObject({ status: 'failed', capturedAmount: 0, refundedAmount: 900 })
    expect((await orderOf(payment)).status).toBe('refunded')
    await hearOf((await read(payment.id)).refunds[0]?.id, reversed)
    expect(await read(payment.id)).toMatchObject({ status: 'failed', refundedAmount: 0 })
    expect(await balancesOf(payment.id, platform())).toEqual({})
  })

  test('a refund that was under way is put on record when its capture has come to nothing meanwhile', async () => {
    const payment = await pay()
    const headers = { 'Tillwright-Fault': 'processor=timeout_after' }
    const path = `/api/payments/v1/payments/${payment.id}/refund`
    expect((await platform().request('POST', path, { body: { amount: 500 }, headers })).status).toBe(200)
    expect(await hear({ about: 'reversed_capture', attemptId: attemptOf(payment) })).toBe(200)
    await expect
      .poll(async () => (platform().clock.advance(61_000), (await read(payment.id)).refunds[0]?.status), {
        timeout: 60_000,
      })
      .toBe('succeeded')
    expect(await read(payment.id)).toMatchObject({ status: 'failed', capturedAmount: 0, refundedAmount: 500 })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: -500, refunds: 500 })
  })

  test('what another processor says of a refund is nothing', async () => {
    const payment = await authorise(platform())
    await ask(payment, 'capture')
    const [refund] = (await ask(payment, 'refund', { amount: 500 })).refunds
    expect(await hearOf(refund?.id, reversed)).toBe(200)
    expect(await read(payment.id)).toMatchObject({ refundedAmount: 500, refunds: [{ status: 'succeeded' }] })
  })

  test('statistics take off what has come to nothing, and agree with the ledger', async () => {
    const { ledger, statistics } = await shopsMoney('USD', platform())
    expect(statistics).toEqual(ledger)
  })

  it.for([
    ['tok_refund_reversed', { status: 'succeeded', refunds: [{ status: 'failed', failure: 'reversed' }] }],
    ['tok_capture_reversed', { status: 'failed', captures: [{ status: 'failed', failure: 'reversed' }] }],
  ] as const)('%s shows in local and development how it is', async ([serviceToken, end]) => {
    const { storeId } = platform().local
    const body = { serviceToken, storeId }
    const { paymentInstrument } = await platform().call(contract.paymentInstruments.createFromToken, { body })
    const answer = await requestPayment(platform(), { paymentInstrumentId: paymentInstrument.id })
    const payment = contract.payments.create.response.parse(answer.body)
    expect(payment.status).toBe('succeeded')
    if (serviceToken === 'tok_refund_reversed') expect((await ask(payment, 'refund')).status).toBe('refunded')
    await expect
      .poll(async () => (platform().clock.advance(5_001), await read(payment.id)), { timeout: 60_000 })
      .toMatchObject(end)
  })
})
