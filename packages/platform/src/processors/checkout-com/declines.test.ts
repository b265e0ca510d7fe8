import { expect, test } from 'vitest'
import { cardErrorDecline, checkoutDecline } from './declines.ts'

test.for([
  ['20051', 'insufficient_funds', 'soft'],
  ['20005', 'do_not_honor', 'soft'],
  ['20087', 'incorrect_cvc', 'hard'],
  ['20059', 'fraudulent', 'hard'],
  ['20091', 'try_again_later', 'soft'],
  ['30041', 'lost_card', 'hard'],
  ['30043', 'stolen_card', 'hard'],
  ['30046', 'closed_account', 'hard'],
  ['30099', 'generic_decline', 'hard'],
  ['40101', 'fraudulent', 'hard'],
  ['20199', 'generic_decline', 'soft'],
  ['constructor', 'generic_decline', 'soft'],
] as const)('Checkout.com’s %s is %s, which is %s', ([responseCode, declineCode, kind]) => {
  expect(checkoutDecline({ responseCode, advice: null }, 'pay_1')).toEqual({
    outcome: 'declined',
    declineCode,
    kind,
    advice: null,
    reference: 'pay_1',
  })
})

test.for(['20150', '20151', '20152', '20154'])('%s asks for 3-D Secure', (responseCode) => {
  expect(checkoutDecline({ responseCode, advice: null }, 'pay_1')).toEqual({
    outcome: 'threeds_required',
    reference: 'pay_1',
  })
})

test('Mastercard’s advice not to try again makes a soft decline hard', () => {
  expect(checkoutDecline({ responseCode: '20005', advice: '21' }, null)).toMatchObject({ kind: 'hard', advice: '21' })
})

test('a number that is none is declined, and any other error is none of the card’s', () => {
  expect(cardErrorDecline(['currency_invalid', 'card_number_invalid'])).toMatchObject({ declineCode: 'invalid_number' })
  expect(cardErrorDecline(['currency_invalid'])).toBeNull()
})
