import { contract, type Payment } from '@tillwright/contract'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { balancesOf, eventsOf } from '../../test/payments/money-of.ts'
import type { BookedDispute } from '../../test/processors/stripe/stripe-books.ts'
import { DOUBLE_KEY, startStripeDouble, type StripeDouble } from '../../test/processors/stripe/stripe-double.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { commit } from '../http/operations/commit.ts'
import { insertProcessor } from '../processors/processors.ts'
import { sealProcessorSecret } from '../processors/settings.ts'
import { stripe as driver } from '../processors/stripe/stripe.ts'
import { sealWebhookSecret } from '../processors/webhook-secret.ts'

const SECRET = 'whsec_0123456789abcdef0123'
const STRIPE = 'processor_stripe'
const stripe = new Stripe(DOUBLE_KEY)

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  let double: StripeDouble
  let paymentFlowId: string

  beforeAll(async () => {
    double = await startStripeDouble()
    const { services, local, clock, call } = platform()
    const { accountId } = local
    const settings = driver.settings.parse({ apiUrl: double.url })
    const sealedSecret = sealProcessorSecret(DOUBLE_KEY, STRIPE, services)
    const processor = { id: STRIPE, accountId, name: 'Stripe', driver: 'stripe' as const, settings, sealedSecret }
    const secret = {
      sql: 'UPDATE processors SET sealed_webhook_secret = ? WHERE account_id = ? AND id = ?',
      params: [sealWebhookSecret(SECRET, { id: STRIPE }, services), accountId, STRIPE],
    }
    await commit([insertProcessor(processor, clock.now()), secret], services)
    const data = { name: 'Stripe', strategy: 'simple' as const, processorConfigs: [{ processorId: STRIPE }] }
    paymentFlowId = (await call(contract.paymentFlows.create, { body: { data } })).id
  })
  afterAll(() => double.stop())

  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })

  async function pay(): Promise<Payment> {
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
    return contract.payments.create.response.parse(answer.body)
  }

  function intentOf({ attempts }: Payment) {
    const intent = [...double.books.intents.values()].find(({ metadata }) => metadata['attempt'] === attempts[0]?.id)
    if (intent === undefined) throw new Error('Stripe knows the attempt of every payment here.')
    return intent
  }

  /** An event as Stripe sends it: signed, unless a test wants another signature. */
  async function tell(type: string, object: object, change: { secret?: string; ageS?: number; path?: string } = {}) {
    const { secret = SECRET, ageS = 0, path = `${platform().local.accountId}/${STRIPE}` } = change
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
    const timestamp = Math.floor(platform().clock.now() / 1_000) - ageS
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    return platform().request('POST', `/api/processors/v1/${path}/stripe-events`, {
      key: '',
      body: payload,
      headers: { 'stripe-signature': signature },
    })
  }

  function disputed(payment: Payment, change: Partial<BookedDispute> = {}): BookedDispute {
    const id = `dp_${payment.id}`
    const intent = intentOf(payment).id
    const dispute: BookedDispute = {
      id,
      amount: 1_999,
      currency: 'usd',
      reason: 'fraudulent',
      status: 'needs_response',
      evidence_details: { due_by: 1_900_000_000 },
      ...change,
      payment_intent: intent,
    }
    double.books.disputes.set(id, dispute)
    return dispute
  }

  it('a dispute is opened and decided as Stripe has it, once however often it is reported', async () => {
    const payment = await pay()
    const dispute = disputed(payment)
    const answers = await Promise.all([1, 2, 3].map(() => tell('charge.dispute.created', dispute)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await read(payment.id)).disputes).toMatchObject([
      {
        kind: 'chargeback',
        status: 'open',
        reason: 'fraudulent',
        amount: 1_999,
        respondBy: '2030-03-17T17:46:40.000Z',
      },
    ])
    expect(await balancesOf(payment.id, platform())).toEqual({ disputes: 1_999, sales: -1_999 })
    disputed(payment, { status: 'lost' })
    for (const type of ['charge.dispute.closed', 'charge.dispute.created']) await tell(type, dispute)
    expect((await read(payment.id)).disputes).toMatchObject([{ status: 'lost' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ losses: 1_999, sales: -1_999 })
    const events = await eventsOf(payment, platform())
    expect(events.filter((type) => /dispute/.test(type))).toEqual(['s_dispute_lost', 's_dispute_opened'])
  })

  test('evidence that Stripe never answers is refused after half a minute, and a dispute goes on', async () => {
    const payment = await pay()
    await tell('charge.dispute.created', disputed(payment))
    const [opened] = (await read(payment.id)).disputes
    const asked = /\/disputes\//
    const sent = double.calls.filter(({ path }) => asked.test(path)).length
    const end = double.disturb(asked, 'hang_after')
    const body = { productDescription: 'A pair of wool socks' }
    const answer = platform().request('POST', `/api/payments/v1/disputes/${opened?.id}/evidence`, { body })
    await double.until(asked, sent + 1)
    platform().clock.advance(30_001)
    expect(await answer).toMatchObject({ status: 502, error: { code: 'upstream_failed' } })
    end()
    expect((await read(payment.id)).disputes).toMatchObject([{ status: 'open', evidenceSubmittedAt: null }])
  })

  test('the end of a dispute that comes before its beginning is enough', async () => {
    const payment = await pay()
    await tell('charge.dispute.closed', disputed(payment, { status: 'warning_closed' }))
    expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'inquiry', status: 'won' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
  })

  it.for([
    ['goes on', 'under_review', 'open', { disputes: 1_999, sales: -1_999 }],
    ['is won', 'won', 'won', { processor: 1_999, sales: -1_999 }],
    ['is lost', 'lost', 'lost', { losses: 1_999, sales: -1_999 }],
  ] as const)('an inquiry becomes a chargeback that %s', async ([, status, ends, balances]) => {
    const payment = await pay()
    await tell('charge.dispute.created', disputed(payment, { status: 'warning_needs_response' }))
    expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'inquiry', status: 'open' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
    const dispute = disputed(payment, { status })
    const answers = await Promise.all([1, 2, 3].map(() => tell('charge.dispute.updated', dispute)))
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'chargeback', status: ends }])
    expect(await balancesOf(payment.id, platform())).toEqual(balances)
    const events = (await eventsOf(payment, platform())).filter((type) => /dispute/.test(type))
    expect(events.filter((type) => type === 's_dispute_opened')).toHaveLength(2)
    expect(events.filter((type) => type !== 's_dispute_opened')).toEqual(ends === 'open' ? [] : [`s_dispute_${ends}`])
  })

  it('a payment that was refunded can be disputed all the same, and its money is withheld a second time', async () => {
    const [whole, part] = [await pay(), await pay()]
    for (const [{ id }, amount] of [
      [whole, 1_999],
      [part, 500],
    ] as const) {
      const path = `/api/payments/v1/payments/${id}/refund`
      expect((await platform().request('POST', path, { body: { amount } })).status).toBe(200)
    }
    for (const payment of [whole, part]) {
      expect((await tell('charge.dispute.created', disputed(payment))).status).toBe(200)
      expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'chargeback', status: 'open', amount: 1_999 }])
      expect(await eventsOf(payment, platform())).toContain('s_dispute_opened')
    }
    expect(await balancesOf(whole.id, platform())).toEqual({
      processor: -1_999,
      refunds: 1_999,
      disputes: 1_999,
      sales: -1_999,
    })
    const more = await platform().request('POST', `/api/payments/v1/payments/${part.id}/refund`, { body: {} })
    expect([more.status, more.error.code]).toEqual([409, 'state_conflict'])
    await tell('charge.dispute.closed', disputed(whole, { status: 'won' }))
    await tell('charge.dispute.closed', disputed(part, { status: 'lost' }))
    expect(await balancesOf(whole.id, platform())).toEqual({ refunds: 1_999, sales: -1_999 })
    expect(await balancesOf(part.id, platform())).toEqual({
      processor: -500,
      refunds: 500,
      losses: 1_999,
      sales: -1_999,
    })
    expect(await read(whole.id)).toMatchObject({ status: 'refunded', disputes: [{ status: 'won' }] })
  })

  test('a refund made at Stripe, which ends an inquiry, is put on record while that is open', async () => {
    const payment = await pay()
    await tell('charge.dispute.created', disputed(payment, { status: 'warning_needs_response' }))
    const { id } = intentOf(payment)
    const refund = {
      object: 'refund',
      amount: 1_999,
      currency: 'usd',
      status: 'succeeded',
      payment_intent: id,
    } as const
    double.books.refunds.push({ id: `re_${payment.id}`, ...refund })
    expect((await tell('charge.refunded', { payment_intent: id })).status).toBe(200)
    expect(await read(payment.id)).toMatchObject({ status: 'refunded', refundedAmount: 1_999 })
    await tell('charge.dispute.closed', disputed(payment, { status: 'warning_closed' }))
    expect(await balancesOf(payment.id, platform())).toEqual({ refunds: 1_999, sales: -1_999 })
  })

  test('a dispute that was prevented is none, and ends the inquiry that it was before', async () => {
    const [never, inquired] = [await pay(), await pay()]
    expect((await tell('charge.dispute.created', disputed(never, { status: 'prevented' }))).status).toBe(200)
    expect((await read(never.id)).disputes).toEqual([])
    await tell('charge.dispute.created', disputed(inquired, { status: 'warning_needs_response' }))
    await tell('charge.dispute.updated', disputed(inquired, { status: 'prevented' }))
    expect((await read(inquired.id)).disputes).toMatchObject([{ kind: 'inquiry', status: 'won' }])
    expect(await balancesOf(inquired.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
  })

  it('money of a card that Stripe had declined is booked when Stripe tells of it, and given back', async () => {
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number: '4000000000000002' })
    const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
    expect(answer.status).toBe(402)
    const { paymentId } = z.object({ paymentId: z.string() }).parse(answer.error)
    const payment = await read(paymentId)
    expect(payment).toMatchObject({ status: 'declined', paymentMethod: { type: 'card' } })
    const intent = intentOf(payment)
    expect((await tell('payment_intent.succeeded', intent)).status).toBe(200)
    expect(await read(paymentId)).toMatchObject({ status: 'declined', capturedAmount: 0 })
    const charge = {
      id: intent.id.replace('pi', 'ch'),
      object: 'charge',
      amount_refunded: 0,
      payment_method_details: { card: { network_transaction_id: intent.id.slice(-15) } },
    } as const
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, latest_charge: charge })
    expect((await tell('payment_intent.succeeded', intent)).status).toBe(200)
    await expect
      .poll(async () => (platform().clock.advance(5_001), (await read(paymentId)).status), { timeout: 60_000 })
      .toBe('refunded')
    expect(await read(paymentId)).toMatchObject({ routing: { paidLate: true }, refundedAmount: payment.amount })
    expect(await eventsOf(payment, platform())).toContain('s_payment_paid_late')
  })

  it('a refund is put on record once, wherever it was made, and undone when Stripe tells that it has failed', async () => {
    const payment = await pay()
    const own = `/api/payments/v1/payments/${payment.id}/refund`
    expect((await platform().request('POST', own, { body: { amount: 500 } })).status).toBe(200)
    const intent = intentOf(payment)
    double.books.refunds.push({
      id: `re_${payment.id}`,
      object: 'refund',
      amount: 300,
      currency: 'usd',
      status: 'succeeded',
      payment_intent: intent.id,
    })
    const charge = { payment_intent: intent.id }
    const answers = await Promise.all([1, 2, 3].map(() => tell('charge.refunded', charge)))
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect((await tell('charge.refunded', charge)).status).toBe(200)
    const refunded = await read(payment.id)
    expect(refunded).toMatchObject({ status: 'partially_refunded', refundedAmount: 800 })
    expect(refunded.refunds.map(({ amount, status }) => [amount, status])).toEqual([
      [500, 'succeeded'],
      [300, 'succeeded'],
    ])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_199, refunds: 800, sales: -1_999 })
    for (const failed of double.books.refunds.filter(({ payment_intent: id }) => id === intent.id)) {
      Object.assign(failed, { status: 'failed' })
      expect((await tell('refund.failed', { id: failed.id })).status).toBe(200)
    }
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
  })

  it.for([
    ['paid', 'refund.updated', 'succeeded', { refundedAmount: 500 }, { processor: 1_499, refunds: 500, sales: -1_999 }],
    ['failed', 'refund.failed', 'failed', { refundedAmount: 0 }, { processor: 1_999, sales: -1_999 }],
  ] as const)(
    'a refund waits for the money at Stripe, and is %s when Stripe tells so',
    async ([, type, status, totals, balances]) => {
      const payment = await pay()
      double.books.balance = 0
      const path = `/api/payments/v1/payments/${payment.id}/refund`
      expect((await platform().request('POST', path, { body: { amount: 500 } })).status).toBe(200)
      double.books.balance = Infinity
      expect(await read(payment.id)).toMatchObject({ refundedAmount: 0, refunds: [{ status: 'pending' }] })
      const refund = double.books.refunds.find(({ payment_intent: id }) => id === intentOf(payment).id)
      expect((await tell(type, { id: refund?.id })).status).toBe(200)
      expect((await read(payment.id)).refunds).toMatchObject([{ status: 'pending' }])
      Object.assign(refund ?? {}, { status })
      expect((await tell(type, { id: refund?.id })).status).toBe(200)
      expect(await read(payment.id)).toMatchObject({ ...totals, refunds: [{ status }] })
      expect(await balancesOf(payment.id, platform())).toEqual(balances)
    },
  )

  test('a payment whose outcome is not known is asked about as soon as Stripe tells of it', async () => {
    const end = double.disturb(/\/confirm$/, 'reset_after')
    const payment = await pay().finally(end)
    expect(payment.status).toBe('processing')
    await tell('payment_intent.succeeded', intentOf(payment))
    platform().clock.advance(5_001)
    await expect.poll(async () => (await read(payment.id)).status, { timeout: 60_000 }).toBe('succeeded')
  })

  test('an event that is unsigned, or was signed long ago, changes nothing, and those of another address are not taken', async () => {
    const payment = await pay()
    const dispute = disputed(payment)
    expect((await tell('charge.dispute.created', dispute, { secret: 'whsec_ffffffffffffffffffff' })).status).toBe(400)
    expect((await tell('charge.dispute.created', dispute, { ageS: 301 })).status).toBe(400)
    expect((await tell('charge.dispute.created', dispute, { path: `acc_1/${STRIPE}` })).status).toBe(404)
    const simulated = `${platform().local.accountId}/processor_none`
    expect((await tell('charge.dispute.created', dispute, { path: simulated })).status).toBe(404)
    expect((await read(payment.id)).disputes).toEqual([])
  })

  test('what is nothing to us is taken, and what Stripe cannot be asked about comes again', async () => {
    expect((await tell('customer.created', {})).status).toBe(200)
    expect((await tell('payment_intent.succeeded', { metadata: {} })).status).toBe(200)
    expect((await tell('charge.dispute.created', { id: 'dp_none' })).status).toBe(503)
    const end = double.disturb(/\/confirm$/, 'reset_after')
    const payment = await pay().finally(end)
    expect((await tell('charge.dispute.created', disputed(payment))).status).toBe(503)
    expect((await read(payment.id)).disputes).toEqual([])
  })
})
