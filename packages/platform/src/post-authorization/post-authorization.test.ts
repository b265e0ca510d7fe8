import { contract, type Payment, REFUNDS_MAX } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { authorise, newInstrument, pay } from '../../test/pay-with-card.ts'
import { balancesOf, booksOf, eventsOf } from '../../test/payments/money-of.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { authenticateWaiting, newWaitingPayment } from '../../test/threeds-payment.ts'
import { emitterAt } from '../events/emit.ts'
import { commit } from '../http/operations/commit.ts'
import { capturedAtOnce, recordCapture } from '../ledger/captures-and-refunds.ts'
import type { FaultOf } from '../runtime/fault.ts'

interface Asked {
  body?: unknown
  fault?: FaultOf<'processor'>
  key?: string
}

/** One side of an entry alone. */
const insertUnbalanced = `INSERT INTO ledger_entries
  (account_id, payment_id, entry, booking, ledger_account, currency, amount, created_at)
  VALUES (?, ?, 'forged', 'captured', 'sales', 'USD', 1, 0)`

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const order = (orderId: string) => platform().call(contract.orders.get, { params: { orderId } })
  const paid = async () => pay(platform(), (await newInstrument(platform())).id)

  /** Each request comes a millisecond after the other, so that lists have an order. */
  function ask(kind: 'capture' | 'refund' | 'void', { id }: Payment, { body, fault, key }: Asked = {}) {
    const headers = { ...(fault && { 'Tillwright-Fault': fault }), ...(key && { 'Idempotency-Key': key }) }
    platform().clock.advance(1)
    const sent = kind === 'void' ? { headers } : { body: body ?? {}, headers }
    return platform().request('POST', `/api/payments/v1/payments/${id}/${kind}`, sent)
  }

  /** Recovery looks every five seconds, after a lease of a minute. */
  const recovered = (paymentId: string, status: Payment['status']) =>
    expect
      .poll(async () => (platform().clock.advance(61_000), (await read(paymentId)).status), {
        timeout: 60_000,
        interval: 5,
      })
      .toBe(status)

  test('an authorised payment takes no money until it is captured, once, in whole or in part', async () => {
    const payment = await authorise(platform())
    expect(payment).toMatchObject({ status: 'authorized', captureMethod: 'manual', capturedAmount: 0, captures: [] })
    expect(await read(payment.id)).toEqual(payment)
    expect((await order(payment.orderId)).status).toBe('pending')
    expect(await booksOf(payment, platform())).toMatchObject({ captured: 0 })

    expect((await ask('capture', payment, { body: { amount: 2_000 } })).error).toMatchObject({
      code: 'amount_invalid',
      param: 'amount',
    })
    const captured = await ask('capture', payment, { body: { amount: 1_500 } })
    expect(captured.status, captured.text).toBe(200)
    expect(captured.body).toMatchObject({
      status: 'succeeded',
      amount: 1_999,
      capturedAmount: 1_500,
      captures: [{ amount: 1_500, status: 'succeeded', failure: null }],
    })
    expect(await read(payment.id)).toEqual(captured.body)
    expect((await order(payment.orderId)).status).toBe('paid')
    expect(await booksOf(payment, platform())).toMatchObject({ captured: 1_500 })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_500, sales: -1_500 })
    expect((await ask('capture', payment)).error.code).toBe('state_conflict')
    expect((await ask('void', payment)).error.code).toBe('state_conflict')
    expect(await eventsOf(payment, platform())).toEqual([
      's_order_paid',
      's_payment_authorized',
      's_payment_created',
      's_payment_succeeded',
    ])
  })

  test('captures that are not final leave the rest authorised, and the final one pays the order', async () => {
    const payment = await authorise(platform())
    const part = await ask('capture', payment, { body: { amount: 500, finalCapture: false } })
    expect(part.body).toMatchObject({
      status: 'authorized',
      capturedAmount: 500,
      captures: [{ amount: 500, finalCapture: false, status: 'succeeded' }],
    })
    expect(await read(payment.id)).toEqual(part.body)
    expect((await order(payment.orderId)).status).toBe('pending')
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 500, sales: -500 })
    expect((await ask('capture', payment, { body: { amount: 1_500 } })).error.code).toBe('amount_invalid')
    expect((await ask('refund', payment)).error.code).toBe('state_conflict')
    const last = await ask('capture', payment, { body: { amount: 1_000 } })
    expect(last.body).toMatchObject({
      status: 'succeeded',
      capturedAmount: 1_500,
      captures: [{ amount: 500 }, { amount: 1_000, finalCapture: true }],
    })
    expect((await order(payment.orderId)).status).toBe('paid')
    expect(await booksOf(payment, platform())).toMatchObject({ captured: 1_500 })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_500, sales: -1_500 })
    expect((await ask('capture', payment)).error.code).toBe('state_conflict')
    expect((await ask('refund', payment)).body).toMatchObject({ status: 'refunded', refundedAmount: 1_500 })
    expect(await eventsOf(payment, platform())).toContain('s_payment_partially_captured')
  })

  test('a void after a part was captured gives back the rest alone, and the part pays the order', async () => {
    const payment = await authorise(platform())
    await ask('capture', payment, { body: { amount: 500, finalCapture: false } })
    expect((await ask('void', payment)).body).toMatchObject({ status: 'succeeded', capturedAmount: 500 })
    expect((await order(payment.orderId)).status).toBe('paid')
    expect(await booksOf(payment, platform())).toMatchObject({ captured: 500 })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 500, sales: -500 })
  })

  test('a captured payment is refunded in parts, never above what was captured, until nothing is left', async () => {
    const payment = await paid()
    expect(payment).toMatchObject({ captureMethod: 'automatic', capturedAmount: 1_999, captures: [{ amount: 1_999 }] })
    const part = await ask('refund', payment, { body: { amount: 1_000, reason: 'Torn' } })
    expect(part.body).toMatchObject({
      status: 'partially_refunded',
      refundedAmount: 1_000,
      refunds: [{ amount: 1_000, reason: 'Torn', status: 'succeeded' }],
    })
    expect(await read(payment.id)).toEqual(part.body)
    expect((await ask('refund', payment, { body: { amount: 1_000 } })).error).toMatchObject({
      code: 'amount_invalid',
      param: 'amount',
    })
    expect((await order(payment.orderId)).status).toBe('paid')

    const rest = await ask('refund', payment)
    expect(rest.body).toMatchObject({ status: 'refunded', refundedAmount: 1_999, refunds: [{}, { amount: 999 }] })
    expect(await read(payment.id)).toEqual(rest.body)
    expect((await order(payment.orderId)).status).toBe('refunded')
    expect(await booksOf(payment, platform())).toMatchObject({ captured: 1_999, refunded: 1_999 })
    expect(await balancesOf(payment.id, platform())).toEqual({ sales: -1_999, refunds: 1_999 })
    expect((await ask('refund', payment)).error.code).toBe('state_conflict')
    expect(await eventsOf(payment, platform())).toEqual([
      's_order_paid',
      's_order_refunded',
      's_payment_created',
      's_payment_refunded',
      's_payment_refunded',
      's_payment_succeeded',
    ])
  })

  test('a voided payment is canceled with its order, and the use of its promotion is free again', async () => {
    const { call, local, services } = platform()
    const code = newCode()
    const promotionId = await newPromotion(platform(), { code, usageLimit: 1 })
    const { variants } = await call(contract.products.get, { params: { productId: local.productId } })
    const lines = [{ variantId: variants[0]?.id ?? '', quantity: 1 }]
    const payment = await authorise(platform(), { amount: undefined, lines, promotionCodes: [code] })
    const usage = async () =>
      (await services.db.read('SELECT usage_count, usage_reserved FROM promotions WHERE id = ?', [promotionId]))[0]
    expect(await usage()).toEqual({ usage_count: 0, usage_reserved: 1 })

    const voided = await ask('void', payment)
    expect(voided.body).toMatchObject({ status: 'canceled', capturedAmount: 0 })
    expect(await read(payment.id)).toEqual(voided.body)
    expect((await order(payment.orderId)).status).toBe('canceled')
    expect(await usage()).toEqual({ usage_count: 0, usage_reserved: 0 })
    expect(await booksOf(payment, platform())).toMatchObject({ captured: 0, voided: 1 })
    expect((await ask('capture', payment)).error.code).toBe('state_conflict')
    expect(await eventsOf(payment, platform())).toEqual([
      's_order_canceled',
      's_payment_authorized',
      's_payment_canceled',
      's_payment_created',
    ])
  })

  test.for([
    ['capture', authorise, 'succeeded', { captured: 1_999, refunded: 0, voided: 0 }],
    ['refund', paid, 'refunded', { captured: 1_999, refunded: 1_999, voided: 0 }],
    ['void', authorise, 'canceled', { captured: 0, refunded: 0, voided: 1 }],
  ] as const)(
    'a %s whose answer is lost stays pending, is completed once, and is answered when asked again',
    async ([kind, begin, status, books]) => {
      const payment = await begin(platform())
      const asked = { fault: 'processor=timeout_after', key: `lost-${kind}` } as const
      const answer = await ask(kind, payment, asked)
      expect(answer.body).toMatchObject({ status: payment.status })
      expect((await ask('void', payment)).error.code).toBe('state_conflict')
      await recovered(payment.id, status)
      expect(await booksOf(payment, platform())).toEqual(books)
      expect(await ask(kind, payment, asked)).toMatchObject({ status: 200, text: answer.text })
    },
  )

  test('a refund that a crash left after it was sent is completed at the next start, and its request answered', async () => {
    const payment = await paid()
    const sent = { fault: 'processor=timeout_after', key: 'refund-and-die' } as const
    await ask('refund', payment, sent)
    await platform().services.db.write([
      {
        sql: `UPDATE idempotency_keys SET status = NULL, body = NULL, lease_until = expires_at
          WHERE body <> replace(body, ?, ?)`,
        params: [`"id":"${payment.id}"`, ''],
      },
      {
        sql: 'UPDATE payment_follow_ups SET lease_until = ? WHERE payment_id = ?',
        params: [engine === 'sqlite' ? platform().clock.now() + 3_600_000 : 0, payment.id],
      },
    ])
    await platform().restart()
    await expect.poll(async () => (platform().clock.advance(5_001), (await read(payment.id)).status)).toBe('refunded')
    expect(await booksOf(payment, platform())).toMatchObject({ refunded: 1_999 })
    const again = await ask('refund', payment, sent)
    expect(again.body).toEqual(await read(payment.id))
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('a payment whose buyer has to authenticate first is authorised when it is continued', async () => {
    const waiting = await newWaitingPayment(platform(), { captureMethod: 'manual' })
    await authenticateWaiting(platform(), waiting)
    const { id } = waiting.payment
    const continued = await platform().call(contract.payments.continue, { params: { paymentId: id } })
    expect(continued).toMatchObject({ status: 'authorized', captureMethod: 'manual', capturedAmount: 0 })
    expect((await ask('capture', continued)).body).toMatchObject({ status: 'succeeded', capturedAmount: 1_999 })
  })

  test('a request that never arrived is made again under the same id', async () => {
    const payment = await authorise(platform())
    const { captures } = contract.payments.capture.response.parse(
      (await ask('capture', payment, { fault: 'processor=timeout_before' })).body,
    )
    expect(captures).toMatchObject([{ status: 'pending', finishedAt: null }])
    await recovered(payment.id, 'succeeded')
    const completed = await read(payment.id)
    expect(completed.captures).toMatchObject([{ id: captures[0]?.id, status: 'succeeded' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
  })

  test('in an outage nothing changes but the record of the try, and the same key may try again', async () => {
    const payment = await paid()
    const key = 'outage'
    const failed = await ask('refund', payment, { fault: 'processor=outage', key })
    expect([failed.status, failed.error.code]).toEqual([502, 'upstream_failed'])
    const seen = await read(payment.id)
    expect(seen).toMatchObject({ status: 'succeeded', refundedAmount: 0, refunds: [{ failure: 'unavailable' }] })
    expect(await eventsOf(payment, platform())).toContain('s_payment_refund_failed')
    expect((await ask('refund', payment, { key })).body).toMatchObject({ status: 'refunded', refundedAmount: 1_999 })
  })

  test('a refund that its processor refuses gives nothing back and can be asked for again', async () => {
    const payment = await paid()
    const books = 'UPDATE simulator_charges SET captured = ? WHERE attempt_id = ?'
    const attemptId = payment.attempts[0]?.id ?? ''
    await platform().services.db.write([{ sql: books, params: [0, attemptId] }])
    expect((await ask('refund', payment)).error).toMatchObject({ code: 'state_conflict', paymentId: payment.id })
    expect(await read(payment.id)).toMatchObject({ status: 'succeeded', refunds: [{ failure: 'wrong_state' }] })
    await platform().services.db.write([{ sql: books, params: [1_999, attemptId] }])
    expect((await ask('refund', payment)).body).toMatchObject({ status: 'refunded' })
  })

  it('of many at once as many go through as there is money for, one after the other', async () => {
    const payment = await paid()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => ask('refund', payment, { body: { amount: 700 }, key: `many-${at}` })),
    )
    const done = answers.filter(({ status }) => status === 200).length
    expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 409 || status === 400)).toBe(
      true,
    )
    expect(done).toBeGreaterThanOrEqual(1)
    expect(done).toBeLessThanOrEqual(2)
    expect(await booksOf(payment, platform())).toMatchObject({ refunded: done * 700 })
    expect(await balancesOf(payment.id, platform())).toMatchObject({ refunds: done * 700 })
  })

  it('of a capture and a void at once one wins', async () => {
    const payment = await authorise(platform())
    const answers = await Promise.all([ask('capture', payment), ask('void', payment), ask('capture', payment)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const { captured, voided } = (await booksOf(payment, platform())) ?? {}
    expect(Number(captured) === 0).toBe(Number(voided) === 1)
  })

  test('the same key refunds once', async () => {
    const payment = await paid()
    const sent = { body: { amount: 500 }, key: 'same' }
    const first = await ask('refund', payment, sent)
    const again = await ask('refund', payment, sent)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await read(payment.id)).refundedAmount).toBe(500)
  })

  test('a declined payment, and one without money, can be neither captured nor refunded', async () => {
    const declined = await authorise(platform())
    await ask('void', declined)
    for (const kind of ['capture', 'refund', 'void'] as const) {
      expect((await ask(kind, declined)).error.code).toBe('state_conflict')
    }
  })

  test('a payment is refunded a bounded number of times', async () => {
    const payment = await paid()
    await platform().services.db.write([
      { sql: 'UPDATE payments SET refund_tries = ? WHERE id = ?', params: [REFUNDS_MAX, payment.id] },
    ])
    expect((await ask('refund', payment, { body: { amount: 1 } })).error.code).toBe('state_conflict')
  })

  test('a second capture of a payment is refused by an index, whichever process writes it', async () => {
    const payment = await paid()
    const { clock, services } = platform()
    const emitter = emitterAt(payment.accountId, services)
    const write = recordCapture(capturedAtOnce(payment, emitter), payment, clock.now())
    await expect(commit([write], services)).rejects.toMatchObject({
      code: 'internal',
      cause: { message: expect.stringContaining('single_capture') },
    })
  })

  test.for([
    ['ledger_balanced', 'capture', 'UPDATE payments SET captured_amount = 1 WHERE id = ?'],
    ['ledger_balanced', 'capture', insertUnbalanced],
    ['refunds_within_capture', 'refund', 'UPDATE payments SET refunded_amount = 500 WHERE id = ?'],
    ['ledger_balanced', 'refund', insertUnbalanced],
  ] as const)(
    'a change that would break %s is refused with a 500, and the log says so: %s',
    async ([name, kind, sql]) => {
      const { local, services, logged } = platform()
      const payment = kind === 'capture' ? await authorise(platform()) : await paid()
      const params = sql === insertUnbalanced ? [local.accountId, payment.id] : [payment.id]
      await services.db.write([{ sql, params }])
      const before = await read(payment.id)
      const lines = logged.length

      const answer = await ask(kind, payment)

      expect([answer.status, answer.error.code]).toEqual([500, 'internal'])
      expect(logged.slice(lines).filter((line) => line.includes(name) && line.includes(payment.id))).toHaveLength(1)
      const { captures: _, refunds: __, ...after } = await read(payment.id)
      expect(before).toMatchObject(after)
    },
  )
})
