import { afterAll, describe, expect, test } from 'vitest'
import {
  ca,
  CERT_URL,
  leaf,
  otherLeaf,
  paypalHeaders,
  root,
} from '../../../test/processors/paypal/paypal-certificates.ts'
import {
  type BookedOrder,
  CLIENT_ID,
  CLIENT_SECRET,
  type PayPalDouble,
  startPayPalDouble,
} from '../../../test/processors/paypal/paypal-double.ts'
import { methodConformance } from '../../../test/processors/driver.conformance.ts'
import { answeringLate, lateClock } from '../../../test/processors/late-clock.ts'
import {
  type AuthorisationChange,
  factsOf,
  newAuthorisation,
  newPostAuthorizationId,
} from '../../../test/processors/new-authorisation.ts'
import type { Authorisation } from '../authorisation.ts'
import type { Driver } from '../driver.ts'
import { paypalClient } from './client.ts'
import { readPayPalEvent } from './events.ts'
import { paypal } from './paypal.ts'
import { paypalDriver } from './paypal-driver.ts'

const MINUTE_MS = 60_000
const ORDERS = /^\/v2\/checkout\/orders$/
const TAKE = /\/(?:capture|authorize)$/
const WEBHOOK_ID = '1JE4291016473214C'
const doubles: PayPalDouble[] = []
afterAll(() => doubles.forEach((double) => double.stop()))

async function started({ timeoutMs }: { timeoutMs?: number } = {}) {
  const double = await startPayPalDouble()
  doubles.push(double)
  const clock = lateClock()
  const access = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, mode: 'sandbox', apiUrl: double.url } as const
  const client = paypalClient({ ...access, ...(timeoutMs !== undefined && { timeoutMs }) })
  const driver = paypalDriver({ client, clock })
  async function tell(type: string, resource: object) {
    const body = Buffer.from(JSON.stringify({ id: 'WH-1', event_type: type, resource }))
    const check = { webhookId: WEBHOOK_ID, nowMs: clock.now(), roots: [root], fetchCertificates: async () => leaf + ca }
    const event = await readPayPalEvent(
      { body, headers: paypalHeaders(body, { webhookId: WEBHOOK_ID }) },
      { ...check, client },
    )
    return event === null ? 'unsigned' : event.report()
  }
  return { double, clock, client, driver, tell }
}

methodConformance('PayPal', paypal.capabilities, async () => {
  const { double, driver } = await started()
  return {
    driver,
    async books() {
      const amounts = (of: (order: BookedOrder) => { amount: { value: string } }[]) =>
        double.orders.flatMap(of).reduce((sum, { amount }) => sum + Math.round(Number(amount.value) * 100), 0)
      return {
        accepted: captures(double.orders),
        captured: amounts(({ capture }) => (capture === null ? [] : [capture])),
        refunded: amounts(({ refunds }) => refunds),
      }
    },
    async decided({ attemptId }, as) {
      const order = double.orders.find(({ customId }) => customId === attemptId)
      if (order === undefined) throw new Error('The stand-in has every order.')
      if (as === 'refused') order.refused = { issue: 'INSTRUMENT_DECLINED' }
      double.approve(order.id)
    },
    losesRequests: () => driver,
    losesAnswers: () => driver,
  }
})

const returnUrl = 'https://shop.example/back'

function newOrder(change: AuthorisationChange = {}): Authorisation {
  return newAuthorisation({ method: { type: 'redirect', method: 'paypal' }, returnUrl, ...change })
}

/** A buyer is led to PayPal and approves. */
async function approved(
  { driver, double }: { driver: Driver; double: PayPalDouble },
  change: AuthorisationChange = {},
) {
  const attempt = newOrder(change)
  const led = await driver.authorise(attempt)
  if (led.outcome !== 'redirect') throw new Error(JSON.stringify(led))
  double.approve(led.reference)
  const order = double.orders.find(({ id }) => id === led.reference)
  if (order === undefined) throw new Error('The stand-in has every order.')
  return { attempt, reference: led.reference, query: { ...factsOf(attempt), reference: led.reference }, order }
}

function captures(orders: readonly BookedOrder[]): number {
  return orders.filter(({ capture }) => capture?.status === 'COMPLETED').length
}

describe('a buyer who pays with PayPal', () => {
  test('is led to an order that PayPal has, with the attempt’s id as key and as the number of its invoice', async () => {
    const { double, driver } = await started()
    const attempt = newOrder({ descriptor: 'ORDER 12', orderId: 'order_1' })
    const led = await driver.authorise(attempt)
    expect(led).toEqual({
      outcome: 'redirect',
      reference: double.orders[0]?.id,
      url: expect.stringContaining('paypal.com/checkoutnow'),
      expiresAtMs: attempt.startedAtMs + 60 * MINUTE_MS,
    })
    const sent = double.calls.find(({ path }) => ORDERS.test(path))
    expect(sent?.headers['paypal-request-id']).toBe(attempt.attemptId)
    expect(sent?.body).toEqual({
      intent: 'CAPTURE',
      purchase_units: [
        {
          amount: { currency_code: 'USD', value: '19.99' },
          custom_id: attempt.attemptId,
          invoice_id: attempt.attemptId,
          description: 'order_1',
          soft_descriptor: 'ORDER 12',
        },
      ],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: returnUrl,
            cancel_url: returnUrl,
            user_action: 'PAY_NOW',
            shipping_preference: 'NO_SHIPPING',
            payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
          },
        },
      },
    })
  })

  test('has paid at the first query after the approval, and once however many there are', async () => {
    const processor = await started()
    const { driver, double } = processor
    const attempt = newOrder()
    const led = await driver.authorise(attempt)
    const reference = 'reference' in led ? led.reference : null
    const query = { ...factsOf(attempt), reference }
    expect(await driver.query(query)).toEqual({ outcome: 'not_known_yet' })
    double.approve(reference ?? '')
    const paid = { outcome: 'succeeded', reference, fee: { amount: 89, currency: 'USD' } }
    expect(await driver.query(query)).toEqual(paid)
    expect(await Promise.all([1, 2, 3].map(() => driver.query(query)))).toEqual([paid, paid, paid])
    expect(captures(double.orders)).toBe(1)
  })

  test('sets money aside for later, which is captured or given up', async () => {
    const processor = await started()
    const { driver } = processor
    const { reference, query } = await approved(processor, { capture: 'later' })
    expect(await driver.query(query)).toEqual({ outcome: 'authorized', reference })
    const capture = { id: newPostAuthorizationId(), reference, amount: 2_000, currency: 'USD', isFinal: true }
    expect(await driver.capture(capture)).toEqual({ outcome: 'refused', reason: 'amount_too_large' })
    const part = { ...capture, id: newPostAuthorizationId(), amount: 1_500 }
    const done = { outcome: 'succeeded', reference: expect.stringMatching(/^PP/) }
    expect(await driver.capture(part)).toEqual(done)
    expect(await driver.capture(part)).toEqual(done)
    expect(await driver.query(query)).toEqual({ outcome: 'succeeded', reference, captured: 1_500 })
    expect(await driver.capture({ ...part, id: newPostAuthorizationId() })).toMatchObject({ reason: 'wrong_state' })
    expect(await driver.void({ id: newPostAuthorizationId(), reference })).toMatchObject({ reason: 'wrong_state' })
    const other = await approved(processor, { capture: 'later' })
    await driver.query(other.query)
    const voiding = { id: newPostAuthorizationId(), reference: other.reference }
    expect(await driver.void(voiding)).toEqual(done)
    expect(await driver.void(voiding)).toEqual(done)
    expect(await driver.query(other.query)).toEqual({ outcome: 'not_found' })
  })

  test('gets back a part and then the rest, each once, and never more', async () => {
    const processor = await started()
    const { driver, double } = processor
    const { reference, query } = await approved(processor)
    const refund = (amount: number, id = newPostAuthorizationId()) =>
      driver.refund({ id, reference, amount, currency: 'USD' })
    expect(await refund(1)).toEqual({ outcome: 'refused', reason: 'wrong_state' }) // nothing is taken yet
    await driver.query(query)
    const id = newPostAuthorizationId()
    expect(await refund(500, id)).toEqual(await refund(500, id))
    expect(await refund(1_500)).toEqual({ outcome: 'refused', reason: 'amount_too_large' })
    expect(await refund(1_499)).toMatchObject({ outcome: 'succeeded' })
    expect(await refund(1)).toEqual({ outcome: 'refused', reason: 'wrong_state' })
    expect(double.orders[0]?.refunds.map(({ amount }) => amount.value)).toEqual(['5.00', '14.99'])
    expect(await driver.query(query)).toMatchObject({ outcome: 'succeeded' })
    const none = { id, reference: 'PPNONE', amount: 1, currency: 'USD' }
    expect(await driver.refund(none)).toEqual({ outcome: 'refused', reason: 'unknown_reference' })
  })
})

test('a refund is of the capture that was made, also where one before it was declined', async () => {
  const processor = await started()
  const { driver, double } = processor
  const { reference, query, order } = await approved(processor, { capture: 'later' })
  await driver.query(query)
  const captured = (id = newPostAuthorizationId()) =>
    driver.capture({ id, reference, amount: 1_999, currency: 'USD', isFinal: true })
  order.refused = { status: 'DECLINED' }
  expect(await captured()).toMatchObject({ outcome: 'refused' })
  order.refused = null
  expect(await captured()).toMatchObject({ outcome: 'succeeded' })
  expect(await driver.refund({ id: newPostAuthorizationId(), reference, amount: 500, currency: 'USD' })).toMatchObject({
    outcome: 'succeeded',
  })
  expect(double.orders[0]?.refunds.map(({ amount }) => amount.value)).toEqual(['5.00'])
})

test('a buyer who comes back without having approved is declined, and one who says so of another order is not', async () => {
  const { double, driver } = await started()
  const attempt = newOrder()
  const { reference } = Object(await driver.authorise(attempt))
  const back = (returned: Record<string, string>) => driver.query({ ...factsOf(attempt), reference, returned })
  expect(await back({})).toEqual({ outcome: 'not_known_yet' })
  expect(await back({ token: 'PPOTHER' })).toEqual({ outcome: 'not_known_yet' })
  expect(await back({ token: reference })).toMatchObject({ outcome: 'declined', declineCode: 'buyer_canceled' })
  double.approve(reference)
  expect(await back({ token: reference, PayerID: 'PAYER' })).toMatchObject({ outcome: 'succeeded' })
})

describe('a buyer who does not come back', () => {
  test('has paid when PayPal’s event, or recovery, asks after the approval', async () => {
    const processor = await started()
    const { attempt, query, order } = await approved(processor)
    expect(
      await processor.tell('CHECKOUT.ORDER.APPROVED', {
        id: order.id,
        purchase_units: [{ custom_id: order.customId }],
      }),
    ).toEqual({
      about: 'attempt',
      attemptId: attempt.attemptId,
    })
    expect(await processor.driver.query(query)).toMatchObject({ outcome: 'succeeded' })
    expect(captures(processor.double.orders)).toBe(1)
  })

  test('and has approved too late, or never, pays nothing: the order is never captured', async () => {
    const processor = await started()
    const { driver, clock, double } = processor
    const late = await approved(processor)
    const never = newOrder()
    const led = Object(await driver.authorise(never))
    clock.forward(60 * MINUTE_MS)
    const expired = { outcome: 'declined', declineCode: 'payment_expired', kind: 'soft' }
    expect(await driver.query(late.query)).toMatchObject(expired)
    expect(await driver.query({ ...factsOf(never), reference: led.reference })).toMatchObject(expired)
    expect(await driver.query({ ...factsOf(never), reference: 'PPGONE' })).toMatchObject(expired)
    expect(captures(double.orders)).toBe(0)
  })
})

describe('when PayPal says no', () => {
  test.for([
    [{ issue: 'INSTRUMENT_DECLINED' }, 'do_not_honor', 'soft'],
    [{ issue: 'PAYER_ACCOUNT_LOCKED_OR_CLOSED' }, 'closed_account', 'hard'],
    [{ issue: 'TRANSACTION_BLOCKED_BY_PAYEE' }, 'fraudulent', 'hard'],
    [{ issue: 'TRANSACTION_REFUSED' }, 'generic_decline', 'soft'],
    [{ status: 'DECLINED', code: '5120' }, 'insufficient_funds', 'soft'],
    [{ status: 'DECLINED', code: '9520' }, 'lost_card', 'hard'],
    [{ status: 'DECLINED', reason: 'DECLINED_BY_RISK_FRAUD_FILTERS' }, 'fraudulent', 'hard'],
  ] as const)('%o is %s, which is %s', async ([refused, declineCode, kind]) => {
    const processor = await started()
    const { query, order } = await approved(processor)
    order.refused = refused
    expect(await processor.driver.query(query)).toMatchObject({ outcome: 'declined', declineCode, kind })
  })

  test('yet, because it looks at the payment or waits for a bank, it is pending', async () => {
    const processor = await started()
    const { query, order, reference } = await approved(processor)
    order.refused = { status: 'PENDING', reason: 'PENDING_REVIEW' }
    expect(await processor.driver.query(query)).toMatchObject({ outcome: 'pending', reference })
    if (order.capture !== null) order.capture.status = 'COMPLETED'
    expect(await processor.driver.query(query)).toMatchObject({ outcome: 'succeeded', reference })
  })

  test('to the order, or to the app, the attempt has not begun; what cannot be written never leaves', async () => {
    const { double, driver } = await started()
    double.disturb(ORDERS, 'too_many', 1)
    const outcomes = [
      await driver.authorise(newOrder()),
      await driver.authorise(newOrder({ amount: 1_234, currency: 'HUF' })),
      await driver.authorise(newOrder({ currency: 'KWD' })),
      await driver.authorise(newAuthorisation()),
      await driver.authorise(newOrder({ returnUrl: null })),
    ]
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(5).fill('refused_before_acceptance'))
    const secret = 'EnobodysSecret_0123456789-abcdefghijklmnopqrs'
    const client = paypalClient({ clientId: CLIENT_ID, clientSecret: secret, mode: 'sandbox', apiUrl: double.url })
    const outcome = await paypalDriver({ client, clock: lateClock() }).authorise(newOrder()).catch(String)
    expect(JSON.stringify(outcome)).not.toContain('nobody')
    expect(double.orders).toEqual([])
  })
})

describe('an answer that is lost', () => {
  test('to the order: the buyer was led nowhere, so that nothing began, whatever PayPal has', async () => {
    const { double, driver, clock } = await started()
    const attempt = newOrder()
    const calm = double.disturb(ORDERS, 'reset_after')
    await expect(driver.authorise(attempt)).rejects.toThrow('no answer')
    calm()
    expect(await answeringLate(driver, clock).query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
    clock.forward(2 * MINUTE_MS)
    expect(await driver.authorise(attempt)).toMatchObject({ outcome: 'refused_before_acceptance' })
    double.approve(double.orders[0]?.id ?? '')
    expect(captures(double.orders)).toBe(0)
  })

  test.for(['now', 'later'] as const)(
    'to the request for the money (%s) is got when it is asked again, with one payment',
    async (capture) => {
      const processor = await started()
      const { query } = await approved(processor, { capture })
      const calm = processor.double.disturb(TAKE, 'reset_after')
      await expect(processor.driver.query(query)).rejects.toThrow('no answer')
      calm()
      const outcome = capture === 'now' ? 'succeeded' : 'authorized'
      expect(await processor.driver.query(query)).toMatchObject({ outcome })
      expect(processor.double.orders.filter((order) => order.capture ?? order.authorization)).toHaveLength(1)
    },
  )

  test('because PayPal hangs or breaks leaves the outcome open', async () => {
    for (const how of ['hang_after', 'server_error'] as const) {
      const processor = await started({ timeoutMs: 500 })
      const { query } = await approved(processor)
      const calm = processor.double.disturb(TAKE, how, 1)
      await expect(processor.driver.query(query)).rejects.toThrow('PayPal gave no conclusive answer')
      calm()
      expect(await processor.driver.query(query)).toMatchObject({ outcome: 'succeeded' })
      expect(captures(processor.double.orders)).toBe(1)
    }
  })
})

describe('events', () => {
  test('of payments are about the attempt, and of captures and refunds of ours about those', async () => {
    const processor = await started()
    const { driver, tell } = processor
    const { attempt, query, order } = await approved(processor)
    await driver.query(query)
    const refund = { id: newPostAuthorizationId(), reference: order.id, amount: 100, currency: 'USD' }
    const refunded = await driver.refund(refund)
    const report = { about: 'attempt', attemptId: attempt.attemptId }
    for (const type of ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.PENDING', 'PAYMENT.CAPTURE.COMPLETED']) {
      expect(await tell(type, { id: order.capture?.id })).toEqual(report)
    }
    expect(await tell('PAYMENT.CAPTURE.REFUNDED', { id: order.refunds[0]?.id })).toEqual({
      about: 'post_authorization',
      id: refund.id,
      outcome: refunded,
    })
    const later = await approved(processor, { capture: 'later' })
    await driver.query(later.query)
    later.order.refused = { status: 'PENDING' }
    const capture = {
      id: newPostAuthorizationId(),
      reference: later.reference,
      amount: 1_999,
      currency: 'USD',
      isFinal: true,
    }
    expect(await driver.capture(capture)).toMatchObject({ outcome: 'pending' })
    if (later.order.capture !== null) later.order.capture.status = 'COMPLETED'
    expect(await tell('PAYMENT.CAPTURE.COMPLETED', { id: later.order.capture?.id })).toMatchObject({
      about: 'post_authorization',
      id: capture.id,
      outcome: { outcome: 'succeeded' },
    })
    if (later.order.capture !== null) later.order.capture.invoice_id = 'by hand'
    expect(await tell('PAYMENT.CAPTURE.COMPLETED', { id: later.order.capture?.id })).toEqual({
      about: 'attempt',
      attemptId: later.attempt.attemptId,
    })
    expect(await tell('BILLING.PLAN.CREATED', { id: 'P-1' })).toBeNull()
  })

  test.for([undefined, 'RMA-2031', 'order_0123456789abcdefABCDEF'])(
    'of a refund that was made at PayPal, where its invoice is %s, report all of the payment’s refunds',
    async (invoice_id) => {
      const processor = await started()
      const { attempt, query, order } = await approved(processor)
      await processor.driver.query(query)
      const links = [
        { rel: 'up', method: 'GET', href: `https://api.paypal.com/v2/payments/captures/${order.capture?.id}` },
      ]
      const amount = { currency_code: 'USD', value: '3.00' }
      order.refunds.push({ id: 'PPDASHBOARD', status: 'COMPLETED', amount, invoice_id, links })
      const { attemptId } = attempt
      expect(await processor.tell('PAYMENT.CAPTURE.REFUNDED', { id: 'PPDASHBOARD' })).toEqual({
        about: 'refunds',
        refunds: { attemptId, refunds: [{ reference: 'PPDASHBOARD', amount: 300 }], reversed: [] },
      })
      Object.assign(order.refunds[0] ?? {}, { status: 'FAILED' })
      expect(await processor.tell('PAYMENT.REFUND.FAILED', { id: 'PPDASHBOARD' })).toEqual({
        about: 'refunds',
        refunds: { attemptId, refunds: [], reversed: ['PPDASHBOARD'] },
      })
    },
  )

  test('of money that PayPal has taken back report the dispute that it is about, and without one a refund', async () => {
    const processor = await started()
    const { attempt, query, order } = await approved(processor)
    await processor.driver.query(query)
    const links = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/${order.capture?.id}` }]
    const amount = { currency_code: 'USD', value: '19.99' }
    order.refunds.push({
      id: 'PPREVERSAL',
      status: 'COMPLETED',
      amount,
      links: links.map((link) => ({ ...link, method: 'GET' })),
    })
    expect(await processor.tell('PAYMENT.CAPTURE.REVERSED', { id: 'PPREVERSAL', links })).toEqual({
      about: 'refunds',
      refunds: { attemptId: attempt.attemptId, refunds: [{ reference: 'PPREVERSAL', amount: 1_999 }], reversed: [] },
    })
    processor.double.disputes.set('PP-D-1', {
      dispute_id: 'PP-D-1',
      status: 'RESOLVED',
      dispute_amount: amount,
      dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' },
      disputed_transactions: [{ seller_transaction_id: order.capture?.id }],
    })
    expect(await processor.tell('PAYMENT.CAPTURE.REVERSED', { id: 'PPREVERSAL', links })).toMatchObject({
      about: 'dispute',
      dispute: { reference: 'PP-D-1', attemptId: attempt.attemptId, kind: 'chargeback', status: 'lost', amount: 1_999 },
    })
  })

  test.for([
    ['WAITING_FOR_SELLER_RESPONSE', 'INQUIRY', undefined, 'inquiry', 'open'],
    ['UNDER_REVIEW', 'CHARGEBACK', undefined, 'chargeback', 'open'],
    ['RESOLVED', 'CHARGEBACK', 'RESOLVED_SELLER_FAVOUR', 'chargeback', 'won'],
    ['RESOLVED', 'CHARGEBACK', 'RESOLVED_BUYER_FAVOUR', 'chargeback', 'lost'],
    ['RESOLVED', 'INQUIRY', 'CANCELED_BY_BUYER', 'inquiry', 'won'],
    ['RESOLVED', 'INQUIRY', 'RESOLVED_BUYER_FAVOUR', 'inquiry', 'prevented'],
    ['RESOLVED', 'CHARGEBACK', 'NONE', 'chargeback', 'prevented'],
  ] as const)(
    'of a dispute that is %s, %s, %s report a %s that is %s',
    async ([status, stage, outcome, kind, reported]) => {
      const processor = await started()
      const { attempt, query, order } = await approved(processor)
      await processor.driver.query(query)
      processor.double.disputes.set('PP-D-1', {
        dispute_id: 'PP-D-1',
        reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
        status,
        dispute_life_cycle_stage: stage,
        dispute_amount: { currency_code: 'USD', value: '19.99' },
        ...(outcome !== undefined && { dispute_outcome: { outcome_code: outcome } }),
        disputed_transactions: [{ seller_transaction_id: order.capture?.id }],
      })
      expect(await processor.tell('CUSTOMER.DISPUTE.UPDATED', { dispute_id: 'PP-D-1' })).toEqual({
        about: 'dispute',
        dispute: {
          reference: 'PP-D-1',
          attemptId: attempt.attemptId,
          kind,
          status: reported,
          reason: 'merchandise_or_service_not_received',
          amount: 1_999,
          currency: 'USD',
          respondBy: null,
        },
      })
    },
  )
})

test.for([
  [undefined, { status: 'lost' }],
  ['19.99', { status: 'lost', taken: 1_999 }],
  ['5.00', { status: 'lost', taken: 500 }],
  ['0.00', { status: 'prevented', taken: 0 }],
] as const)('of a claim that ends for the buyer with %s the report says what was taken', async ([value, reported]) => {
  const processor = await started()
  const { query, order } = await approved(processor)
  await processor.driver.query(query)
  processor.double.disputes.set('PP-D-1', {
    dispute_id: 'PP-D-1',
    status: 'RESOLVED',
    dispute_amount: { currency_code: 'USD', value: '19.99' },
    dispute_outcome: {
      outcome_code: 'RESOLVED_BUYER_FAVOUR',
      ...(value !== undefined && { amount_refunded: { currency_code: 'USD', value } }),
    },
    disputed_transactions: [{ seller_transaction_id: order.capture?.id }],
  })
  expect(await processor.tell('CUSTOMER.DISPUTE.RESOLVED', { dispute_id: 'PP-D-1' })).toMatchObject({
    about: 'dispute',
    dispute: { kind: 'chargeback', amount: 1_999, ...reported },
  })
})

describe('the signature of a webhook', () => {
  const body = Buffer.from(
    JSON.stringify({ id: 'WH-1', event_type: 'CHECKOUT.ORDER.APPROVED', resource: { id: 'PP1' } }),
  )
  const headers = paypalHeaders(body, { webhookId: WEBHOOK_ID })
  const nowMs = Date.UTC(2030, 0, 1)
  const fetched: string[] = []
  async function isTaken(
    change: Partial<Parameters<typeof readPayPalEvent>[0]> & {
      pem?: string
      roots?: readonly string[]
      nowMs?: number
    },
  ) {
    const { client } = await started()
    const { pem = leaf + ca, roots = [root], nowMs: at = nowMs, ...sent } = change
    const fetchCertificates = async (url: URL) => (fetched.push(url.href), pem)
    const check = { webhookId: WEBHOOK_ID, nowMs: at, roots, fetchCertificates, client }
    return (await readPayPalEvent({ body, headers, ...sent }, check)) !== null
  }

  test('is taken with a chain to a root that is trusted, in any order, with or without the root', async () => {
    expect(await isTaken({})).toBe(true)
    expect(await isTaken({ pem: leaf + root + ca })).toBe(true)
    expect(new Set(fetched)).toEqual(new Set([CERT_URL]))
  })

  test.for([
    ['a body that was changed', { body: Buffer.from('{}') }],
    ['a root that is not trusted', { roots: [] }],
    ['a chain with a gap', { pem: leaf }],
    ['no certificate', { pem: 'Not found' }],
    [
      'a certificate that is not PayPal’s',
      { pem: otherLeaf + ca, headers: paypalHeaders(body, { webhookId: WEBHOOK_ID, as: 'other' }) },
    ],
    ['the key of another certificate', { headers: paypalHeaders(body, { webhookId: WEBHOOK_ID, as: 'other' }) }],
    ['another webhook’s id', { headers: paypalHeaders(body, { webhookId: 'ANOTHER0000000000' }) }],
    ['a certificate that is not valid yet', { nowMs: Date.UTC(2020, 0, 1) }],
    ['another algorithm', { headers: { ...headers, 'paypal-auth-algo': 'SHA1withRSA' } }],
    ['no signature', { headers: {} }],
  ] as const)('is not taken with %s', async ([, change]) => {
    expect(await isTaken(change)).toBe(false)
  })

  test.for([
    'https://paypal.com.evil.example/v1/notifications/certs/CERT-1',
    'https://evilpaypal.com/v1/notifications/certs/CERT-1',
    'http://api.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com:8443/v1/notifications/certs/CERT-1',
    'https://api.paypal.com/v1/notifications/certs/CERT-1?again=1',
    'https://api.paypal.com/v1/notifications/certs/CERT-1/other',
    'https://api.paypal.com@evil.example/v1/notifications/certs/CERT-1',
    'https://www.paypal.com/redirect?to=https://evil.example',
    'nowhere',
  ])('is not even looked into with a certificate at %s', async (certUrl) => {
    const before = fetched.length
    expect(await isTaken({ headers: paypalHeaders(body, { webhookId: WEBHOOK_ID, certUrl }) })).toBe(false)
    expect(fetched).toHaveLength(before)
  })
})

test('all that was sent in these tests is as PayPal documents it', () => {
  expect(doubles.flatMap(({ problems }) => problems)).toEqual([])
  expect(doubles.some(({ calls }) => calls.length > 0)).toBe(true)
})
