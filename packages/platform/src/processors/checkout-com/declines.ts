import type { DeclineCode } from '@tillwright/contract'
import { type AuthorisationOutcome, declined } from '../authorisation.ts'

const WANTS_THREEDS = 'threeds'

/**
 * Checkout.com's response codes in our words; of the others those from 40000 on are its risk engine's, and the rest is
 * `generic_decline`. Source: Checkout.com, "API response codes".
 */
const codes: Readonly<Record<string, DeclineCode | typeof WANTS_THREEDS>> = {
  20001: 'do_not_honor',
  20002: 'do_not_honor',
  20003: 'processing_error',
  20004: 'pickup_card',
  20005: 'do_not_honor',
  20006: 'processing_error',
  20009: 'try_again_later',
  20012: 'transaction_not_allowed',
  20013: 'processing_error',
  20014: 'invalid_number',
  20015: 'card_not_supported',
  20017: 'buyer_canceled',
  20018: 'do_not_honor',
  20019: 'try_again_later',
  20022: 'processing_error',
  20030: 'processing_error',
  20031: 'card_not_supported',
  20038: 'do_not_honor',
  20039: 'card_not_supported',
  20040: 'card_not_supported',
  20046: 'do_not_honor',
  20051: 'insufficient_funds',
  20052: 'card_not_supported',
  20053: 'card_not_supported',
  20054: 'expired_card',
  20055: 'do_not_honor',
  20057: 'transaction_not_allowed',
  20058: 'transaction_not_allowed',
  20059: 'fraudulent',
  20060: 'do_not_honor',
  20061: 'card_velocity_exceeded',
  20062: 'pickup_card',
  20063: 'do_not_honor',
  20064: 'do_not_honor',
  20065: 'card_velocity_exceeded',
  20066: 'do_not_honor',
  20067: 'pickup_card',
  20068: 'try_again_later',
  20072: 'do_not_honor',
  20075: 'do_not_honor',
  20078: 'do_not_honor',
  20081: 'card_not_supported',
  20082: 'incorrect_cvc',
  20083: 'invalid_number',
  20087: 'incorrect_cvc',
  20091: 'try_again_later',
  20092: 'try_again_later',
  20093: 'transaction_not_allowed',
  20096: 'processing_error',
  20100: 'expired_card',
  20103: 'card_not_supported',
  20106: 'currency_not_supported',
  20121: 'card_velocity_exceeded',
  20150: WANTS_THREEDS,
  20151: WANTS_THREEDS,
  20152: WANTS_THREEDS,
  20153: 'processing_error',
  20154: WANTS_THREEDS,
  20155: WANTS_THREEDS,
  20157: 'processing_error',
  20193: 'incorrect_cvc',
  30004: 'pickup_card',
  30007: 'pickup_card',
  30015: 'invalid_number',
  30033: 'expired_card',
  30034: 'fraudulent',
  30035: 'pickup_card',
  30036: 'pickup_card',
  30037: 'pickup_card',
  30038: 'pickup_card',
  30041: 'lost_card',
  30043: 'stolen_card',
  30044: 'transaction_not_allowed',
  30046: 'closed_account',
}

/** The codes of hard declines; what is not in the table must not be tried again all the same. */
const HARD = /^30\d{3}$/
/** Checkout.com's risk engine and block lists: another processor must not get round them. */
const RISK = /^4\d{4}$/

/** A declined payment, from the answer or from the action that has declined it. */
export interface CheckoutDecline {
  responseCode: string
  /** Mastercard's advice, if the account receives it. */
  advice: string | null
}

/** A declined payment in our words. @param reference The payment's id. */
export function checkoutDecline(
  { responseCode, advice }: CheckoutDecline,
  reference: string | null,
): AuthorisationOutcome {
  const known = Object.hasOwn(codes, responseCode) ? codes[responseCode] : undefined
  if (known === WANTS_THREEDS) return { outcome: 'threeds_required', reference }
  const code = known ?? (RISK.test(responseCode) ? 'fraudulent' : 'generic_decline')
  const outcome = declined(code, { reference, advice })
  return HARD.test(responseCode) ? { ...outcome, kind: 'hard' } : outcome
}

/** Errors about a card that is none, by which a payment never begins. Source: Checkout.com, "API error codes". */
const cardErrors: Readonly<Record<string, DeclineCode>> = {
  card_expired: 'expired_card',
  card_expiry_date_invalid: 'expired_card',
  card_expiry_month_invalid: 'expired_card',
  card_expiry_year_invalid: 'expired_card',
  card_number_invalid: 'invalid_number',
  cvv_invalid: 'incorrect_cvc',
}

/** A request that was refused for its card; `null` where the card is not to blame. */
export function cardErrorDecline(errorCodes: readonly string[]): AuthorisationOutcome | null {
  const code = errorCodes.find((each) => Object.hasOwn(cardErrors, each))
  return code === undefined ? null : declined(cardErrors[code] ?? 'generic_decline', { reference: null })
}
