import type { DeclineCode } from '@tillwright/contract'
import { type AuthorisationOutcome, declined } from '../authorisation.ts'

/**
 * PayPal's reasons not to take money, in our words: the `issue` of an error, the reason of a payment that was declined or
 * has failed, and the response codes of a card behind the wallet. Any other is `generic_decline`. Source: PayPal, Orders
 * API v2 and Payments API v2, "Errors", and "Processor response codes".
 */
const reasons: Readonly<Record<string, DeclineCode>> = {
  // issues
  CARD_EXPIRED: 'expired_card',
  COMPLIANCE_VIOLATION: 'transaction_not_allowed',
  CURRENCY_NOT_SUPPORTED_FOR_CARD_TYPE: 'currency_not_supported',
  INSTRUMENT_DECLINED: 'do_not_honor',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'closed_account',
  PAYER_ACCOUNT_RESTRICTED: 'transaction_not_allowed',
  PAYER_CANNOT_PAY: 'transaction_not_allowed',
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: 'do_not_honor',
  TRANSACTION_BLOCKED_BY_PAYEE: 'fraudulent',
  TRANSACTION_LIMIT_EXCEEDED: 'card_velocity_exceeded',
  TRANSACTION_REFUSED: 'generic_decline',
  // reasons of payments
  BUYER_COMPLAINT: 'generic_decline',
  DECLINED_BY_RISK_FRAUD_FILTERS: 'fraudulent',
  // responses of issuers
  '0500': 'do_not_honor',
  '0580': 'transaction_not_allowed',
  '1330': 'invalid_number',
  '1350': 'processing_error',
  '5100': 'generic_decline',
  '5110': 'incorrect_cvc',
  '5120': 'insufficient_funds',
  '5130': 'do_not_honor',
  '5140': 'closed_account',
  '5180': 'invalid_number',
  '5200': 'closed_account',
  '5400': 'expired_card',
  '5650': 'authentication_required',
  '5700': 'transaction_not_allowed',
  '5710': 'transaction_not_allowed',
  '5900': 'invalid_number',
  '9100': 'try_again_later',
  '9500': 'fraudulent',
  '9510': 'do_not_honor',
  '9520': 'lost_card',
  '9530': 'pickup_card',
  '9540': 'pickup_card',
  '9600': 'authorization_revoked',
}

/** Money that PayPal did not take, in our words. @param reference The order's id. */
export function paypalDecline(
  given: readonly (string | undefined)[],
  { reference, advice = null }: { reference: string; advice?: string | null },
): AuthorisationOutcome {
  const known = given.find((reason) => reason !== undefined && Object.hasOwn(reasons, reason))
  return declined((known === undefined ? undefined : reasons[known]) ?? 'generic_decline', { reference, advice })
}

/** Whether an error says that the buyer's money was not to be had, rather than that the request was wrong. */
export function isDecline(issues: readonly string[]): boolean {
  return issues.some((issue) => Object.hasOwn(reasons, issue))
}
