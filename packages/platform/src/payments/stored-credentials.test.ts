import { contract, type NewPayment, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { recurringVariant } from '../../test/subscribe.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'
import { authenticateWaiting, newWaitingPayment } from '../../test/threeds-payment.ts'
import { DAY_MS } from '../subscriptions/periods.ts'

/** Its issuer wants the buyer, and approves later charges that refer to a payment for which the buyer was there. */
const SET_UP_CARD = '4000002500003155'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const instrument = (paymentInstrumentId: string) =>
    platform().call(contract.paymentInstruments.get, { params: { paymentInstrumentId } })
  const ask = (paymentInstrumentId: string, change: Partial<NewPayment> = {}) =>
    requestPayment(platform(), { paymentInstrumentId, ...change })
  const pay = async (paymentInstrumentId: string, change: Partial<NewPayment> = {}): Promise<Payment> =>
    contract.payments.create.response.parse((await ask(paymentInstrumentId, change)).body)
  const absent = { initiatedBy: 'merchant' } as const

  const freeVariant = () => recurringVariant(platform(), { currencyOptions: { USD: { amount: 0 } } })

  /** A payment with a new card whose buyer authenticates. */
  const payAuthenticated = async (change: Parameters<typeof newWaitingPayment>[1]): Promise<Payment> => {
    const waiting = await newWaitingPayment(platform(), change)
    await authenticateWaiting(platform(), waiting)
    return platform().call(contract.payments.continue, { params: { paymentId: waiting.payment.id } })
  }

  test('what a buyer agrees to is kept with the card, with the network’s id of the payment', async () => {
    const { id } = await newInstrument(platform())
    expect((await instrument(id)).consent).toBeNull()
    const once = await pay(id)
    expect(once).toMatchObject({ initiatedBy: 'buyer', setupFutureUsage: null })
    expect((await instrument(id)).consent).toBeNull()
    const agreed = await pay(id, { setupFutureUsage: 'off_session' })
    const { networkTransactionId = '' } = agreed.attempts[0] ?? {}
    expect(networkTransactionId).toMatch(/^\d{15}$/)
    expect((await instrument(id)).consent).toEqual({
      usage: 'off_session',
      paymentId: agreed.id,
      agreedAt: expect.any(String),
      networkTransactionId,
    })
  })

  test('a buyer who agrees to pay with the card again takes nothing back of what may happen in their absence', async () => {
    const { id } = await newInstrument(platform())
    const first = await pay(id, { setupFutureUsage: 'on_session' })
    expect((await instrument(id)).consent).toMatchObject({ usage: 'on_session', paymentId: first.id })
    const wider = await pay(id, { setupFutureUsage: 'off_session' })
    await pay(id, { setupFutureUsage: 'on_session' })
    expect((await instrument(id)).consent).toMatchObject({ usage: 'off_session', paymentId: wider.id })
  })

  test('nothing is charged in a buyer’s absence that the buyer has not agreed to', async () => {
    const { id } = await newInstrument(platform())
    const refused = [await ask(id, absent)]
    await pay(id, { setupFutureUsage: 'on_session' })
    refused.push(await ask(id, absent))
    for (const { status, error } of refused)
      expect([status, error.code, error.param]).toEqual([409, 'state_conflict', 'paymentInstrumentId'])
    await pay(id, { setupFutureUsage: 'off_session' })
    expect(await pay(id, absent)).toMatchObject({ initiatedBy: 'merchant', status: 'succeeded' })
  })

  test('a declined payment agrees to nothing', async () => {
    const { id } = await newInstrument(platform(), { number: '4000000000009995' })
    expect((await ask(id, { setupFutureUsage: 'off_session' })).status).toBe(402)
    expect((await instrument(id)).consent).toBeNull()
  })

  test.for([
    ['securityCodeToken', 'eyJ2IjoxfQ'],
    ['setupFutureUsage', 'off_session'],
    ['challengePreference', 'challenge-mandated'],
  ] as const)('a buyer who is absent sends no %s', async ([field, value]) => {
    const { id } = await newInstrument(platform())
    const { status, error } = await ask(id, { ...absent, [field]: value })
    expect([status, error.param]).toEqual([400, field])
  })

  test('an order that costs nothing agrees to nothing, and takes nothing back', async () => {
    const free = { amount: undefined, lines: [{ variantId: await freeVariant(), quantity: 1 }] }
    const { id } = await newInstrument(platform(), { number: '4000000000009987' })
    expect(await pay(id, { ...free, setupFutureUsage: 'off_session' })).toMatchObject({ amount: 0, attempts: [] })
    expect((await instrument(id)).consent).toBeNull()
    const paid = await payAuthenticated({ number: SET_UP_CARD, setupFutureUsage: 'off_session' })
    const paymentInstrumentId = paid.paymentInstrumentId ?? ''
    const { consent } = await instrument(paymentInstrumentId)
    await pay(paymentInstrumentId, free)
    expect((await instrument(paymentInstrumentId)).consent).toEqual(consent)
    expect(await pay(paymentInstrumentId, absent)).toMatchObject({ status: 'succeeded' })
  })

  test('a charge in the buyer’s absence refers to the one that was authenticated, and is not authenticated itself', async () => {
    const first = await payAuthenticated({ number: SET_UP_CARD, setupFutureUsage: 'off_session' })
    const { paymentInstrumentId: card, paymentFlowId } = first
    const paymentInstrumentId = card ?? ''
    expect(first.status).toBe('succeeded')
    expect(await pay(paymentInstrumentId, { ...absent, paymentFlowId })).toMatchObject({
      status: 'succeeded',
      threedsSessionId: null,
    })
    // The same card of a buyer who was never authenticated.
    const other = await newInstrument(platform(), { number: SET_UP_CARD })
    expect((await ask(other.id)).body).toMatchObject({ status: 'requires_action' })
  })

  test('a subscription begins with a challenge for a series, and renews without its buyer', async () => {
    const lines = [{ variantId: await recurringVariant(platform()), quantity: 1 }]
    const first = await payAuthenticated({ number: SET_UP_CARD, amount: undefined, lines })
    expect(first).toMatchObject({
      status: 'succeeded',
      authenticationType: 'recurring-transaction',
      recurringInfo: { expiration: '9999-12-31', frequency: '28' },
      challengePreference: 'challenge-mandated',
    })
    const sessionId = first.threedsSessionId ?? ''
    const { transcript } = await platform().call(contract.threeds.get, { params: { sessionId } })
    expect(transcript.map(({ message }) => message)).toContainEqual(
      expect.objectContaining({
        messageType: 'AReq',
        threeDSRequestorChallengeInd: '04',
        threeDSRequestorAuthenticationInd: '02',
        recurringFrequency: '28',
        recurringExpiry: '99991231',
      }),
    )
    expect((await instrument(first.paymentInstrumentId ?? '')).consent).toMatchObject({ usage: 'off_session' })
    const params = { subscriptionId: first.subscriptions[0]?.subscriptionId ?? '' }
    const { currentPeriodEnd } = await platform().call(contract.subscriptions.get, { params })
    platform().clock.advance(32 * DAY_MS)
    const renewed = async () => {
      platform().clock.advance(5_001)
      const { status, currentPeriodStart } = await platform().call(contract.subscriptions.get, { params })
      return { status, currentPeriodStart }
    }
    await expect.poll(renewed, { timeout: 60_000 }).toEqual({ status: 'active', currentPeriodStart: currentPeriodEnd })
  })

  test('a free trial begins when the issuer has said that the card is good, and takes nothing', async () => {
    const lines = [{ variantId: await recurringVariant(platform()), quantity: 1, trialDays: 14 }]
    const { id } = await newInstrument(platform())
    const trial = await pay(id, { amount: undefined, lines })
    expect(trial).toMatchObject({
      status: 'succeeded',
      amount: 0,
      capturedAmount: 0,
      captures: [],
      attempts: [{ status: 'succeeded' }],
      subscriptions: [{ occasion: 'first', status: 'trialing' }],
    })
    const { networkTransactionId } = trial.attempts[0] ?? {}
    expect((await instrument(id)).consent).toMatchObject({ usage: 'off_session', networkTransactionId })
    const order = await platform().call(contract.orders.get, { params: { orderId: trial.orderId } })
    expect(order.status).toBe('paid')
    const events = await platform().services.db.read(
      `SELECT event_type FROM events WHERE event_type = 's_payment_succeeded' AND properties <> replace(properties, ?, '')`,
      [trial.id],
    )
    expect(events).toHaveLength(1)
  })

  test('no free trial begins with a card that its issuer declines', async () => {
    const lines = [{ variantId: await recurringVariant(platform()), quantity: 1, trialDays: 14 }]
    const { id, customerId } = await newInstrument(platform(), { number: '4000000000009987' })
    const { status, error } = await ask(id, { amount: undefined, lines })
    expect([status, error.code, error.declineCode]).toEqual([402, 'card_declined', 'lost_card'])
    const { data } = await platform().call(contract.subscriptions.list, { query: { customerId } })
    expect(data).toEqual([])
    expect((await instrument(id)).consent).toBeNull()
  })

  test('a free trial is authenticated as no payment, and renews without its buyer', async () => {
    const lines = [{ variantId: await recurringVariant(platform()), quantity: 1, trialDays: 14 }]
    const first = await payAuthenticated({ number: SET_UP_CARD, amount: undefined, lines })
    expect(first).toMatchObject({ status: 'succeeded', amount: 0 })
    const sessionId = first.threedsSessionId ?? ''
    const { transcript } = await platform().call(contract.threeds.get, { params: { sessionId } })
    expect(transcript.map(({ message }) => message)).toContainEqual(
      expect.objectContaining({ messageType: 'AReq', messageCategory: '02', threeDSRequestorAuthenticationInd: '02' }),
    )
    const params = { subscriptionId: first.subscriptions[0]?.subscriptionId ?? '' }
    platform().clock.advance(15 * DAY_MS)
    const renewed = async () => {
      platform().clock.advance(5_001)
      return (await platform().call(contract.subscriptions.get, { params })).status
    }
    await expect.poll(renewed, { timeout: 60_000 }).toBe('active')
  })

  test('a merchant who prefers no challenge gets none asked for', async () => {
    const lines = [{ variantId: await recurringVariant(platform()), quantity: 1 }]
    const { payment } = await newWaitingPayment(platform(), {
      amount: undefined,
      lines,
      challengePreference: 'no-challenge',
    })
    expect(payment.challengePreference).toBe('no-challenge')
  })
})
