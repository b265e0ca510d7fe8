import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'
import { authenticateWaiting, threedsActionOf } from '../../test/threeds-payment.ts'

/** Its issuer wants the buyer, and approves later charges that refer to a payment for which the buyer was there. */
const SET_UP_CARD = '4000002500003155'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const verify = (paymentInstrumentId: string, change: object = {}) =>
    platform().request('POST', `/api/payments/v1/payment-instruments/${paymentInstrumentId}/verify`, {
      body: { storeId: platform().local.storeId, currency: 'USD', ...change },
    })
  const verified = async (...asked: Parameters<typeof verify>): Promise<Payment> =>
    contract.payments.verify.response.parse((await verify(...asked)).body)
  const consentOf = async (paymentInstrumentId: string) =>
    (await platform().call(contract.paymentInstruments.get, { params: { paymentInstrumentId } })).consent

  test('a card is saved without an order: its issuer is asked, nothing is taken, and what the buyer agreed to is kept', async () => {
    const { id } = await newInstrument(platform())
    const payment = await verified(id)
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount: 0,
      capturedAmount: 0,
      attempts: [{ status: 'succeeded' }],
    })
    const { networkTransactionId } = payment.attempts[0] ?? {}
    expect(await consentOf(id)).toMatchObject({ usage: 'off_session', paymentId: payment.id, networkTransactionId })
    const rows = await platform().services.db.read(
      'SELECT event_type FROM events WHERE properties <> replace(properties, ?, ?) ORDER BY event_type',
      [payment.id, ''],
    )
    expect(rows.map((row) => row['event_type'])).toEqual(['s_payment_created', 's_payment_succeeded'])
    const { status } = await requestPayment(platform(), { paymentInstrumentId: id, initiatedBy: 'merchant' })
    expect(status).toBe(201)
  })

  test('a buyer who agrees to less is charged in their absence no more', async () => {
    const { id } = await newInstrument(platform())
    await verified(id, { usage: 'on_session' })
    expect(await consentOf(id)).toMatchObject({ usage: 'on_session' })
    expect((await requestPayment(platform(), { paymentInstrumentId: id, initiatedBy: 'merchant' })).status).toBe(409)
  })

  test('a card that its issuer declines is not agreed to', async () => {
    const { id } = await newInstrument(platform(), { number: '4000000000009987' })
    const { status, error } = await verify(id)
    expect([status, error.declineCode]).toEqual([402, 'lost_card'])
    expect(await consentOf(id)).toBeNull()
  })

  test('it is authenticated as no payment, for a card that is added, with a mandated challenge', async () => {
    const { flow } = await newFlow(platform(), 0, { threeDsEnabled: true })
    const { id } = await newInstrument(platform(), { number: SET_UP_CARD })
    const waiting = await verified(id, { paymentFlowId: flow.id })
    expect(waiting).toMatchObject({ status: 'requires_action', challengePreference: 'challenge-mandated' })
    await authenticateWaiting(platform(), threedsActionOf(waiting))
    const params = { paymentId: waiting.id }
    expect(await platform().call(contract.payments.continue, { params })).toMatchObject({ status: 'succeeded' })
    const sessionId = waiting.threedsSessionId ?? ''
    const { transcript } = await platform().call(contract.threeds.get, { params: { sessionId } })
    expect(transcript.map(({ message }) => message)).toContainEqual(
      expect.objectContaining({
        messageType: 'AReq',
        messageCategory: '02',
        threeDSRequestorAuthenticationInd: '04',
        threeDSRequestorChallengeInd: '04',
      }),
    )
    const charge = { paymentInstrumentId: id, paymentFlowId: flow.id, initiatedBy: 'merchant' as const }
    expect((await requestPayment(platform(), charge)).body).toMatchObject({ status: 'succeeded' })
  })
})
