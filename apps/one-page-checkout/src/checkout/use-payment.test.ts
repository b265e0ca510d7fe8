import { type PayOutcome, TillwrightError } from '@tillwright/plugin-sdk'
import { expect, test } from 'vitest'
import { explainOutcome } from './use-payment.ts'

const declined = (reason: string): PayOutcome => {
  return { outcome: 'declined', reason, declineCode: null, message: '', paymentId: null }
}
const failed = (code: string): PayOutcome => ({ outcome: 'failed', error: new TillwrightError(code, '') })

test.for([
  [declined('insufficient_funds'), 'declinedFunds'],
  [declined('incorrect_cvc'), 'declinedCode'],
  [declined('anything_new'), 'declined'],
  [{ outcome: 'cancelled' }, 'cancelled'],
  [{ outcome: 'incomplete' }, null],
  [failed('network_failed'), 'failed'],
  [failed('state_conflict'), 'orderChanged'],
] as const)('%o is explained by %s', ([outcome, text]) => {
  expect(explainOutcome(outcome)).toBe(text)
})
