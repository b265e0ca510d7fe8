/**
 * Why an issuer or a processor says no, in the field's own words, and whether the same card may be tried elsewhere.
 *
 * `hard` are the answers that Visa's excessive reattempts rule counts as "issuer will never approve" (its category 1:
 * lost, stolen, picked up, closed, no such number, revoked), what is marked as fraud, and those that the same data will
 * always get (its category 3: expiry, security code). The rest is `soft`.
 */
export const declineKinds = {
  generic_decline: 'soft',
  do_not_honor: 'soft',
  insufficient_funds: 'soft',
  try_again_later: 'soft',
  processing_error: 'soft',
  authentication_required: 'soft',
  card_velocity_exceeded: 'soft',
  card_not_supported: 'soft',
  currency_not_supported: 'soft',
  expired_card: 'hard',
  incorrect_cvc: 'hard',
  invalid_number: 'hard',
  lost_card: 'hard',
  stolen_card: 'hard',
  pickup_card: 'hard',
  closed_account: 'hard',
  fraudulent: 'hard',
  authorization_revoked: 'hard',
  transaction_not_allowed: 'hard',
  do_not_try_again: 'hard',
} as const

/** One of the reasons for a decline. */
export type DeclineCode = keyof typeof declineKinds
