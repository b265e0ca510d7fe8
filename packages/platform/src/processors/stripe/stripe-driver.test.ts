import { afterAll, describe, expect, test } from 'vitest'
import { driverConformance } from '../../../test/processors/driver.conformance.ts'
import { factsOf, newAuthorisation, proof } from '../../../test/processors/new-authorisation.ts'
import type { Disturbance } from '../../../test/processors/stand-in.ts'
import type { Intent } from '../../../test/processors/stripe/stripe-books.ts'
import { DOUBLE_KEY, startStripeDouble, type StripeDouble } from '../../../test/processors/stripe/stripe-double.ts'
import { manualClock } from '../../runtime/clock.ts'
import type { Driver } from '../driver.ts'
import { type StripeAccess, stripeClient } from './client.ts'
import { stripeDriver } from './stripe-driver.ts'
import { stripe } from './stripe.ts'

const HOUR_MS = 60 * 60 * 1_000
/** The path of the requests that carry a card, or the data sent with it. */
const CONFIRM = /\/confirm$/

function driverTo({ url }: StripeDouble, access: Partial<StripeAccess> = {}, nowMs = newAuthorisation().startedAtMs) {
  return stripeDriver(stripeClient({ secretKey: DOUBLE_KEY, apiUrl: url, ...access }), manualClock(nowMs))
}

/** In the order in which they were made. */
function intentsOf({ books }: StripeDouble): Intent[] {
  return [...books.intents.values()]
}

const doubles: StripeDouble[] = []
afterAll(() => doubles.forEach((double) => double.stop()))
async function started(): Promise<StripeDouble> {
  const double = await startStripeDouble()
  doubles.push(double)
  return double
}

driverConformance('Stripe', stripe.capabilities, async () => {
  const double = await started()
  const driver = driverTo(double)
  const disturbed = (how: Disturbance): Driver => ({
    ...driver,
    async authorise(authorisation) {
      const end = double.disturb(CONFIRM, how)
      return driver.authorise(authorisation).finally(end)
    },
  })
  return {
    driver,
    async books() {
      const intents = intentsOf(double)
      const sum = (of: (intent: (typeof intents)[number]) => number) => intents.reduce((all, each) => all + of(each), 0)
      return {
        accepted: sum(({ latest_charge: charge }) => (charge === null ? 0 : 1)),
        captured: sum((intent) => intent.amount_received),
        refunded: sum(({ latest_charge: charge }) => charge?.amount_refunded ?? 0),
      }
    },
    async disputed({ attemptId }) {
      const intent = intentsOf(double).find(({ metadata }) => metadata['attempt'] === attemptId)
      const id = `du_${attemptId}`
      const evidence_details = { due_by: null }
      const what = { amount: 1_999, currency: 'usd', reason: 'fraudulent', status: 'needs_response' } as const
      double.books.disputes.set(id, { id, ...what, evidence_details, payment_intent: intent?.id ?? '' })
      return id
    },
    losesRequests: () => disturbed('reset_before'),
    losesAnswers: () => disturbed('reset_after'),
  }
})

describe('what Stripe is sent', () => {
  test('who asks and the network that was chosen go out with the confirmation', async () => {
    const double = await started()
    const driver = driverTo(double)
    await driver.authorise(newAuthorisation({ initiatedBy: 'merchant', network: 'cartes_bancaires' }))
    await driver.authorise(newAuthorisation({ network: 'bancontact' })) // which Stripe does not let a merchant choose
    const [absent, present] = double.requests.filter(({ path }) => CONFIRM.test(path)).map(({ form }) => form)
    expect(absent?.get('off_session')).toBe('one_off')
    expect(absent?.get('payment_method_options[card][network]')).toBe('cartes_bancaires')
    expect(present?.has('off_session')).toBe(false)
    expect(present?.has('payment_method_options[card][network]')).toBe(false)
  })

  test.for([
    ['first', 'recurring', 'buyer', { setup_future_usage: 'off_session' }],
    ['first', 'unscheduled', 'buyer', { setup_future_usage: 'off_session' }],
    ['first', 'cardholder', 'buyer', { setup_future_usage: 'on_session' }],
    ['later', 'cardholder', 'buyer', {}],
    ['later', 'recurring', 'merchant', { off_session: 'recurring' }],
    ['later', 'installment', 'merchant', { off_session: 'recurring' }],
    ['later', 'unscheduled', 'merchant', { off_session: 'one_off' }],
  ] as const)('a %s %s charge that the %s asks for is told as one', async ([use, reason, initiatedBy, fields]) => {
    const double = await started()
    const storedCredential = { use, reason, networkTransactionId: null }
    await driverTo(double).authorise(newAuthorisation({ initiatedBy, storedCredential }))
    const form = double.requests.find(({ path }) => CONFIRM.test(path))?.form
    const { off_session, setup_future_usage }: Record<string, string> = Object.fromEntries(form ?? [])
    expect({ off_session, setup_future_usage }).toEqual({
      off_session: undefined,
      setup_future_usage: undefined,
      ...fields,
    })
  })

  test('the card goes out in one request alone, and the attempt’s id is the key of each', async () => {
    const double = await started()
    const attempt = newAuthorisation({ capture: 'later', descriptor: 'ORDER 12', currency: 'ISK', amount: 1_500 })
    await driverTo(double).authorise(attempt)
    const withCard = double.requests.filter(({ form }) => [...form.values()].includes('4242424242424242'))
    expect(withCard.map(({ path }) => path)).toEqual(['payment_methods'])
    expect(double.requests.map(({ idempotencyKey }) => idempotencyKey).toSorted()).toEqual([
      attempt.attemptId,
      `${attempt.attemptId}-card`,
      `${attempt.attemptId}-confirm`,
    ])
    expect(intentsOf(double)).toMatchObject([
      {
        amount: 150_000,
        currency: 'isk',
        capture_method: 'manual',
        statement_descriptor_suffix: 'ORDER 12',
        metadata: { attempt: attempt.attemptId },
      },
    ])
  })

  test('a proof of 3-D Secure and the chosen network go with the confirmation', async () => {
    const double = await started()
    const threeds = { ...proof, score: '12', cavvAlgorithm: '2' }
    await driverTo(double).authorise(newAuthorisation({ threeds, network: 'cartes_bancaires' }))
    const confirmation = double.requests.find(({ path }) => CONFIRM.test(path))
    const card = 'payment_method_options[card]'
    expect(Object.fromEntries(confirmation?.form ?? [])).toEqual({
      payment_method: expect.stringMatching(/^pm_/),
      error_on_requires_action: 'true',
      'expand[0]': 'latest_charge.balance_transaction',
      [`${card}[network]`]: 'cartes_bancaires',
      [`${card}[three_d_secure][ares_trans_status]`]: 'C',
      [`${card}[three_d_secure][requestor_challenge_indicator]`]: '01',
      [`${card}[three_d_secure][network_options][cartes_bancaires][cb_avalgo]`]: '2',
      [`${card}[three_d_secure][network_options][cartes_bancaires][cb_score]`]: '12',
      [`${card}[three_d_secure][cryptogram]`]: threeds.authenticationValue,
      [`${card}[three_d_secure][electronic_commerce_indicator]`]: '05',
      [`${card}[three_d_secure][transaction_id]`]: threeds.dsTransactionId,
      [`${card}[three_d_secure][version]`]: '2.2.0',
    })
    await driverTo(double).authorise(newAuthorisation({ network: 'bancontact' })) // which Stripe does not know by this name
    const last = double.requests.findLast(({ path }) => CONFIRM.test(path))
    expect([...(last?.form.keys() ?? [])].join(' ')).not.toContain('network')
  })
})

test('an authentication apart from the browser is a challenge to Stripe, which has no other word for it', async () => {
  const double = await started()
  await driverTo(double).authorise(newAuthorisation({ threeds: { ...proof, authenticationStatus: 'D' } }))
  const confirmation = double.requests.find(({ path }) => CONFIRM.test(path))
  expect(confirmation?.form.get('payment_method_options[card][three_d_secure][ares_trans_status]')).toBe('C')
})

describe('when Stripe refuses', () => {
  test('a number with a wrong digit is declined, and its intent has not seen a card', async () => {
    const double = await started()
    const outcome = await driverTo(double).authorise(newAuthorisation({ number: '4242424242424241' }))
    expect(outcome).toMatchObject({ outcome: 'declined', declineCode: 'invalid_number', kind: 'hard' })
    expect(intentsOf(double)).toMatchObject([{ status: 'requires_payment_method', latest_charge: null }])
  })

  test.for([
    ['an amount below the smallest', { amount: 49 }, {}],
    ['an amount that it cannot write', { amount: 1_234, currency: 'KWD' }, {}],
    ['the key of nobody', {}, { secretKey: 'sk_test_nobody' }],
  ] as const)('%s, the attempt has not begun and may go elsewhere', async ([, change, access]) => {
    const double = await started()
    const attempt = newAuthorisation(change)
    const outcome = await driverTo(double, access).authorise(attempt)
    expect(outcome).toMatchObject({ outcome: 'refused_before_acceptance' })
    expect(JSON.stringify(outcome)).not.toMatch(/nobody|424242/)
    if (!('secretKey' in access)) {
      expect(await driverTo(double).query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
    }
  })

  test('because of its rate limit, before or with the card, the attempt has not begun', async () => {
    for (const path of [/\/payment_intents$/, /\/payment_methods$/, CONFIRM]) {
      const double = await started()
      double.disturb(path, 'too_many', 1)
      const attempt = newAuthorisation()
      expect(await driverTo(double).authorise(attempt)).toMatchObject({ outcome: 'refused_before_acceptance' })
      expect(await driverTo(double).query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
      expect(intentsOf(double).map(({ status }) => status)).toEqual(['canceled'])
    }
  })

  test('a refund because of its rate limit, what came of the request before is not known', async () => {
    const double = await started()
    const driver = driverTo(double)
    const outcome = await driver.authorise(newAuthorisation())
    const reference = 'reference' in outcome ? (outcome.reference ?? '') : ''
    const refund = { id: 're_1', reference, amount: 100, currency: 'USD' }
    double.disturb(/\/refunds$/, 'too_many', 1)
    await expect(driver.refund(refund)).rejects.toThrow('no conclusive answer')
    expect(await driver.refund(refund)).toMatchObject({ outcome: 'succeeded' })
    expect(await driver.refund({ ...refund, currency: 'KWD', amount: 1_001 })).toEqual({
      outcome: 'refused',
      reason: 'unsupported_amount',
    })
  })
})

test('a refund that Stripe cannot pay yet is pending, and asked for again it is not made twice, keys forgotten or not', async () => {
  const double = await started()
  const driver = driverTo(double)
  const outcome = await driver.authorise(newAuthorisation())
  const reference = 'reference' in outcome ? (outcome.reference ?? '') : ''
  const refund = { id: 're_1', reference, amount: 100, currency: 'USD' }
  double.books.balance = 99
  expect(await driver.refund(refund)).toMatchObject({ outcome: 'pending' })
  double.forgetKeys()
  expect(await driver.refund(refund)).toMatchObject({ outcome: 'pending' })
  const [made] = double.books.refunds
  Object.assign(made ?? {}, { status: 'succeeded' })
  expect(await driver.refund(refund)).toEqual({ outcome: 'succeeded', reference: made?.id })
  Object.assign(made ?? {}, { status: 'failed' })
  expect(await driver.refund(refund)).toEqual({ outcome: 'refused', reason: 'reversed' })
  expect(double.books.refunds).toHaveLength(1)
})

test('captures that are asked for again, and the release of the rest, are not made twice, keys forgotten or not', async () => {
  const double = await started()
  const driver = driverTo(double)
  const outcome = await driver.authorise(newAuthorisation({ capture: 'later', amount: 1_000 }))
  const reference = 'reference' in outcome ? (outcome.reference ?? '') : ''
  const done = { outcome: 'succeeded', reference }
  const wanted = { reference, currency: 'USD', amount: 300, isFinal: false }
  for (const id of ['cap_1', 'cap_2']) {
    expect(await driver.capture({ ...wanted, id })).toEqual(done)
    double.forgetKeys()
    expect(await driver.capture({ ...wanted, id })).toEqual(done)
  }
  const rest = { id: 'void_1', reference, currency: 'USD', amount: 400 }
  expect(await driver.void(rest)).toEqual(done)
  double.forgetKeys()
  expect(await driver.void(rest)).toEqual(done)
  expect(await driver.capture({ ...wanted, id: 'cap_2' })).toEqual(done)
  expect(intentsOf(double)[0]?.amount_received).toBe(600)
})

/** The requests that an attempt and the question after it consist of. */
const legs = [/\/payment_intents$/, /\/payment_methods$/, CONFIRM, /\/payment_intents\/pi_\d+$/, /\/cancel$/]
const disturbances = ['too_many', 'server_error', 'reset_before', 'reset_after'] as const

describe.concurrent('when the network or Stripe is disturbed', () => {
  test.for(legs.flatMap((leg) => disturbances.map((how) => [how, leg] as const)))(
    '%s on %s: who tries elsewhere only where he is told that he may, charges once',
    async ([how, leg]) => {
      const double = await started()
      const driver = driverTo(double)
      const attempt = newAuthorisation()
      const calm = double.disturb(leg, how)
      const confirmation = double.disturb(CONFIRM, 'server_error', leg === CONFIRM ? 0 : 1)
      const answered = await driver.authorise(attempt).catch(() => null)
      const asked = answered ?? (await driver.query(factsOf(attempt)).catch(() => null))
      confirmation()
      calm()
      const { outcome } = asked ?? (await driver.query(factsOf(attempt)))
      expect(['succeeded', 'refused_before_acceptance', 'not_found']).toContain(outcome)
      if (outcome !== 'succeeded') await driver.authorise(newAuthorisation())
      expect(intentsOf(double).filter((intent) => intent.amount_received > 0)).toHaveLength(1)
    },
  )

  test('an answer that is lost once is got again under the same key, with one charge', async () => {
    const double = await started()
    double.disturb(CONFIRM, 'reset_after', 1)
    expect(await driverTo(double).authorise(newAuthorisation())).toMatchObject({ outcome: 'succeeded' })
    expect(double.requests.filter(({ path }) => CONFIRM.test(path))).toHaveLength(2)
    expect(intentsOf(double).filter(({ status }) => status === 'succeeded')).toHaveLength(1)
  })

  test.for([
    ['hang_before', 'not_found', 'canceled'],
    ['hang_after', 'succeeded', 'succeeded'],
  ] as const)('%s: a query after the time-out answers %s', async ([how, found, status]) => {
    const double = await started()
    const attempt = newAuthorisation()
    double.disturb(CONFIRM, how)
    await expect(driverTo(double, { timeoutMs: 500 }).authorise(attempt)).rejects.toThrow(
      /^Stripe gave no conclusive answer/,
    )
    expect(await driverTo(double).query(factsOf(attempt))).toMatchObject({ outcome: found })
    expect(intentsOf(double)).toMatchObject([{ status }])
  })

  test('an error of Stripe’s own leaves the outcome open, until it is asked for', async () => {
    const double = await started()
    const attempt = newAuthorisation()
    double.disturb(CONFIRM, 'server_error', 1)
    await expect(driverTo(double).authorise(attempt)).rejects.toThrow('StripeAPIError 500')
    expect(await driverTo(double).query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
    expect(intentsOf(double)).toMatchObject([{ status: 'canceled' }])
  })

  test('before the card is sent, the attempt has not begun', async () => {
    const double = await started()
    double.disturb(/\/payment_intents$/, 'reset_before')
    const outcome = await driverTo(double).authorise(newAuthorisation())
    expect(outcome).toMatchObject({ outcome: 'refused_before_acceptance' })
    expect(double.requests.filter(({ path }) => CONFIRM.test(path))).toEqual([])
  })

  test('a late answer and the one who asked meanwhile say the same', async (t) => {
    const double = await started()
    const attempt = newAuthorisation()
    const release = double.disturb(CONFIRM, 'hold_after')
    const late = driverTo(double).authorise(attempt)
    await double.until(CONFIRM, 1)
    // Concurrent tests: the imported `expect` belongs to none of them once another has ended.
    await t.expect.poll(() => intentsOf(double)[0]?.status).toBe('succeeded')
    const found = await driverTo(double).query(factsOf(attempt))
    release()
    expect(await late).toEqual(found)
    expect(found).toMatchObject({ outcome: 'succeeded' })
  })

  test('while Stripe is at work on the card there is no outcome', async () => {
    const double = await started()
    const attempt = newAuthorisation()
    const release = double.disturb(CONFIRM, 'hold_before')
    const sent = driverTo(double).authorise(attempt)
    await double.until(CONFIRM, 1)
    await expect(driverTo(double).query(factsOf(attempt))).rejects.toThrow('lock_timeout')
    release()
    expect(await sent).toMatchObject({ outcome: 'succeeded' })
    expect(await driverTo(double).query(factsOf(attempt))).toEqual(await sent)
  })

  test('two who use one key at the same time end up with one intent and one outcome', async () => {
    const double = await started()
    const attempt = newAuthorisation()
    const creation = /\/payment_intents$/
    const release = double.disturb(creation, 'hold_before', 1)
    const both = Promise.all([driverTo(double).authorise(attempt), driverTo(double).authorise(attempt)])
    await double.until(creation, 2)
    release()
    const [one, other] = await both
    expect(one).toEqual(other)
    expect(intentsOf(double)).toMatchObject([{ status: 'succeeded' }])
  })

  test('an attempt that is sent again without its security code has the outcome of the first', async () => {
    const double = await started()
    const attempt = newAuthorisation()
    const first = await driverTo(double).authorise(attempt)
    const again = { ...newAuthorisation({ cvc: null }), attemptId: attempt.attemptId }
    expect(await driverTo(double).authorise(again)).toEqual(first)
    await expect(driverTo(double).authorise({ ...attempt, amount: 5_000 })).rejects.toThrow('StripeIdempotencyError')
    expect(intentsOf(double).map((intent) => intent.amount_received)).toEqual([attempt.amount])
  })

  test('after a day, when Stripe may have forgotten the key, the attempt is searched for', async () => {
    const double = await started()
    const attempt = newAuthorisation()
    const outcome = await driverTo(double).authorise(attempt)
    const nextDay = driverTo(double, {}, attempt.startedAtMs + 24 * HOUR_MS)
    const before = double.requests.length
    expect(await nextDay.query(factsOf(attempt))).toEqual(outcome)
    expect(await nextDay.query(factsOf(newAuthorisation()))).toEqual({ outcome: 'not_found' })
    const asked = double.requests.slice(before).map(({ method }) => method)
    expect(new Set(asked)).toEqual(new Set(['GET']))
  })
})
