import type { DeclineCode } from '../processors/decline-codes.ts'

/**
 * Whether a decline says that the payer does not hold the card. Whoever tests stolen or made-up cards meets these again
 * and again; a decline for lack of money, or one without a reason, meets honest buyers as well and is no sign.
 */
export function isSignOfTesting(declineCode: string | undefined): boolean {
  return signs.some((sign) => sign === declineCode)
}

const signs: readonly DeclineCode[] = [
  'incorrect_cvc',
  'expired_card',
  'invalid_number',
  'closed_account',
  'lost_card',
  'stolen_card',
  'pickup_card',
  'fraudulent',
]
