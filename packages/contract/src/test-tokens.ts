/**
 * Test tokens and their effect on a payment. Platforms in `local` and `development` accept them wherever they accept a
 * `serviceToken`; the vault knows the card behind each.
 */
export const testTokens = {
  tok_visa: 'Visa credit card, charged.',
  tok_visa_debit: 'Visa debit card, charged.',
  tok_mastercard: 'Mastercard credit card, charged.',
  tok_mastercard_debit: 'Mastercard debit card, charged.',
  tok_mastercard_prepaid: 'Mastercard prepaid card, charged.',
  tok_amex: 'American Express card, charged.',
  tok_discover: 'Discover card, charged.',
  tok_diners: 'Diners Club card, charged.',
  tok_jcb: 'JCB card, charged.',
  tok_unionpay: 'UnionPay card, charged.',
  tok_threeds_challenge: 'Requires 3-D Secure, and the bank asks for a code (1234 is correct); then charged.',
  tok_threeds_frictionless: 'Requires 3-D Secure, which the bank grants without asking; then charged.',
  tok_threeds_attempted: 'If the payment uses 3-D Secure: the bank does not take part, an attempt is proven.',
  tok_threeds_failed: 'If the payment uses 3-D Secure: the bank does not authenticate the buyer.',
  tok_threeds_rejected: 'If the payment uses 3-D Secure: the bank rejects the payment.',
  tok_threeds_unavailable: 'If the payment uses 3-D Secure: the bank is unavailable.',
  tok_threeds_challenge_declined: 'As `tok_threeds_challenge`, then declined: `generic_decline`.',
  tok_threeds_challenge_insufficient_funds: 'As `tok_threeds_challenge`, then declined: `insufficient_funds`.',
  tok_declined: 'Declined: `generic_decline`.',
  tok_declined_card_velocity_exceeded: 'Declined: `card_velocity_exceeded`.',
  tok_declined_closed_account: 'Declined: `closed_account`.',
  tok_declined_do_not_honor: 'Declined: `do_not_honor`.',
  tok_declined_expired_card: 'Declined: `expired_card`.',
  tok_declined_fraudulent: 'Declined: `fraudulent`.',
  tok_declined_incorrect_cvc: 'Declined: `incorrect_cvc`.',
  tok_declined_insufficient_funds: 'Declined: `insufficient_funds`.',
  tok_declined_invalid_number: 'Declined: `invalid_number`.',
  tok_declined_lost_card: 'Declined: `lost_card`.',
  tok_declined_pickup_card: 'Declined: `pickup_card`.',
  tok_declined_processing_error: 'Declined: `processing_error`.',
  tok_declined_stolen_card: 'Declined: `stolen_card`.',
  tok_declined_transaction_not_allowed: 'Declined: `transaction_not_allowed`.',
  tok_declined_try_again_later: 'Declined: `try_again_later`.',
  tok_disputed: 'Charged, then disputed as a chargeback.',
  tok_disputed_inquiry: 'Charged, then disputed as an inquiry.',
} as const satisfies Record<`tok_${string}`, string>

export type TestToken = keyof typeof testTokens
