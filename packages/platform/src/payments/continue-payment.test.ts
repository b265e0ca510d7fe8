import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newProcessor } from '../../test/new-processor.ts'
import { newCode, newPromotion } from '../../test/new-promotion.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { uncaptured } from '../../test/payments/uncaptured.ts'
import type { SentRequest } from '../../test/send-request.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import {
  authenticateWaiting,
  CHALLENGE_CARD,
  newAuthenticatedPayment,
  newChallengedPayment,
  newWaitingPayment,
  resultOf,
  type WaitingPayment,
  threedsActionOf,
} from '../../test/threeds-payment.ts'
import { updateAccount } from '../accounts/accounts.ts'
import { commit } from '../http/operations/commit.ts'

const MINUTE_MS = 60_000
/** A card that processors take with a proof of 3-D Secure alone. */
const NEEDS_PROOF = '4000002500003155'
/** A card whose issuer authenticates without a challenge, and declines what was authenticated without one. */
const WANTS_CHALLENGE = '4000000000002883'
/** A card whose issuer takes notice of a wish not to ask, and authenticates nobody. */
const NOTICING = '4000000000002859'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const resume = ({ payment }: Pick<WaitingPayment, 'payment'>, sent: SentRequest = {}) =>
    platform().request('POST', `/api/payments/v1/payments/${payment.id}/continue`, sent)
  const orderOf = ({ orderId }: Payment) => platform().call(contract.orders.get, { params: { orderId } })
  const charges = async ({ attempts }: Payment) => {
    const rows = await platform().services.db.read('SELECT attempt_id FROM simulator_charges', [])
    return attempts.filter(({ id }) => rows.some((row) => row['attempt_id'] === id)).length
  }

  async function eventsOf({ orderId }: Payment): Promise<unknown[]> {
    const rows = await platform().services.db.read(
      'SELECT event_type FROM events WHERE properties <> replace(properties, ?, ?) ORDER BY id',
      [orderId, ''],
    )
    return rows.map((row) => row['event_type']).toSorted()
  }
  /** The worker looks every five seconds of the clock, which go by here while the test waits. */
  const ended = (paymentId: string, status: Payment['status']) =>
    expect
      .poll(async () => (platform().clock.advance(5_001), (await read(paymentId)).status), { timeout: 60_000 })
      .toBe(status)

  const waitingEvents = ['s_checkout_started', 's_order_created', 's_payment_action_required', 's_payment_created']

  test('payments take the 3-D Secure provider of their account, also where it is the processor that asks for a proof', async () => {
    const { services, local } = platform()
    const use = async (threedsProvider: 'vendor_a' | 'vendor_b') => {
      await commit(updateAccount(local.accountId, { threedsProvider }, 0), services)
    }
    onTestFinished(() => use('vendor_a'))
    await use('vendor_b')
    const flowAsks = await newAuthenticatedPayment(platform())
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number: NEEDS_PROOF })
    const { body } = await requestPayment(platform(), { paymentInstrumentId })
    const processorAsks = contract.payments.create.response.parse(body)
    for (const sessionId of [flowAsks.sessionId, processorAsks.threedsSessionId ?? '']) {
      expect(sessionId).toMatch(/^3ds_/)
      const session = await platform().call(contract.threeds.get, { params: { sessionId } })
      expect(session).toMatchObject({ provider: 'vendor_b' })
    }
    expect((await resume(flowAsks)).body).toMatchObject({ status: 'succeeded' })
  })

  test('a flow with 3-D Secure charges nothing yet: the payment waits, and its page gets a token', async () => {
    const { payment, actionToken, sessionId } = await newWaitingPayment(platform())
    expect(payment).toMatchObject({
      status: 'requires_action',
      requireAction: 'threeds_auth',
      nextAction: { type: 'threeds_auth', actionToken, sessionId },
      threedsSessionId: sessionId,
      attempts: [],
    })
    expect(await read(payment.id)).toEqual(payment)
    expect(await eventsOf(payment)).toEqual(waitingEvents)
    expect(await platform().call(contract.threeds.get, { params: { sessionId } })).toMatchObject({
      status: 'created',
      outcome: 'pending',
      paymentId: payment.id,
      transStatus: null,
    })
    expect(await orderOf(payment)).toMatchObject({ status: 'pending' })
  })

  test('an authenticated buyer’s card is charged with the proof, once', async () => {
    const waiting = await newAuthenticatedPayment(platform(), NEEDS_PROOF)
    const answer = await resume(waiting)
    const payment = contract.payments.continue.response.parse(answer.body)
    expect([answer.status, payment.status, payment.requireAction, payment.nextAction]).toEqual([
      200,
      'succeeded',
      'none',
      null,
    ])
    expect(payment.attempts).toHaveLength(1)
    expect(await read(payment.id)).toEqual(payment)
    expect(await charges(payment)).toBe(1)
    expect(await orderOf(payment)).toMatchObject({ status: 'paid' })
    expect(await eventsOf(payment)).toEqual([...waitingEvents, 's_order_paid', 's_payment_succeeded'].toSorted())
    const again = await resume(waiting)
    expect([again.status, again.error.code]).toEqual([409, 'state_conflict'])
  })

  test('a card whose issuer wants the buyer to authenticate is charged once he has, by the processor that has asked', async () => {
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number: NEEDS_PROOF })
    const answer = await requestPayment(platform(), { paymentInstrumentId })
    const payment = contract.payments.create.response.parse(answer.body)
    expect(payment).toMatchObject({
      status: 'requires_action',
      attempts: [{ status: 'declined', declineCode: 'authentication_required', outcome: 'authentication_required' }],
    })
    expect(await read(payment.id)).toEqual(payment)
    expect(await eventsOf(payment)).toEqual(waitingEvents)
    await authenticateWaiting(platform(), { actionToken: threedsActionOf(payment).actionToken })
    const paid = contract.payments.continue.response.parse((await resume({ payment })).body)
    expect(paid).toMatchObject({ status: 'succeeded', attempts: [{ status: 'declined' }, { status: 'succeeded' }] })
    expect(new Set(paid.attempts.map(({ processorId }) => processorId)).size).toBe(1)
    expect(await read(payment.id)).toEqual(paid)
  })

  test('that processor is given the proof also where it keeps no customers, and has no weight any more', async () => {
    const { call } = platform()
    const [asking, other] = [await newProcessor(platform()), await newProcessor(platform())]
    const weighted = (weight: number) => [
      { processorId: asking, weight, nonStickable: true },
      { processorId: other, weight: 1 - weight },
    ]
    const data = { name: 'Two', strategy: 'simple' as const, processorConfigs: weighted(1) }
    const { id: paymentFlowId, revision } = await call(contract.paymentFlows.create, { body: { data } })
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number: NEEDS_PROOF })
    const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
    const payment = contract.payments.create.response.parse(answer.body)
    const body = { revision, processorConfigs: weighted(0) }
    await call(contract.paymentFlows.update, { params: { paymentFlowId }, body })
    await authenticateWaiting(platform(), threedsActionOf(payment))
    const paid = contract.payments.continue.response.parse((await resume({ payment })).body)
    expect(paid.attempts.map(({ processorId }) => processorId)).toEqual([asking, asking])
  })

  test('an issuer that wants a buyer whom it has authenticated without asking is asked for a challenge, and the card charged then', async () => {
    const first = await newAuthenticatedPayment(platform(), WANTS_CHALLENGE)
    const answer = await resume(first)
    const payment = contract.payments.continue.response.parse(answer.body)
    expect([answer.status, payment.status, payment.attempts.map(({ outcome }) => outcome)]).toEqual([
      200,
      'requires_action',
      ['authentication_required'],
    ])
    expect(await read(payment.id)).toEqual(payment)
    const { actionToken, sessionId } = threedsActionOf(payment)
    expect(sessionId).not.toBe(first.sessionId)
    expect(await authenticateWaiting(platform(), { actionToken })).toMatchObject({ status: 'challenge_required' })
    await platform().receiveThreedsResult(await resultOf(platform(), sessionId))
    expect((await resume({ payment })).body).toMatchObject({
      status: 'succeeded',
      attempts: [{ status: 'declined' }, { status: 'succeeded' }],
    })
  })

  test('an issuer that again asks nobody, and declines again, is not asked a third time', async () => {
    const first = await newAuthenticatedPayment(platform(), WANTS_CHALLENGE)
    const payment = contract.payments.continue.response.parse((await resume(first)).body)
    const control = await platform().request('POST', '/acs/control', { body: { next: { outcome: 'Y' } } })
    expect(control.status, control.text).toBe(200)
    expect(await authenticateWaiting(platform(), threedsActionOf(payment))).toMatchObject({ status: 'successful' })
    const again = await resume({ payment })
    expect([again.status, again.error.declineCode]).toEqual([402, 'authentication_required'])
    expect((await read(payment.id)).attempts).toHaveLength(2)
  })

  test('an issuer that has refused a card without its buyer is asked for a challenge, whatever the merchant prefers', async () => {
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number: NEEDS_PROOF })
    const { body } = await requestPayment(platform(), { paymentInstrumentId, challengePreference: 'no-challenge' })
    const { actionToken, sessionId } = threedsActionOf(contract.payments.create.response.parse(body))
    await authenticateWaiting(platform(), { actionToken })
    const { transcript } = await platform().call(contract.threeds.get, { params: { sessionId } })
    expect(transcript[0]?.message).toMatchObject({ messageType: 'AReq', threeDSRequestorChallengeInd: '04' })
  })

  test('after a challenge the directory server’s word is what lets a payment go on', async () => {
    const waiting = await newChallengedPayment(platform())
    const early = await resume(waiting)
    expect([early.status, early.error.code]).toEqual([409, 'state_conflict'])
    await platform().receiveThreedsResult(await resultOf(platform(), waiting.sessionId))
    expect((await resume(waiting)).body).toMatchObject({ status: 'succeeded' })
  })

  test.for([
    ['4000000000002925', 'authentication_required', 'authentication_failed'],
    ['4000000000002537', 'card_declined', 'authentication_rejected'],
    ['4000000000002313', 'authentication_required', 'authentication_unavailable'],
    ['4000000000002800', 'authentication_required', 'authentication_informational'],
  ] as const)('the card %s is not charged: 402 %s, %s', async ([number, code, declineCode]) => {
    const waiting = await newAuthenticatedPayment(platform(), number)
    const answer = await resume(waiting)
    expect([answer.status, answer.error.code, answer.error.declineCode, answer.error.paymentId]).toEqual([
      402,
      code,
      declineCode,
      waiting.payment.id,
    ])
    const payment = await read(waiting.payment.id)
    expect(payment).toMatchObject({ status: 'declined', declineCode, attempts: [], nextAction: null })
    expect(await eventsOf(payment)).toEqual([...waitingEvents, 's_payment_failed'].toSorted())
    expect((await resume(waiting)).status).toBe(409)
  })

  test.for([
    ['05', 200],
    ['06', 200],
    ['07', 200],
    ['08', 200],
    ['no-challenge', 402],
  ] as const)(
    'an issuer that takes notice of the preference %s leaves the payment to the authorization: %i',
    async ([challengePreference, status]) => {
      const waiting = await newWaitingPayment(platform(), { number: NOTICING, challengePreference })
      await authenticateWaiting(platform(), waiting)
      expect((await resume(waiting)).status).toBe(status)
    },
  )

  test('a buyer who gives up is not charged', async () => {
    const waiting = await newChallengedPayment(platform())
    await platform().call(contract.threedsFrame.cancel, { body: { actionToken: waiting.actionToken } })
    expect((await resume(waiting)).error).toMatchObject({ declineCode: 'authentication_cancelled' })
  })

  it('of several requests to continue at once one charges', async () => {
    const waiting = await newAuthenticatedPayment(platform())
    const answers = await Promise.all(Array.from({ length: 6 }, () => resume(waiting)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await charges(await read(waiting.payment.id))).toBe(1)
  })

  test('the same request to continue has the same answer', async () => {
    const headers = { 'Idempotency-Key': 'continue-once' }
    const waiting = await newAuthenticatedPayment(platform())
    const first = await resume(waiting, { headers })
    const again = await resume(waiting, { headers })
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('a payment that a crash left after its charge is completed without a second one, and its request answered', async () => {
    const headers = { 'Idempotency-Key': 'continue-and-die' }
    const waiting = await newAuthenticatedPayment(platform(), NEEDS_PROOF)
    await resume(waiting, { headers })
    const { id, orderId } = waiting.payment
    await platform().services.db.write([
      { sql: `UPDATE payments SET status = 'processing', lease_until = 0 WHERE id = ?`, params: [id] },
      ...uncaptured(id),
      {
        sql: `UPDATE payment_attempts SET status = 'processing', outcome = NULL, finished_at = NULL WHERE payment_id = ?`,
        params: [id],
      },
      { sql: `UPDATE orders SET status = 'pending', paid_at = NULL WHERE id = ?`, params: [orderId] },
      {
        sql: `UPDATE idempotency_keys SET status = NULL, body = NULL, lease_until = expires_at
          WHERE body <> replace(body, ?, ?) AND status = 200`,
        params: [id, ''],
      },
    ])
    await platform().restart()
    await ended(id, 'succeeded')
    expect(await charges(await read(id))).toBe(1)
    const again = await resume(waiting, { headers })
    expect([again.status, again.body]).toMatchObject([200, { id, status: 'succeeded' }])
  })

  test('a payment whose buyer never comes ends with its session, and gives back what was set aside for it', async () => {
    const { call, local, services } = platform()
    const code = newCode()
    const promotionId = await newPromotion(platform(), { code, usageLimit: 1 })
    const usage = async () =>
      (await services.db.read('SELECT usage_count, usage_reserved FROM promotions WHERE id = ?', [promotionId]))[0]
    const { variants } = await call(contract.products.get, { params: { productId: local.productId } })
    const order = { amount: undefined, lines: [{ variantId: variants[0]?.id }], promotionCodes: [code] }
    const { payment, sessionId } = await newWaitingPayment(platform(), order)
    expect(await usage()).toEqual({ usage_count: 0, usage_reserved: 1 })
    platform().clock.advance(30 * MINUTE_MS)
    await ended(payment.id, 'declined')
    expect(await read(payment.id)).toMatchObject({ declineCode: 'authentication_timed_out', nextAction: null })
    expect(await usage()).toEqual({ usage_count: 0, usage_reserved: 0 })
    expect(await call(contract.threeds.get, { params: { sessionId } })).toMatchObject({ status: 'expired' })
    expect(await eventsOf(payment)).toContain('s_payment_failed')
  })

  test('a buyer whom the bank begins to ask late has half an hour from then, and the payment waits as long', async () => {
    const { call, clock, services } = platform()
    const never = await newWaitingPayment(platform())
    const late = await newWaitingPayment(platform(), { number: CHALLENGE_CARD })
    clock.advance(29 * MINUTE_MS)
    const { challenge } = await authenticateWaiting(platform(), late)
    await fetch(challenge?.acsUrl ?? '', { method: 'POST', body: new URLSearchParams({ creq: challenge?.creq ?? '' }) })
    const { expiresAt } = await call(contract.threeds.get, { params: { sessionId: late.sessionId } })
    expect(Date.parse(expiresAt)).toBe(clock.now() + 30 * MINUTE_MS)
    const [row] = await services.db.read('SELECT lease_until FROM payments WHERE id = ?', [late.payment.id])
    expect(row?.['lease_until']).toBe(clock.now() + 40 * MINUTE_MS)
    clock.advance(2 * MINUTE_MS)
    await ended(never.payment.id, 'declined')
    expect((await read(late.payment.id)).status).toBe('requires_action')
    await platform().receiveThreedsResult(await resultOf(platform(), late.sessionId))
    expect((await resume(late)).body).toMatchObject({ status: 'succeeded' })
  })

  test('a payment that is not continued ends ten minutes after its session’s time, whatever the buyer has proved', async () => {
    const [proved, failed] = [
      await newAuthenticatedPayment(platform()),
      await newAuthenticatedPayment(platform(), '4000000000002925'),
    ]
    platform().clock.advance(39 * MINUTE_MS)
    const other = await newWaitingPayment(platform())
    await authenticateWaiting(platform(), other)
    expect((await read(proved.payment.id)).status).toBe('requires_action')
    platform().clock.advance(MINUTE_MS)
    await ended(proved.payment.id, 'declined')
    await ended(failed.payment.id, 'declined')
    expect((await read(proved.payment.id)).declineCode).toBe('authentication_timed_out')
    expect((await read(failed.payment.id)).declineCode).toBe('authentication_failed')
    expect((await read(other.payment.id)).status).toBe('requires_action')
  })

  test('a payment of another account, or one that waits for nothing, is not continued', async () => {
    const waiting = await newAuthenticatedPayment(platform())
    const { apiKey } = await platform().addAccount()
    const foreign = await resume(waiting, { key: apiKey })
    expect([foreign.status, foreign.error.code]).toEqual([404, 'resource_missing'])
    expect((await resume(waiting)).status).toBe(200)
  })

  test('a flow without a processor is refused when the payment is created, before a buyer is asked for anything', async () => {
    const { call, local } = platform()
    const flows = await call(contract.paymentFlows.list, { query: {} })
    const { processorConfigs = [] } = flows.find(({ id }) => id === local.paymentFlowId) ?? {}
    const disabled = processorConfigs.map((config) => ({ ...config, disabled: true }))
    const data = { name: 'None', strategy: 'simple', threeDsEnabled: true, processorConfigs: disabled } as const
    const flow = await call(contract.paymentFlows.create, { body: { data } })
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const body = { storeId: local.storeId, currency: 'USD', amount: 5, paymentInstrumentId, paymentFlowId: flow.id }
    const answer = await platform().request('POST', '/api/payments/v1/payments', { body })
    expect([answer.status, answer.error.code]).toEqual([402, 'no_eligible_processor'])
  })
})
