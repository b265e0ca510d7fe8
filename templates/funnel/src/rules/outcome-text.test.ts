import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PayOutcome } from '@tillwright/plugin-sdk'
import { texts } from '../texts.ts'
import { outcomeText } from './outcome-text.ts'

const declined = (reason: string): PayOutcome => {
  return { outcome: 'declined', reason, declineCode: null, message: '', paymentId: null }
}

test('a decline says what the buyer can do about it', () => {
  assert.equal(outcomeText(declined('expired_card')), texts.expiredCard)
  assert.equal(outcomeText(declined('do_not_honor')), texts.declined)
  assert.equal(outcomeText(declined('card_declined'), 'ideal'), texts.unpaid)
})

test('what ended well, and what the card form says, needs no words', () => {
  for (const outcome of [null, { outcome: 'incomplete' }, { outcome: 'paid', payment: null }] as const) {
    assert.equal(outcomeText(outcome), null)
  }
})
