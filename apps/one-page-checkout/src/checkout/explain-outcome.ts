import type { PayOutcome } from '@tillwright/plugin-sdk'
import type { Texts } from '../texts/languages.ts'

/** Declines that a buyer can do something about, by the decline code or else the error code of the platform's answer. */
const declines: Readonly<Record<string, keyof Texts>> = {
  insufficient_funds: 'declinedFunds',
  expired_card: 'declinedExpired',
  incorrect_cvc: 'declinedCode',
  retry_limit_reached: 'declinedTooOften',
  authentication_required: 'declinedBank',
}

/** Failures that mean: the order is another one than the buyer was shown. */
const changed = ['state_conflict', 'promotion_exhausted', 'amount_invalid', 'currency_unsupported']

/**
 * What to tell the buyer of a payment that has not succeeded.
 *
 * @returns The key of a text; `null` for what is told elsewhere: by the receipt, or by the card form.
 */
export function explainOutcome(outcome: PayOutcome): keyof Texts | null {
  switch (outcome.outcome) {
    case 'paid':
    case 'incomplete':
      return null
    case 'declined':
      return declines[outcome.declineCode ?? ''] ?? declines[outcome.reason] ?? 'declined'
    case 'cancelled':
      return 'cancelled'
    case 'pending':
      return 'pending'
    case 'failed':
      return changed.includes(outcome.error.code) ? 'orderChanged' : 'failed'
  }
}
