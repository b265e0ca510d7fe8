import { expect, test } from 'vitest'
import { messageOf } from './message-of.ts'

const declined = { outcome: 'declined', reason: '', declineCode: null, message: '', paymentId: null } as const

test('a decline is told by its reason, and any other as a decline', () => {
  expect(messageOf({ ...declined, reason: 'insufficient_funds' })).toBe('insufficient')
  expect(messageOf({ ...declined, reason: 'card_declined' })).toBe('declined')
  expect(messageOf({ ...declined, reason: 'of_tomorrow' })).toBe('declined')
})

test('what went well, or is shown by the card form, is not told', () => {
  expect(
    [null, { outcome: 'incomplete' } as const, { outcome: 'paid', payment: null } as const].map(messageOf),
  ).toEqual([null, null, null])
  expect(messageOf({ outcome: 'cancelled' })).toBe('cancelled')
})
