import type { DeclineCode } from '@tillwright/contract'
import { type AuthorisationOutcome, declined } from '../authorisation.ts'

/** A failed charge, from an error of Stripe's API or from a payment intent's `last_payment_error`. */
export interface StripeFailure {
  code?: string
  decline_code?: string
  advice_code?: string
  network_advice_code?: string
}

/**
 * Stripe's decline codes and error codes of cards in our words; any other is `generic_decline`. Source: Stripe, "Decline
 * codes" and "Error codes". A merchant's own block list counts as fraud: another processor must not get round it.
 */
const codes: Readonly<Record<string, DeclineCode>> = {
  approve_with_id: 'try_again_later',
  call_issuer: 'do_not_honor',
  card_not_supported: 'card_not_supported',
  card_velocity_exceeded: 'card_velocity_exceeded',
  currency_not_supported: 'currency_not_supported',
  do_not_honor: 'do_not_honor',
  do_not_try_again: 'do_not_try_again',
  expired_card: 'expired_card',
  fraudulent: 'fraudulent',
  generic_decline: 'generic_decline',
  incorrect_cvc: 'incorrect_cvc',
  incorrect_number: 'invalid_number',
  insufficient_funds: 'insufficient_funds',
  invalid_account: 'closed_account',
  invalid_cvc: 'incorrect_cvc',
  invalid_expiry_month: 'expired_card',
  invalid_expiry_year: 'expired_card',
  invalid_number: 'invalid_number',
  issuer_not_available: 'try_again_later',
  lost_card: 'lost_card',
  merchant_blacklist: 'fraudulent',
  no_action_taken: 'do_not_honor',
  not_permitted: 'transaction_not_allowed',
  pickup_card: 'pickup_card',
  processing_error: 'processing_error',
  reenter_transaction: 'try_again_later',
  restricted_card: 'pickup_card',
  revocation_of_all_authorizations: 'authorization_revoked',
  revocation_of_authorization: 'authorization_revoked',
  security_violation: 'do_not_honor',
  service_not_allowed: 'transaction_not_allowed',
  stolen_card: 'stolen_card',
  stop_payment_order: 'authorization_revoked',
  transaction_not_allowed: 'transaction_not_allowed',
  try_again_later: 'try_again_later',
  withdrawal_count_limit_exceeded: 'card_velocity_exceeded',
}

/** Stripe's decline codes that ask for authentication of the cardholder. */
const WANTS_THREEDS: ReadonlySet<string> = new Set([
  'authentication_required',
  'authentication_not_handled',
  'mobile_device_authentication_required',
  'payment_intent_authentication_failure',
])

/**
 * A failed charge in our words. Stripe's own advice not to try again makes a soft decline hard.
 *
 * @param reference The payment intent's id.
 */
export function stripeDecline(failure: StripeFailure, reference: string | null): AuthorisationOutcome {
  const reasons = [failure.decline_code, failure.code].filter((reason) => reason !== undefined)
  if (reasons.some((reason) => WANTS_THREEDS.has(reason))) return { outcome: 'threeds_required', reference }
  const known = reasons.find((reason) => Object.hasOwn(codes, reason))
  const code = (known === undefined ? undefined : codes[known]) ?? 'generic_decline'
  const outcome = declined(code, { reference, advice: failure.network_advice_code ?? null })
  return failure.advice_code === 'do_not_try_again' ? { ...outcome, kind: 'hard' } : outcome
}
