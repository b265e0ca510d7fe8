import type { PaymentMethodType, PayOutcome, Translation } from '@tillwright/plugin-sdk'
import { texts } from '../texts.ts'

/** Reasons of banks that a buyer can do something about. */
const byReason: Readonly<Record<string, Translation>> = {
  insufficient_funds: texts.insufficientFunds,
  expired_card: texts.expiredCard,
  incorrect_cvc: texts.incorrectCvc,
}

/**
 * The message for the outcome of a payment; `null` if the page moves on or the card form shows it.
 *
 * @param paidWith The payment's method; `card` if there was no payment.
 */
export function outcomeText(outcome: PayOutcome | null, paidWith: PaymentMethodType = 'card'): Translation | null {
  switch (outcome?.outcome) {
    case 'declined':
      return byReason[outcome.reason] ?? (paidWith === 'card' ? texts.declined : texts.unpaid)
    case 'cancelled':
      return texts.cancelled
    case 'pending':
      return texts.pending
    case 'failed':
      return texts.failed
    case 'incomplete':
    case 'paid':
    case undefined:
      return null
  }
}
