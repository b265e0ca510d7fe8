import { createHmac } from 'node:crypto'
import type { DisputeEvidence } from '@tillwright/contract'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type BookedPayment,
  CHANNEL,
  CHECKOUT_KEY,
  type CheckoutDouble,
  startCheckoutDouble,
} from '../../../test/processors/checkout-com/checkout-double.ts'
import { driverConformance } from '../../../test/processors/driver.conformance.ts'
import { answeringLate, lateClock } from '../../../test/processors/late-clock.ts'
import { factsOf, newAuthorisation, newPostAuthorizationId, proof } from '../../../test/processors/new-authorisation.ts'
import type { Driver } from '../driver.ts'
import { checkoutCom } from './checkout-com.ts'
import { checkoutDriver } from './checkout-driver.ts'
import { checkoutClient } from './client.ts'
import { readCheckoutEvent } from './events.ts'

const MINUTE_MS = 60_000
const PAYMENTS = /^\/payments$/
const SIGNING_KEY = 'a-key-of-the-merchants'
const doubles: CheckoutDouble[] = []
afterAll(() => doubles.forEach((double) => double.stop()))

async function started({
  timeoutMs,
  statementCity = null,
}: { timeoutMs?: number; statementCity?: string | null } = {}) {
  const double = await startCheckoutDouble()
  doubles.push(double)
  const clock = lateClock()
  const access = { secretKey: CHECKOUT_KEY, apiUrl: double.url, ...(timeoutMs !== undefined && { timeoutMs }) }
  const client = checkoutClient(access)
  const driver = checkoutDriver({ client, account: { processingChannelId: CHANNEL, statementCity }, clock })
  const read = (event: object, key = SIGNING_KEY) => {
    const body = Buffer.from(JSON.stringify(event))
    const signature = createHmac('sha256', key).update(body).digest('hex')
    return readCheckoutEvent(body, { signature, signingKey: SIGNING_KEY, client })
  }
  const tell = (type: string, data: object) => read({ id: 'evt_1', type, data })?.report()
  return { double, clock, driver, read, tell }
}

function disturbed(driver: Driver, double: CheckoutDouble, how: 'reset_before' | 'reset_after'): Driver {
  return {
    ...driver,
    async authorise(authorisation) {
      const end = double.disturb(PAYMENTS, how)
      return driver.authorise(authorisation).finally(end)
    },
  }
}

const openDispute = {
  category: 'fraudulent',
  amount: 999,
  currency: 'USD',
  status: 'evidence_required',
  evidence_required_by: '2030-02-01T00:00:00Z',
}

driverConformance('Checkout.com', checkoutCom.capabilities, async () => {
  const { double, driver, clock } = await started({ timeoutMs: 1_000 })
  return {
    driver: answeringLate(driver, clock),
    async books() {
      const sum = (of: (payment: BookedPayment) => number) => double.payments.reduce((all, each) => all + of(each), 0)
      return {
        accepted: sum(({ authorized }) => (authorized > 0 ? 1 : 0)),
        captured: sum(({ captured }) => captured),
        refunded: sum(({ refunded }) => refunded),
      }
    },
    async disputed({ attemptId }) {
      const id = double.payments.find(({ reference }) => reference === attemptId)?.id ?? ''
      double.disputes.set(`dsp_${id}`, { ...openDispute, id: `dsp_${id}`, payment: { id } })
      return `dsp_${id}`
    },
    losesRequests: () => disturbed(driver, double, 'reset_before'),
    losesAnswers: () => disturbed(driver, double, 'reset_after'),
  }
})

async function referenceOf(driver: Driver, capture: 'now' | 'later' = 'later'): Promise<string> {
  const outcome = await driver.authorise(newAuthorisation({ capture }))
  if (!('reference' in outcome) || outcome.reference === null) throw new Error(JSON.stringify(outcome))
  return outcome.reference
}

describe('what Checkout.com is sent', () => {
  test('the attempt’s id is key and reference, and the channel and the text of the statement go along', async () => {
    const { double, driver } = await started({ statementCity: 'DUBLIN' })
    const attempt = newAuthorisation({ capture: 'later', descriptor: 'ORDER 12', orderId: 'order_1' })
    await driver.authorise(attempt)
    expect(double.calls[0]?.headers['cko-idempotency-key']).toBe(attempt.attemptId)
    expect(double.calls[0]?.body).toEqual({
      source: {
        type: 'card',
        number: '4242424242424242',
        expiry_month: 12,
        expiry_year: 2040,
        cvv: '123',
        stored: false,
      },
      amount: 1_999,
      currency: 'USD',
      reference: attempt.attemptId,
      processing_channel_id: CHANNEL,
      capture: false,
      '3ds': { enabled: false },
      metadata: { order: 'order_1' },
      payment_type: 'Regular',
      merchant_initiated: false,
      billing_descriptor: { name: 'ORDER 12', city: 'DUBLIN' },
    })
  })

  test('the key of the environment does not take the place of the account’s', async () => {
    process.env['CKO_SECRET_KEY'] = 'sk_sbox_anothers0anothers0anothe*'
    try {
      const { driver } = await started()
      expect(await driver.authorise(newAuthorisation())).toMatchObject({ outcome: 'succeeded' })
    } finally {
      delete process.env['CKO_SECRET_KEY']
    }
  })

  test('the proof of 3-D Secure and an exemption go out in one object', async () => {
    const { double, driver } = await started()
    await driver.authorise(newAuthorisation({ threeds: proof }))
    for (const exemption of checkoutCom.capabilities.exemptions) await driver.authorise(newAuthorisation({ exemption }))
    const made = double.calls.filter(({ method }) => method === 'POST')
    const [proven, ...exempted] = made.map(({ body }) => Object(body)['3ds'])
    expect(proven).toEqual({
      enabled: true,
      eci: '05',
      cryptogram: proof.authenticationValue,
      xid: proof.dsTransactionId,
      version: '2.2.0',
    })
    expect(exempted.map(({ exemption }) => exemption)).toEqual([
      'low_value',
      'transaction_risk_assessment',
      'recurring_operation',
      'trusted_listing',
      'secure_corporate_payment',
    ])
  })

  test('what came of an exemption is in the payment when it is asked for; without an answer it is unknown, and the payment stands', async () => {
    const { double, driver } = await started()
    const pay = (change = {}) => driver.authorise(newAuthorisation({ exemption: 'low_risk', ...change }))
    expect(await pay()).toMatchObject({ outcome: 'succeeded', exemption: 'honoured' })
    expect(await pay({ number: '4000000000003014' })).toMatchObject({ outcome: 'succeeded', exemption: 'refused' })
    for (const how of ['reset_before', 'hang_before'] as const) {
      const calm = double.disturb(/^\/payments\/pay_/, how)
      expect(await pay()).toMatchObject({ outcome: 'succeeded', exemption: 'unknown' })
      calm()
    }
    expect(double.payments.map(({ captured }) => captured)).toEqual([1_999, 1_999, 1_999, 1_999])
  })

  test.for([
    ['4895370012003478', null, 'vts'],
    ['5204240250012345', null, 'mdes'],
    ['4895370012003478', 'apple_pay', 'applepay'],
    ['4895370012003478', 'google_pay', 'googlepay'],
  ] as const)('the token %s of %s is one of %s, and goes out with its cryptogram', async ([number, wallet, type]) => {
    const { double, driver } = await started()
    const token = { kind: 'network_token', number, expMonth: 3, expYear: 2040, wallet } as const
    const card = { ...token, cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', eci: '05' }
    await driver.authorise(newAuthorisation({ method: { type: 'card', card, network: null } }))
    expect(Object(double.calls[0]?.body)['source']).toMatchObject({
      type: 'network_token',
      token: number,
      token_type: type,
      cryptogram: card.cryptogram,
      eci: '05',
    })
  })

  test.for([
    ['first', 'recurring', 'buyer', 'Recurring', false],
    ['first', 'unscheduled', 'buyer', 'Unscheduled', false],
    ['later', 'cardholder', 'buyer', 'Regular', true],
    ['later', 'recurring', 'merchant', 'Recurring', true],
    ['later', 'installment', 'merchant', 'Installment', true],
    ['later', 'unscheduled', 'merchant', 'Unscheduled', true],
  ] as const)('a %s %s charge that the %s asks for is %s', async ([use, reason, initiatedBy, type, stored]) => {
    const { double, driver } = await started()
    const networkTransactionId = use === 'later' ? '489341065491658' : null
    await driver.authorise(newAuthorisation({ initiatedBy, storedCredential: { use, reason, networkTransactionId } }))
    const sent = Object(double.calls[0]?.body)
    expect(sent).toMatchObject({
      payment_type: type,
      merchant_initiated: initiatedBy === 'merchant',
      source: { stored },
    })
    expect(sent['previous_payment_id']).toBe(networkTransactionId ?? undefined)
  })

  test('what cannot be written, or is no card, never leaves', async () => {
    const { double, driver } = await started()
    const outcomes = [
      await driver.authorise(newAuthorisation({ amount: 1_231, currency: 'KWD' })),
      await driver.authorise(newAuthorisation({ amount: 1_000_000_000 })),
      await driver.authorise(newAuthorisation({ method: { type: 'redirect', method: 'ideal' } })),
    ]
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(3).fill('refused_before_acceptance'))
    expect(double.calls).toEqual([])
  })
})

describe('an answer that is lost', () => {
  test('is got again under the same key, or found by the attempt’s id', async () => {
    const { double, driver } = await started()
    double.disturb(PAYMENTS, 'reset_after', 1)
    const attempt = newAuthorisation()
    const outcome = await driver.authorise(attempt)
    expect(outcome).toMatchObject({ outcome: 'succeeded', checks: { cvc: 'pass' } })
    expect(double.payments).toHaveLength(1)
    expect(await driver.query(factsOf(attempt))).toEqual(outcome)
    expect(double.calls.at(-1)?.query.get('reference')).toBe(attempt.attemptId)
  })

  test('is still unknown after a repetition that was not authorised', async () => {
    const { double, driver } = await started()
    const attempt = newAuthorisation()
    double.disturb(PAYMENTS, 'reset_after', 1)
    double.disturb(PAYMENTS, 'unauthorized', 1)
    await expect(driver.authorise(attempt)).rejects.toThrow('no answer')
    expect(await driver.query(factsOf(attempt))).toMatchObject({ outcome: 'succeeded' })
  })

  test('is not known until no request can be on its way any more, and what still wants to leave then does not', async () => {
    const { double, driver, clock } = await started({ timeoutMs: 300 })
    const attempt = newAuthorisation()
    const calm = double.disturb(PAYMENTS, 'hang_before', 1)
    const resets = double.disturb(PAYMENTS, 'reset_before')
    await expect(disturbed(driver, double, 'reset_before').authorise(attempt)).rejects.toThrow('no answer')
    calm()
    resets()
    expect(await driver.query(factsOf(attempt))).toEqual({ outcome: 'not_known_yet' })
    clock.forward(3 * MINUTE_MS)
    expect(await driver.query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
    expect(await driver.authorise(attempt)).toMatchObject({ outcome: 'refused_before_acceptance' })
    expect(double.payments).toEqual([])
  })

  test('an invalid number and an invalid key have not begun', async () => {
    const { double, driver } = await started()
    expect(await driver.authorise(newAuthorisation({ number: '4242424242424241' }))).toMatchObject({
      outcome: 'declined',
      declineCode: 'invalid_number',
    })
    const client = checkoutClient({ secretKey: 'sk_sbox_nobodysnobodysnobodysnobo*', apiUrl: double.url })
    const account = { processingChannelId: CHANNEL, statementCity: null }
    const outcome = await checkoutDriver({ client, account, clock: lateClock() }).authorise(newAuthorisation())
    expect(outcome).toMatchObject({ outcome: 'refused_before_acceptance', reason: expect.stringContaining('401') })
    expect(JSON.stringify(outcome)).not.toMatch(/nobody|424242/)
  })
})

describe('a capture or a refund that is done later', () => {
  test('is pending until then, and told by the event and by a repetition, however often', async () => {
    const { double, driver, tell } = await started()
    const reference = await referenceOf(driver)
    const capture = { id: newPostAuthorizationId(), reference, amount: 1_999, currency: 'USD', isFinal: true }
    const finish = double.postpone()
    const asked = await driver.capture(capture)
    expect(asked).toEqual({ outcome: 'pending', reference: expect.stringMatching(/^act_/) })
    expect(await driver.capture(capture)).toEqual(asked)
    finish()
    const done = { outcome: 'succeeded', reference: Object(asked).reference }
    const event = { id: reference, action_id: Object(asked).reference }
    for (let time = 0; time < 3; time++) {
      expect(await tell('payment_captured', event)).toEqual({
        about: 'post_authorization',
        id: capture.id,
        outcome: done,
      })
    }
    const sent = double.calls.filter(({ path }) => path.endsWith('/captures')).length
    expect(await driver.capture(capture)).toEqual(done)
    expect(double.calls.filter(({ path }) => path.endsWith('/captures'))).toHaveLength(sent)
    expect(double.payments).toMatchObject([{ captured: 1_999 }])
  })
})

describe('events', () => {
  test('are taken with the signature of the key alone', async () => {
    const { read } = await started()
    const event = { id: 'evt_1', type: 'payment_approved', data: { id: 'pay_1' } }
    expect(read(event)).toMatchObject({ id: 'evt_1', type: 'payment_approved' })
    expect(read(event, 'another-key-of-the-merchants')).toBeNull()
    expect(read({ id: 1 })).toBeNull()
  })

  test('of a payment are about its attempt, and of nothing that is ours about nothing', async () => {
    const { double, driver, tell } = await started()
    const attempt = newAuthorisation()
    const outcome = Object(await driver.authorise(attempt))
    const report = { about: 'attempt', attemptId: attempt.attemptId }
    for (const type of ['payment_approved', 'payment_declined', 'payment_expired']) {
      expect(await tell(type, { id: outcome.reference })).toEqual(report)
    }
    const done = {
      id: 'act_dashboard',
      amount: 0,
      approved: true,
      response_code: '10000',
      reference: 'by hand',
    } as const
    for (const [type, event] of [
      ['Void', 'payment_voided'],
      ['Capture', 'payment_captured'],
    ] as const) {
      double.payments[0]?.actions.unshift({ ...done, type })
      expect(await tell(event, { id: outcome.reference, action_id: done.id })).toEqual(report)
    }
    expect(await tell('card_verified', { id: outcome.reference })).toBeNull()
    await expect(tell('payment_approved', { id: 'pay_none' })).rejects.toThrow('status 404')
  })

  test('of a capture that came with its payment and was declined say that no money has come', async () => {
    const { double, driver, tell } = await started()
    const attempt = newAuthorisation()
    const { reference } = Object(await driver.authorise(attempt))
    const [booked] = double.payments
    if (booked === undefined) throw new Error('The stand-in has every payment.')
    const { attemptId } = attempt
    const declined = { id: 'act_declined', type: 'Capture', amount: 1_999, approved: false } as const
    booked.actions.unshift({ ...declined, response_code: '20006', reference: attemptId })
    const event = { id: reference, action_id: declined.id }
    expect(await tell('payment_capture_declined', event)).toEqual({ about: 'attempt', attemptId }) // another one has taken it
    Object.assign(booked, { captured: 0, isFinal: false })
    expect(await tell('payment_capture_declined', event)).toEqual({ about: 'reversed_capture', attemptId })
  })

  test.for([
    ['a reference of its own', () => 'from the dashboard'],
    ['that of its payment', ({ attemptId }: { attemptId: string }) => attemptId],
    ['none', () => ''],
  ] as const)(
    'of a refund that was made in the dashboard, with %s, report all of the payment’s refunds',
    async ([, labelOf]) => {
      const { double, driver, tell } = await started()
      const attempt = newAuthorisation()
      const { reference } = Object(await driver.authorise(attempt))
      await driver.refund({ id: newPostAuthorizationId(), reference, amount: 500, currency: 'USD' })
      const own = { id: 'act_dashboard', type: 'Refund', amount: 300, approved: true } as const
      double.payments[0]?.actions.unshift({ ...own, response_code: '10000', reference: labelOf(attempt) })
      expect(await tell('payment_refunded', { id: reference, action_id: own.id })).toEqual({
        about: 'refunds',
        refunds: {
          attemptId: attempt.attemptId,
          refunds: [
            { reference: 'act_dashboard', amount: 300 },
            { reference: expect.stringMatching(/^act_a/), amount: 500 },
          ],
          reversed: [],
        },
      })
    },
  )

  test.for([
    ['evidence_required', 'open'],
    ['evidence_under_review', 'open'],
    ['won', 'won'],
    ['canceled', 'won'],
    ['lost', 'lost'],
    ['expired', 'lost'],
    ['resolved', 'prevented'],
  ] as const)(
    'of a dispute that is %s report it as %s, as it stands and not as it was told',
    async ([status, reported]) => {
      const { double, driver, tell } = await started()
      const attempt = newAuthorisation()
      const { reference } = Object(await driver.authorise(attempt))
      double.disputes.set('dsp_1', { ...openDispute, id: 'dsp_1', status, payment: { id: reference } })
      expect(await tell('dispute_received', { id: 'dsp_1' })).toEqual({
        about: 'dispute',
        dispute: {
          reference: 'dsp_1',
          attemptId: attempt.attemptId,
          kind: 'chargeback',
          status: reported,
          reason: 'fraudulent',
          amount: 999,
          currency: 'USD',
          respondBy: '2030-02-01T00:00:00.000Z',
        },
      })
    },
  )
})

describe('evidence', () => {
  async function disputed() {
    const { double, driver } = await started()
    double.disputes.set('dsp_1', { ...openDispute, id: 'dsp_1', payment: { id: await referenceOf(driver, 'now') } })
    const submit = (evidence: DisputeEvidence) =>
      driver.submitEvidence?.({ id: newPostAuthorizationId(), reference: 'dsp_1', evidence })
    return { double, submit }
  }

  test('is put into the texts that Checkout.com has, and submitted', async () => {
    const { double, submit } = await disputed()
    const evidence = {
      shippingCarrier: 'DHL',
      shippingTrackingNumber: 'JJD1',
      customerName: 'Ada',
      uncategorizedText: 'Fine',
    }
    expect(await submit(evidence)).toEqual({ outcome: 'submitted' })
    expect(double.disputes.get('dsp_1')).toMatchObject({
      status: 'evidence_under_review',
      evidence: {
        proof_of_delivery_or_service_text: 'Carrier: DHL\nTracking number: JJD1',
        invoice_or_receipt_text: 'Buyer: Ada',
        additional_evidence_text: 'Also: Fine',
      },
    })
  })

  test('is refused when it was submitted before', async () => {
    const { submit } = await disputed()
    await submit({ customerName: 'Ada' })
    expect(await submit({ customerName: 'Ada' })).toEqual({ outcome: 'refused', reason: 'too_late' })
  })

  test('that is longer than what Checkout.com takes is not sent at all', async () => {
    const { double, submit } = await disputed()
    const long = { serviceDate: 'May', shippingAddress: 'x'.repeat(300), accessActivityLog: 'y'.repeat(300) }
    const fields = ['shippingAddress', 'accessActivityLog']
    expect(await submit(long)).toEqual({ outcome: 'refused', reason: 'too_long', fields, atMost: 500 })
    expect(double.disputes.get('dsp_1')).toMatchObject({ status: 'evidence_required' })
    expect(double.calls.filter(({ path }) => path.startsWith('/disputes'))).toEqual([])
  })

  test('whose submission got no answer can be sent once more', async () => {
    const { double, submit } = await disputed()
    const end = double.disturb(/evidence$/, 'server_error')
    await expect(submit({ customerName: 'Ada' })).rejects.toThrow('status 500')
    end()
    expect(await submit({ customerName: 'Ada' })).toEqual({ outcome: 'submitted' })
  })
})

test('all that was sent in these tests is as Checkout.com documents it', () => {
  expect(doubles.flatMap(({ problems }) => problems)).toEqual([])
  expect(doubles.some(({ calls }) => calls.length > 0)).toBe(true)
})
