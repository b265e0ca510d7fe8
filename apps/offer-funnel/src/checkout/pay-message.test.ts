import { expect, test } from 'vitest'
import { messageOf } from './pay-message.tsx'

const declined = { outcome: 'declined', reason: '', declineCode: null, message: '', paymentId: null } as const

test('a decline is explained by its reason, an unknown one as a decline', () => {
  expect(messageOf({ ...declined, reason: 'insufficient_funds' })).toBe('insufficient')
  expect(messageOf({ ...declined, reason: 'card_declined' })).toBe('declined')
  expect(messageOf({ ...declined, reason: 'of_tomorrow' })).toBe('declined')
})

test('no message where the payment went well or the card form shows the error', () => {
  expect(
    [null, { outcome: 'incomplete' } as const, { outcome: 'paid', payment: null } as const].map((outcome) =>
      messageOf(outcome),
    ),
  ).toEqual([null, null, null])
  expect(messageOf({ outcome: 'cancelled' })).toBe('cancelled')
})

test('what was paid without a card is not explained by a card', () => {
  expect(messageOf({ ...declined, reason: 'card_declined' }, 'ideal')).toBe('declinedThere')
  expect(messageOf({ ...declined, declineCode: 'debit_refused' }, 'sepa_debit')).toBe('declinedDebit')
  expect(messageOf({ outcome: 'cancelled' }, 'paypal')).toBe('cancelledThere')
})
