import type { PayOutcome } from '@tillwright/plugin-sdk'
import type { Texts } from '../texts/en.ts'

const declines: Readonly<Record<string, keyof Texts>> = {
  insufficient_funds: 'insufficient',
  expired_card: 'expiredCard',
  incorrect_cvc: 'wrongCode',
  authentication_required: 'notAuthenticated',
}

/** The message for an unsuccessful payment, or `null` if none is needed. */
export function messageOf(outcome: PayOutcome | null): keyof Texts | null {
  switch (outcome?.outcome) {
    case 'declined':
      return declines[outcome.reason] ?? 'declined'
    case 'cancelled':
      return 'cancelled'
    case 'pending':
      return 'pending'
    case 'failed':
      return 'payFailed'
    case 'paid':
    case 'incomplete': // the card form shows where
    case undefined:
      return null
  }
}
