import { expect, test } from 'vitest'
import { adyenDecline } from './declines.ts'

test.for([
  [{ refusalReasonCode: '12' }, 'insufficient_funds', 'soft'],
  [{ refusalReasonCode: '6' }, 'expired_card', 'hard'],
  [{ refusalReasonCode: '24' }, 'incorrect_cvc', 'hard'],
  [{ refusalReasonCode: '20' }, 'fraudulent', 'hard'],
  [{ refusalReasonCode: '46' }, 'do_not_try_again', 'hard'],
  [{ refusalReasonCode: '5' }, 'pickup_card', 'hard'],
  [{ refusalReasonCode: '5', raw: '41 : Lost card' }, 'lost_card', 'hard'],
  [{ refusalReasonCode: '2', raw: '05 : Do not honor' }, 'do_not_honor', 'soft'],
  [{ refusalReasonCode: '2', raw: 'DECLINED' }, 'generic_decline', 'soft'],
  [{ refusalReasonCode: '12', raw: '41 : Lost card' }, 'insufficient_funds', 'soft'],
  [{ refusalReason: 'CVC Declined' }, 'incorrect_cvc', 'hard'],
  [{ refusalReason: 'not enough balance' }, 'insufficient_funds', 'soft'],
  [{ refusalReasonCode: '99', raw: '51 : Insufficient funds' }, 'insufficient_funds', 'soft'],
  [{ refusalReasonCode: 'toString' }, 'generic_decline', 'soft'],
  [{}, 'generic_decline', 'soft'],
] as const)('Adyen’s %o is %s, which is %s', ([refusal, declineCode, kind]) => {
  expect(adyenDecline(refusal, 'PSP1')).toEqual({
    outcome: 'declined',
    declineCode,
    kind,
    advice: null,
    reference: 'PSP1',
  })
})

test.for(['11', '38', '39', '42'])('the reason %s asks for 3-D Secure', (refusalReasonCode) => {
  expect(adyenDecline({ refusalReasonCode }, 'PSP1')).toEqual({ outcome: 'threeds_required', reference: 'PSP1' })
})

test('Mastercard’s advice not to try again makes a soft decline hard', () => {
  const soft = { refusalReasonCode: '27', advice: '03 : Do not try again' }
  expect(adyenDecline(soft, null)).toMatchObject({ declineCode: 'do_not_honor', kind: 'hard', advice: '03' })
  expect(adyenDecline({ ...soft, advice: '02 : Try again later' }, null)).toMatchObject({ kind: 'soft', advice: '02' })
})
