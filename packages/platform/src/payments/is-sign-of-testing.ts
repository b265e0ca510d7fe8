import type { DeclineCode } from './processors/processor.ts'

/**
 * Whether a decline says that the payer does not hold the card. Whoever tests stolen or made-up cards meets these again
 * and again; a decline for lack of money, or one without a reason, meets honest buyers as well and is no sign.
 */
export function isSignOfTesting(declineCode: DeclineCode): boolean {
  return signs.has(declineCode)
}

const signs: ReadonlySet<DeclineCode> = new Set(['lost_card', 'stolen_card', 'expired_card', 'incorrect_cvc'])
