import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { filledPage } from '../../test/buyer-session.ts'
import { authorise, newInstrument, pay, requestPayment, serviceToken } from '../../test/pay-with-card.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { SLOW_MS } from '../processors/driver.ts'

/** The processor answers after two seconds of the platform's clock, which stands still until a test moves it. */
const slow = { 'Tillwright-Fault': 'processor=slow' }
const ANSWER_S = 1

describe.each(testableEngines())('on %s, with clients that wait for a second', (engine) => {
  const platform = sharedPlatform({ engine, env: { TILLWRIGHT_ANSWER_SECONDS: String(ANSWER_S) } })
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const ends = (paymentId: string, wanted: Partial<Payment>) =>
    expect.poll(() => read(paymentId), { timeout: 20_000 }).toMatchObject(wanted)
  const charges = async (attemptId: string | undefined) =>
    platform().services.db.read('SELECT captured, refunded FROM simulator_charges WHERE attempt_id = ?', [
      attemptId ?? '',
    ])

  test('a slow payment is answered as processing, goes on, and stays one under its key', async () => {
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const sent = { headers: { ...slow, 'Idempotency-Key': `slow-${engine}` } }
    const begun = performance.now()
    const both = [1, 2].map(() => requestPayment(platform(), { paymentInstrumentId }, sent))
    const [first, second] = await Promise.all(both)
    const { id }: Payment = JSON.parse(first?.text ?? '{}')
    expect(performance.now() - begun).toBeLessThan(ANSWER_S * 1_000 + 5_000)
    expect(first).toMatchObject({ status: 201, body: { status: 'processing' } })
    expect(second?.text).toBe(first?.text)

    platform().clock.advance(SLOW_MS)
    await ends(id, { status: 'succeeded' })
    const payment = await read(id)
    expect(await charges(payment.attempts[0]?.id)).toEqual([{ captured: payment.amount, refunded: 0 }])
    const later = await requestPayment(platform(), { paymentInstrumentId }, sent)
    expect([later.text, later.headers['idempotent-replayed']]).toEqual([first?.text, 'true'])
  })

  test('slow captures, refunds and voids are answered as pending, and end', async () => {
    const [captured, refunded, voided] = [
      await authorise(platform()),
      await pay(platform(), (await newInstrument(platform())).id),
      await authorise(platform()),
    ]
    const ask = (payment: Payment, kind: string) => {
      const path = `/api/payments/v1/payments/${payment.id}/${kind}`
      return platform().request('POST', path, { headers: slow, ...(kind !== 'void' && { body: {} }) })
    }
    const answers = await Promise.all([ask(captured, 'capture'), ask(refunded, 'refund'), ask(voided, 'void')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers[0]?.body).toMatchObject({ status: 'authorized', captures: [{ status: 'pending' }] })
    expect(answers[1]?.body).toMatchObject({ status: 'succeeded', refunds: [{ status: 'pending' }] })
    expect(answers[2]?.body).toMatchObject({ status: 'authorized' })

    platform().clock.advance(SLOW_MS)
    await ends(captured.id, { status: 'succeeded', capturedAmount: captured.amount })
    await ends(refunded.id, { status: 'refunded', refundedAmount: refunded.amount })
    await ends(voided.id, { status: 'canceled' })
  })

  test('a page learns that its payment is processing, and finds its end in the session', async () => {
    const page = await filledPage(platform())
    const body = { serviceToken: await serviceToken(platform()), expectedAmount: page.session.order.amount }
    const answer = await page.send('POST', '/pay', { body, headers: slow })
    expect(answer).toMatchObject({ status: 201, body: { status: 'processing', declineCode: null } })
    expect(await page.call(contract.session.get, {})).toMatchObject({ order: { status: 'pending' } })
    platform().clock.advance(SLOW_MS)
    await expect
      .poll(async () => (await page.call(contract.session.get, {})).payment?.status, { timeout: 20_000 })
      .toBe('succeeded')
  })

  test('an authorised payment is captured by a process that has not authorised it', async () => {
    const payment = await authorise(platform())
    await platform().services.db.write([
      { sql: `UPDATE payments SET holder = 'proc_other' WHERE id = ?`, params: [payment.id] },
    ])
    const path = `/api/payments/v1/payments/${payment.id}/capture`
    const captured = await platform().request('POST', path, { body: {} })
    expect(captured).toMatchObject({ status: 200, body: { status: 'succeeded', capturedAmount: payment.amount } })
  })
})
