import type { AppliedPromotion, Payment, ThreedsOutcome } from '@tillwright/contract'
import type { Reply } from '../call.ts'
import type { Emitter } from '../events/emit.ts'
import { endUnpaid } from './end-unpaid.ts'

/** The ends of an authentication after which a card is not charged. */
export type Unauthenticated = Exclude<ThreedsOutcome, 'authenticated' | 'attempted' | 'pending'>

/** A payment that waits for its buyer, and the promotions of which a use each is set aside. */
export interface Waiting {
  payment: Payment
  applied: readonly AppliedPromotion[]
}

/**
 * Declines a payment whose buyer was not authenticated: the writes, and the answer to whoever wants to continue it. An
 * authentication that was not to be had declines it too, because the shop would bear the loss of a fraud.
 */
export function declineUnauthenticated(
  { payment, applied }: Waiting,
  outcome: Unauthenticated,
  emitter: Emitter,
): Reply<Payment> {
  const code = outcome === 'rejected' ? 'card_declined' : 'authentication_required'
  const declineCode = `authentication_${outcome}`
  return endUnpaid(payment, { declineCode, code, message: messages[outcome], applied, writes: [] }, emitter)
}

const messages: Record<Unauthenticated, string> = {
  failed: 'The buyer could not be authenticated; ask for another card.',
  rejected: "The card's issuer refuses the payment; ask the buyer for another card.",
  cancelled: 'The buyer has given up the authentication; pay again if the buyer wants to.',
  timed_out: 'The buyer was not authenticated in time; pay again if the buyer wants to.',
  unavailable: 'The buyer could not be authenticated for the moment; pay again later, or with another card.',
  informational: 'The issuer has not authenticated the buyer; ask for another card.',
}
