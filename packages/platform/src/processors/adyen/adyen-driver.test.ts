import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import {
  ADYEN_KEY,
  type AdyenDouble,
  type BookedPayment,
  MERCHANT_ACCOUNT,
  startAdyenDouble,
} from '../../../test/processors/adyen/adyen-double.ts'
import { HMAC_KEY } from '../../../test/processors/adyen/adyen-notifications.ts'
import { driverConformance } from '../../../test/processors/driver.conformance.ts'
import { answeringLate, lateClock } from '../../../test/processors/late-clock.ts'
import { factsOf, newAuthorisation, newPostAuthorizationId, proof } from '../../../test/processors/new-authorisation.ts'
import { ownDatabase } from '../../../test/processors/own-database.ts'
import type { Driver } from '../driver.ts'
import { adyen } from './adyen.ts'
import { adyenClient } from './client.ts'
import { adyenDriver } from './adyen-driver.ts'
import { readAdyenEvent } from './events.ts'
import type { Place } from './notifications.ts'

const MINUTE_MS = 60_000
const PAYMENTS = /\/payments$/
const database = ownDatabase()
const doubles: AdyenDouble[] = []
afterAll(() => doubles.forEach((double) => double.stop()))

let count = 0

/** A processor of its own with a stand-in behind it, which tells it of everything. */
async function started({ timeoutMs }: { timeoutMs?: number } = {}) {
  const double = await startAdyenDouble()
  doubles.push(double)
  const clock = lateClock()
  const place: Place = {
    accountId: 'acc_1',
    processorId: `processor_adyen_${count++}`,
    services: { db: database(), clock },
  }
  const client = adyenClient({
    apiKey: ADYEN_KEY,
    merchantAccount: MERCHANT_ACCOUNT,
    apiUrl: double.url,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  const read = (body: string) =>
    readAdyenEvent(Buffer.from(body), { place, hmacKey: HMAC_KEY, merchantAccount: MERCHANT_ACCOUNT })
  double.onNotification(async (body) => read(body)?.report())
  return { double, clock, place, client, driver: adyenDriver(client, place), read }
}

driverConformance('Adyen', adyen.capabilities, async () => {
  const { double, driver, clock } = await started()
  return {
    driver: answeringLate(driver, clock),
    async books() {
      const sum = (of: (payment: BookedPayment) => number) => double.payments.reduce((all, each) => all + of(each), 0)
      return {
        accepted: sum(({ authorised }) => (authorised > 0 ? 1 : 0)),
        captured: sum(({ captured }) => captured),
        refunded: sum(({ refunded }) => refunded),
      }
    },
    decided: ({ attemptId }, as) => double.finish(attemptId, as === 'paid'),
    losesRequests: () => disturbed(driver, double, 'reset_before'),
    losesAnswers: () => disturbed(driver, double, 'reset_after'),
  }
})

function disturbed(driver: Driver, double: AdyenDouble, how: 'reset_before' | 'reset_after'): Driver {
  return {
    ...driver,
    async authorise(authorisation) {
      const end = double.disturb(PAYMENTS, how)
      return driver.authorise(authorisation).finally(end)
    },
  }
}

async function referenceOf(driver: Driver, capture: 'now' | 'later' = 'later'): Promise<string> {
  const outcome = await driver.authorise(newAuthorisation({ capture }))
  if (!('reference' in outcome) || outcome.reference === null) throw new Error(JSON.stringify(outcome))
  return outcome.reference
}

describe('what Adyen is sent', () => {
  test('money that is taken at once is captured without delay, and other money by hand', async () => {
    const { double, driver } = await started()
    const attempt = newAuthorisation({ descriptor: 'ORDER #12 (A&B)', orderId: 'order_1' })
    await driver.authorise(attempt)
    await driver.authorise(newAuthorisation({ capture: 'later' }))
    await driver.authorise(newAuthorisation({ amount: 0 }))
    const [now, later, nothing] = double.calls
    expect(now?.headers['idempotency-key']).toBe(attempt.attemptId)
    expect(now?.body).toMatchObject({
      amount: { value: 1_999, currency: 'USD' },
      reference: attempt.attemptId,
      merchantOrderReference: 'order_1',
      shopperStatement: 'ORDER 12 A B',
      captureDelayHours: 0,
      authenticationData: { attemptAuthentication: 'never' },
      shopperInteraction: 'Ecommerce',
    })
    expect(later?.body).toMatchObject({ additionalData: { manualCapture: 'true' } })
    expect(JSON.stringify([nothing?.body])).not.toMatch(/captureDelayHours|manualCapture/)
  })

  test('the whole result of 3-D Secure goes out as mpiData, with a challenge’s own result only where there was one', async () => {
    const { double, driver } = await started()
    await driver.authorise(newAuthorisation({ threeds: proof }))
    await driver.authorise(
      newAuthorisation({ threeds: { ...proof, authenticationStatus: 'Y', score: '42', cavvAlgorithm: '1' } }),
    )
    const [challenged, frictionless] = double.calls.map(({ body }) => Object(body)['mpiData'])
    expect(challenged).toEqual({
      directoryResponse: 'C',
      authenticationResponse: 'Y',
      cavv: proof.authenticationValue,
      eci: '05',
      dsTransID: proof.dsTransactionId,
      threeDSVersion: '2.2.0',
    })
    expect(frictionless).toMatchObject({ directoryResponse: 'Y', riskScore: '42', cavvAlgorithm: '1' })
    expect(frictionless).not.toHaveProperty('authenticationResponse')
  })

  test('a network token goes out with its cryptogram, and a wallet’s as the brand of the wallet', async () => {
    const { double, driver } = await started()
    const token = { kind: 'network_token', number: '4895370012003478', expMonth: 3, expYear: 2040 } as const
    const card = { ...token, cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', eci: '05' }
    const pay = (own: { wallet: 'apple_pay' | null }) =>
      driver.authorise(newAuthorisation({ method: { type: 'card', card: { ...card, ...own }, network: 'visa' } }))
    await pay({ wallet: null })
    await pay({ wallet: 'apple_pay' })
    const [scheme, wallet] = double.calls.map(({ body }) => body)
    expect(scheme).toMatchObject({
      paymentMethod: {
        type: 'networkToken',
        number: token.number,
        expiryMonth: '03',
        expiryYear: '2040',
        brand: 'visa',
      },
      mpiData: { tokenAuthenticationVerificationValue: card.cryptogram, eci: '05' },
    })
    expect(wallet).toMatchObject({
      paymentMethod: { type: 'scheme', brand: 'applepay' },
      mpiData: { cavv: card.cryptogram, directoryResponse: 'Y', authenticationResponse: 'Y', eci: '05' },
    })
  })

  test.for([
    ['first', 'recurring', 'buyer', 'Ecommerce', 'Subscription'],
    ['first', 'unscheduled', 'buyer', 'Ecommerce', 'UnscheduledCardOnFile'],
    ['first', 'cardholder', 'buyer', 'Ecommerce', 'CardOnFile'],
    ['later', 'cardholder', 'buyer', 'ContAuth', 'CardOnFile'],
    ['later', 'recurring', 'merchant', 'ContAuth', 'Subscription'],
    ['later', 'installment', 'merchant', 'ContAuth', 'Subscription'],
    ['later', 'unscheduled', 'merchant', 'ContAuth', 'UnscheduledCardOnFile'],
  ] as const)(
    'a %s %s charge that the %s asks for is %s, %s',
    async ([use, reason, initiatedBy, interaction, model]) => {
      const { double, driver } = await started()
      const networkTransactionId = use === 'later' ? '016153570198200' : null
      await driver.authorise(newAuthorisation({ initiatedBy, storedCredential: { use, reason, networkTransactionId } }))
      const sent = Object(double.calls[0]?.body)
      expect(sent).toMatchObject({ shopperInteraction: interaction, recurringProcessingModel: model })
      expect(sent['shopperReference']).toBe(newAuthorisation().customerId)
      expect(sent['paymentMethod']['networkPaymentReference']).toBe(networkTransactionId ?? undefined)
    },
  )

  test.for([
    ['low_value', 'lowValue'],
    ['low_risk', 'transactionRiskAnalysis'],
    ['trusted', 'trustedBeneficiary'],
    ['secure_corporate', 'secureCorporate'],
  ] as const)('the exemption %s is asked for as %s, and told to have been honoured', async ([exemption, name]) => {
    const { double, driver } = await started()
    const outcome = await driver.authorise(newAuthorisation({ exemption }))
    expect(Object(double.calls[0]?.body)['additionalData']).toEqual({ scaExemption: name })
    expect(outcome).toMatchObject({ outcome: 'succeeded', exemption: 'honoured', checks: { cvc: 'pass' } })
  })

  test('a buyer is sent as far as it is known, and an address only with what Adyen wants of one', async () => {
    const { double, driver } = await started()
    const billingAddress = { line1: '12 Weaver Street', city: 'Dublin', postalCode: 'D08 X2Y4', state: 'Leinster' }
    const buyer = { name: 'Ada King Lovelace', email: 'ada@example.com', ip: '203.0.113.7', billingAddress }
    await driver.authorise(newAuthorisation({ buyer }))
    expect(double.calls[0]?.body).toMatchObject({
      shopperEmail: 'ada@example.com',
      shopperIP: '203.0.113.7',
      shopperName: { firstName: 'Ada King', lastName: 'Lovelace' },
      billingAddress: {
        street: '12 Weaver Street',
        houseNumberOrName: 'N/A',
        city: 'Dublin',
        postalCode: 'D08 X2Y4',
        country: 'ZZ',
      },
    })
    expect(Object(double.calls[0]?.body)['paymentMethod']['holderName']).toBe('Ada King Lovelace')
  })

  test.for([
    ['US', 'NY', { country: 'US', stateOrProvince: 'NY' }],
    ['CA', null, { country: 'ZZ' }],
    ['US', 'California', { country: 'ZZ' }],
    ['AU', 'NSW', { country: 'AU', stateOrProvince: 'NSW' }],
    ['IE', null, { country: 'IE' }],
  ] as const)('an address in %s with the state %s is one that Adyen takes', async ([country, state, place]) => {
    const { double, driver } = await started()
    const billingAddress = {
      line1: '1 Main Street',
      city: 'Albany',
      postalCode: '12207',
      country,
      ...(state && { state }),
    }
    await driver.authorise(newAuthorisation({ buyer: { name: null, email: null, ip: null, billingAddress } }))
    const address = { street: '1 Main Street', houseNumberOrName: 'N/A', city: 'Albany', postalCode: '12207' }
    expect(Object(double.calls[0]?.body)['billingAddress']).toEqual({ ...address, ...place })
  })

  test('an amount goes out with the decimals that Adyen gives its currency', async () => {
    const { double, driver } = await started()
    await driver.authorise(newAuthorisation({ amount: 1_500, currency: 'ISK' }))
    await driver.authorise(newAuthorisation({ amount: 1_234, currency: 'KWD' }))
    expect(await driver.authorise(newAuthorisation({ amount: 1_234, currency: 'IDR' }))).toMatchObject({
      outcome: 'refused_before_acceptance',
    })
    expect(double.calls.map(({ body }) => Object(body)['amount']['value'])).toEqual([150_000, 1_234])
  })
})

describe('an answer that is lost', () => {
  test('once is got again under the same key, with one charge', async () => {
    const { double, driver } = await started()
    double.disturb(PAYMENTS, 'reset_after', 1)
    expect(await driver.authorise(newAuthorisation())).toMatchObject({ outcome: 'succeeded' })
    expect([double.calls.length, double.payments.length]).toEqual([2, 1])
  })

  test.for(['too_many', 'unauthorized'] as const)(
    'is still unknown after a repetition that met %s',
    async (turnedAway) => {
      const { double, driver } = await started()
      const attempt = newAuthorisation()
      double.disturb(PAYMENTS, 'reset_after', 1)
      double.disturb(PAYMENTS, turnedAway, 1)
      await expect(driver.authorise(attempt)).rejects.toThrow('Adyen gave no conclusive answer')
      expect(await driver.query(factsOf(attempt))).toMatchObject({ outcome: 'succeeded' })
    },
  )

  test('for good is in the notification', async () => {
    const { double, driver } = await started()
    const attempt = newAuthorisation()
    const calm = double.disturb(PAYMENTS, 'reset_after')
    await expect(driver.authorise(attempt)).rejects.toThrow('Adyen gave no conclusive answer')
    calm()
    expect(await driver.query(factsOf(attempt))).toMatchObject({
      outcome: 'succeeded',
      networkTransactionId: expect.any(String),
    })
  })

  test('is not known for as long as nothing was told, and then the attempt is called off: nothing is taken any more', async () => {
    const { double, driver, clock } = await started({ timeoutMs: 300 })
    const attempt = newAuthorisation({ capture: 'later' })
    double.disturb(PAYMENTS, 'hang_after')
    const release = double.hold()
    await expect(driver.authorise(attempt)).rejects.toThrow()
    expect(await driver.query(factsOf(attempt))).toEqual({ outcome: 'not_known_yet' })
    clock.forward(3 * MINUTE_MS)
    expect(await driver.query(factsOf(attempt))).toEqual({ outcome: 'not_known_yet' })
    expect(double.calls.at(-1)).toMatchObject({ path: '/v72/cancels', body: { paymentReference: attempt.attemptId } })
    await release()
    expect(await driver.query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
    expect(double.payments).toMatchObject([{ state: 'cancelled', captured: 0 }])
    expect(await driver.authorise(attempt)).toMatchObject({ outcome: 'refused_before_acceptance' })
  })

  test('of money that was captured is reported after all, though there was nothing to cancel', async () => {
    const { double, driver, clock } = await started({ timeoutMs: 300 })
    const attempt = newAuthorisation()
    double.disturb(PAYMENTS, 'hang_after')
    const release = double.hold()
    await expect(driver.authorise(attempt)).rejects.toThrow()
    clock.forward(3 * MINUTE_MS)
    await driver.query(factsOf(attempt))
    await release()
    expect(await driver.query(factsOf(attempt))).toMatchObject({ outcome: 'succeeded' })
  })

  test('of a request that never arrived is nothing after an hour, and silence is nothing after a day', async () => {
    for (const isSilent of [false, true]) {
      const { double, driver, clock } = await started()
      const attempt = newAuthorisation()
      const calm = double.disturb(PAYMENTS, 'reset_before')
      await expect(driver.authorise(attempt)).rejects.toThrow()
      calm()
      if (isSilent) double.hold()
      clock.forward(59 * MINUTE_MS)
      await driver.query(factsOf(attempt))
      expect(await driver.query(factsOf(attempt))).toEqual({ outcome: 'not_known_yet' })
      clock.forward(isSilent ? 24 * 60 * MINUTE_MS : 2 * MINUTE_MS)
      expect(await driver.query(factsOf(attempt))).toEqual({ outcome: 'not_found' })
      expect(double.payments).toEqual([])
    }
  })

  test('two who use one key at the same time get one charge and one outcome', async () => {
    const { double, driver } = await started()
    const attempt = newAuthorisation()
    const release = double.disturb(PAYMENTS, 'hold_before', 1)
    const both = Promise.all([driver.authorise(attempt), driver.authorise(attempt)])
    await double.until(PAYMENTS, 2)
    release()
    const [one, other] = await both
    expect(one).toEqual(other)
    expect(double.payments).toHaveLength(1)
  })

  test('a request that Adyen refuses has not begun, and neither the key nor the card is repeated', async () => {
    const { double } = await started()
    const client = adyenClient({
      apiKey: 'AQEnobodysKey0123456789abcdefghij',
      merchantAccount: MERCHANT_ACCOUNT,
      apiUrl: double.url,
    })
    const services = { db: database(), clock: lateClock() }
    const driver = adyenDriver(client, { accountId: 'acc_1', processorId: 'p', services })
    const outcome = await driver.authorise(newAuthorisation())
    expect(outcome).toMatchObject({ outcome: 'refused_before_acceptance', reason: expect.stringContaining('401') })
    expect(JSON.stringify(outcome)).not.toMatch(/nobody|424242/)
  })
})

describe('a capture, a refund or a void', () => {
  test('is pending until the notification, which the event tells with our id, and then a repetition', async () => {
    const { double, driver, read } = await started()
    const reference = await referenceOf(driver)
    const id = newPostAuthorizationId()
    const capture = { id, reference, amount: 1_999, currency: 'USD', isFinal: true }
    const release = double.hold()
    const asked = await driver.capture(capture)
    expect(asked).toEqual({ outcome: 'pending', reference: expect.stringMatching(/^PSP/) })
    expect(await driver.capture(capture)).toEqual(asked)
    const [body = ''] = await release()
    const report = await read(body)?.report()
    const done = { outcome: 'succeeded', reference: Object(asked)['reference'] }
    expect(report).toEqual({ about: 'post_authorization', id, outcome: done })
    const before = double.calls.length
    expect(await driver.capture(capture)).toEqual(done)
    expect(double.calls).toHaveLength(before) // what was told is not asked for again
    expect(double.payments).toMatchObject([{ captured: 1_999 }])
  })

  test('that a notification of the payment’s own reference tells about is found by Adyen’s', async () => {
    const { double, driver } = await started()
    const reference = await referenceOf(driver, 'now')
    const refund = { id: newPostAuthorizationId(), reference, amount: 100, currency: 'USD' }
    double.hold()
    const asked = await driver.refund(refund)
    const notification = { eventCode: 'REFUND', originalReference: reference, pspReference: Object(asked)['reference'] }
    await double.tell({ ...notification, merchantReference: double.payments[0]?.reference ?? '' })
    expect(await driver.refund(refund)).toMatchObject({ outcome: 'succeeded' })
  })

  test('whose failure is reported before or after its success has failed', async () => {
    for (const events of [
      ['CAPTURE', 'CAPTURE_FAILED'],
      ['CAPTURE_FAILED', 'CAPTURE'],
    ]) {
      const { double, driver } = await started()
      const reference = await referenceOf(driver)
      const capture = { id: newPostAuthorizationId(), reference, amount: 1, currency: 'USD', isFinal: true }
      double.hold()
      const asked = Object(await driver.capture(capture))
      for (const eventCode of events) {
        await double.tell({
          eventCode,
          merchantReference: capture.id,
          originalReference: reference,
          pspReference: asked.reference,
        })
      }
      expect(await driver.capture(capture)).toEqual({ outcome: 'refused', reason: 'reversed' })
    }
  })
})

test('notifications tell the same in any order and however often they come', async () => {
  const { double, driver, place, client } = await started()
  const bodies: string[] = []
  double.onNotification(async (body) => bodies.push(body))
  const attempt = newAuthorisation({ capture: 'later' })
  const { reference } = Object(await driver.authorise(attempt))
  const asked = { reference, currency: 'USD' }
  const capture = { ...asked, id: newPostAuthorizationId(), amount: 1_999, isFinal: true }
  const [refund, tooMuch] = [500, 5_000].map((amount) => ({ ...asked, id: newPostAuthorizationId(), amount }))
  if (refund === undefined || tooMuch === undefined) throw new Error('There are two.')
  await driver.capture(capture)
  await driver.refund(refund)
  await driver.refund(tooMuch)
  const order = fc.array(fc.nat(bodies.length - 1), { maxLength: 8 }).map((some) => [...some, ...bodies.keys()])
  await fc.assert(
    fc.asyncProperty(order, fc.boolean(), async (shuffled, isReversed) => {
      const other = { ...place, processorId: `processor_adyen_${count++}` }
      const sending = { place: other, hmacKey: HMAC_KEY, merchantAccount: MERCHANT_ACCOUNT }
      for (const index of isReversed ? shuffled.toReversed() : shuffled) {
        await readAdyenEvent(Buffer.from(bodies[index] ?? ''), sending)?.report()
      }
      const teller = adyenDriver(client, other)
      const before = double.calls.length
      expect(await teller.query(factsOf(attempt))).toMatchObject({ outcome: 'succeeded', reference, captured: 1_999 })
      expect(await teller.capture(capture)).toMatchObject({ outcome: 'succeeded' })
      expect(await teller.refund(refund)).toMatchObject({ outcome: 'succeeded' })
      expect(await teller.refund(tooMuch)).toEqual({ outcome: 'refused', reason: 'amount_too_large' })
      expect(double.calls).toHaveLength(before)
    }),
    { numRuns: 25 },
  )
})

describe('iDEAL and SEPA', () => {
  test('a buyer who is led to the bank has paid when Adyen says so, whether or not they come back', async () => {
    const { double, driver } = await started()
    const attempt = newAuthorisation({
      method: { type: 'redirect', method: 'ideal' },
      currency: 'EUR',
      returnUrl: 'https://shop.example/back',
    })
    const led = await driver.authorise(attempt)
    expect(led).toMatchObject({
      outcome: 'redirect',
      reference: attempt.attemptId,
      url: `https://bank.example/${attempt.attemptId}`,
    })
    expect(await driver.authorise({ ...attempt, capture: 'later' })).toMatchObject({
      outcome: 'refused_before_acceptance',
    })
    expect(double.calls[0]?.body).toMatchObject({
      paymentMethod: { type: 'ideal' },
      returnUrl: 'https://shop.example/back',
    })
    const reference = 'reference' in led ? led.reference : null
    expect(await driver.query({ ...factsOf(attempt), reference })).toEqual({ outcome: 'not_known_yet' })
    await double.finish(attempt.attemptId, true)
    expect(await driver.query({ ...factsOf(attempt), reference })).toMatchObject({
      outcome: 'succeeded',
      reference: double.payments[0]?.pspReference,
    })
  })

  test('a buyer who comes back before the notification has what they bring confirmed by Adyen', async () => {
    const { double, driver } = await started()
    const method = { type: 'redirect', method: 'ideal' } as const
    const [paid, canceled] = [
      newAuthorisation({ method, currency: 'EUR' }),
      newAuthorisation({ method, currency: 'EUR' }),
    ]
    for (const attempt of [paid, canceled]) await driver.authorise(attempt)
    const back = (attempt: typeof paid, redirectResult: string) =>
      driver.query({ ...factsOf(attempt), reference: attempt.attemptId, returned: { redirectResult } })
    expect(await back(paid, 'made up')).toEqual({ outcome: 'not_known_yet' })
    expect(await back(canceled, `refused:${canceled.attemptId}`)).toMatchObject({
      outcome: 'declined',
      declineCode: 'buyer_canceled',
    })
    expect(await back(paid, `paid:${paid.attemptId}`)).toMatchObject({ outcome: 'succeeded' })
    expect(await back(canceled, `paid:${paid.attemptId}`)).toEqual({ outcome: 'not_known_yet' }) // of another payment
    expect(double.payments.map(({ captured }) => captured)).toEqual([1_999, 0])
  })

  test('one who says no at the bank is declined, and one who is never heard of after an hour', async () => {
    const { double, driver, clock } = await started()
    const method = { type: 'redirect', method: 'ideal' } as const
    const [no, never] = [newAuthorisation({ method, currency: 'EUR' }), newAuthorisation({ method, currency: 'EUR' })]
    const [one, other] = [Object(await driver.authorise(no)), Object(await driver.authorise(never))]
    await double.finish(no.attemptId, false)
    expect(await driver.query({ ...factsOf(no), reference: one.reference })).toMatchObject({
      outcome: 'declined',
      declineCode: 'buyer_canceled',
    })
    clock.forward(60 * MINUTE_MS)
    expect(await driver.query({ ...factsOf(never), reference: other.reference })).toMatchObject({
      outcome: 'declined',
      declineCode: 'payment_expired',
    })
  })

  test('a debit goes out with the account and the country of the buyer', async () => {
    const { double, driver, clock } = await started()
    const account = { iban: 'DE89370400440532013000', holderName: 'Ada Lovelace' }
    const mandate = { reference: 'M-1', agreedMs: 0 }
    const attempt = newAuthorisation({
      method: { type: 'debit', method: 'sepa_debit', account, mandate },
      currency: 'EUR',
    })
    const asked = await driver.authorise(attempt)
    expect(asked).toMatchObject({ outcome: 'pending', reference: expect.stringMatching(/^PSP/) })
    clock.forward(14 * 24 * 60 * MINUTE_MS)
    const query = { ...factsOf(attempt), reference: Object(asked).reference }
    expect(await driver.query(query)).toEqual({ outcome: 'not_known_yet' })
    await double.finish(attempt.attemptId, true)
    expect(await driver.query(query)).toMatchObject({ outcome: 'succeeded' })
    expect(double.calls[0]?.body).toMatchObject({
      paymentMethod: { type: 'sepadirectdebit', iban: account.iban, ownerName: 'Ada Lovelace' },
      countryCode: 'DE',
    })
  })
})

test('all that was sent in these tests is as Adyen documents it', () => {
  expect(doubles.flatMap(({ problems }) => problems)).toEqual([])
  expect(doubles.some(({ calls }) => calls.length > 0)).toBe(true)
})
