import type { DisputeKind } from '@tillwright/contract'
import type { DeclineCode } from './decline-codes.ts'
import { declined } from './declined.ts'
import type { Authorisation, AuthorisationOutcome } from './driver.ts'

/** What each test card is declined for; any other number is charged. The numbers are those of Stripe's test mode. */
export const testCards: ReadonlyMap<string, DeclineCode> = new Map([
  ['4000000000000002', 'generic_decline'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000009987', 'lost_card'],
  ['4000000000009979', 'stolen_card'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error'],
  ['4000000000006975', 'card_velocity_exceeded'],
  ['4100000000000019', 'fraudulent'],
  ['4000008260003178', 'insufficient_funds'],
  ['4000008400001629', 'generic_decline'],
])

/** The test cards that need a 3-D Secure proof, before anything else is said. Source: the same. */
export const threedsCards: ReadonlySet<string> = new Set([
  '4000002500003155',
  '4000002760003184',
  '4000008260003178',
  '4000008400001629',
])

/** The test cards that are charged, and disputed afterwards. Source: the same. */
export const disputedCards: ReadonlyMap<string, DisputeKind> = new Map([
  ['4000000000000259', 'chargeback'],
  ['4000000000001976', 'inquiry'],
])

/** The amounts that decide, whatever the card: 200,000 minor units and a response code of ISO 8583 (field 39). */
const TRIGGERS_FROM = 200_000
export const responseCodes: ReadonlyMap<number, DeclineCode> = new Map([
  [4, 'pickup_card'],
  [5, 'do_not_honor'],
  [14, 'invalid_number'],
  [41, 'lost_card'],
  [43, 'stolen_card'],
  [46, 'closed_account'],
  [51, 'insufficient_funds'],
  [54, 'expired_card'],
  [57, 'transaction_not_allowed'],
  [59, 'fraudulent'],
  [61, 'card_velocity_exceeded'],
  [82, 'incorrect_cvc'],
  [91, 'try_again_later'],
  [96, 'processing_error'],
])

/** Mastercard's response code for "only with 3-D Secure". */
const ONLY_WITH_THREEDS = 65

/** What the simulator answers to an authorisation: by its card and its amount alone, so that it repeats. */
export function simulatedOutcome(authorisation: Authorisation, reference: string): AuthorisationOutcome {
  const { card, amount, capture, threeds } = authorisation
  const trigger = amount - TRIGGERS_FROM
  const needsThreeds = threedsCards.has(card.number) || trigger === ONLY_WITH_THREEDS
  if (needsThreeds && threeds === null) return { outcome: 'threeds_required', reference }
  const declineCode = responseCodes.get(trigger) ?? testCards.get(card.number)
  if (declineCode !== undefined) return declined(declineCode, { reference })
  return { outcome: capture === 'now' ? 'succeeded' : 'authorized', reference }
}
