import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { authenticateWaiting, newWaitingPayment } from '../../test/threeds-payment.ts'

const series = { expiration: '2099-12-31', frequency: '30' }
const recurring = { authenticationType: 'recurring-transaction', recurringInfo: series } as const
const installments = {
  authenticationType: 'installment-transaction',
  recurringInfo: { ...series, installments: '06' },
} as const

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const areqOf = async (sessionId: string) => {
    const { transcript } = await platform().call(contract.threeds.get, { params: { sessionId } })
    return transcript.find(({ type }) => type === 'AReq')?.message
  }

  test.for([
    [
      { ...recurring, challengePreference: 'challenge-requested' },
      { threeDSRequestorAuthenticationInd: '02', threeDSRequestorChallengeInd: '03', recurringExpiry: '20991231' },
    ],
    [
      { ...installments, challengePreference: '02' },
      { threeDSRequestorAuthenticationInd: '03', threeDSRequestorChallengeInd: '02', purchaseInstalData: '06' },
    ],
    [{}, { threeDSRequestorAuthenticationInd: '01', threeDSRequestorChallengeInd: '01' }],
  ] as const)('the issuer is told what the buyer of a payment agrees to: %j', async ([sent, fields]) => {
    const waiting = await newWaitingPayment(platform(), sent)
    await authenticateWaiting(platform(), waiting)
    expect(await areqOf(waiting.sessionId)).toMatchObject(fields)
    const read = await platform().call(contract.payments.get, { params: { paymentId: waiting.payment.id } })
    const single = {
      authenticationType: 'payment-transaction',
      recurringInfo: null,
      challengePreference: 'no-preference',
    }
    expect(waiting.payment).toMatchObject({ ...single, ...sent })
    expect(read).toMatchObject({ ...single, ...sent })
  })

  test.for([['challenge-mandated'], ['04']] as const)(
    'a challenge that is mandated (%s) is had where the flow does not authenticate buyers',
    async ([challengePreference]) => {
      const { id: paymentInstrumentId } = await newInstrument(platform(), {})
      const answer = await requestPayment(platform(), { paymentInstrumentId, challengePreference })
      expect(answer.body).toMatchObject({ status: 'requires_action', routing: { challengeMandated: true } })
      const without = await requestPayment(platform(), {
        paymentInstrumentId,
        challengePreference: 'challenge-requested',
      })
      expect(without.body).toMatchObject({ status: 'succeeded' })
    },
  )

  test.for<[what: string, sent: object, code: string, param: string]>([
    ['no terms', { authenticationType: 'recurring-transaction' }, 'parameter_missing', 'recurringInfo'],
    [
      'no number of installments',
      { ...installments, recurringInfo: series },
      'parameter_missing',
      'recurringInfo.installments',
    ],
    [
      'an end in the past',
      { ...recurring, recurringInfo: { ...series, expiration: '2020-01-01' } },
      'parameter_invalid',
      'recurringInfo.expiration',
    ],
    ['an unknown preference', { challengePreference: 'always' }, 'parameter_invalid', 'challengePreference'],
  ])('a payment with %s is a 400 that names the field', async ([, sent, code, param]) => {
    const { id: paymentInstrumentId } = await newInstrument(platform(), {})
    const answer = await requestPayment(platform(), { paymentInstrumentId, ...sent })
    expect([answer.status, answer.error.code, answer.error.param]).toEqual([400, code, param])
  })

  test('a series that ends today can still be authenticated after midnight', async () => {
    const today = new Date(platform().clock.now()).toISOString().slice(0, 10)
    const midnight = Date.parse(`${today}T00:00:00Z`) + 24 * 60 * 60_000
    platform().clock.advance(midnight - 60_000 - platform().clock.now())
    const recurringInfo = { ...series, expiration: today }
    const waiting = await newWaitingPayment(platform(), { ...recurring, recurringInfo })
    platform().clock.advance(120_000)
    expect(await authenticateWaiting(platform(), waiting)).toMatchObject({ status: 'successful' })
  })
})
