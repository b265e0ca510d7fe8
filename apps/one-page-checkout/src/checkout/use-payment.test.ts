import { type PayOutcome, TillwrightError } from '@tillwright/plugin-sdk'
import { expect, test } from 'vitest'
import { explainOutcome } from './use-payment.ts'

const declined = (reason: string, declineCode: string | null = null): PayOutcome => {
  return { outcome: 'declined', reason, declineCode, message: '', paymentId: null }
}
const failed = (code: string): PayOutcome => ({ outcome: 'failed', error: new TillwrightError(code, '') })

test.for([
  [declined('insufficient_funds'), 'declinedFunds'],
  [declined('incorrect_cvc'), 'declinedCode'],
  [declined('anything_new'), 'declined'],
  [declined('card_declined', 'retry_limit_reached'), 'declinedTooOften'],
  [declined('card_declined', 'debit_refused'), 'declinedDebit'],
  [declined('card_declined', 'payment_expired'), 'declinedLate'],
  [{ outcome: 'cancelled' }, 'cancelled'],
  [{ outcome: 'incomplete' }, null],
  [failed('network_failed'), 'failed'],
  [failed('state_conflict'), 'orderChanged'],
] as const)('%o is explained by %s', ([outcome, text]) => {
  expect(explainOutcome(outcome)).toBe(text)
})

test('what was paid without a card is not explained by a card', () => {
  expect(explainOutcome(declined('card_declined'), 'ideal')).toBe('declinedThere')
  expect(explainOutcome({ outcome: 'cancelled' }, 'paypal')).toBe('cancelledThere')
})
