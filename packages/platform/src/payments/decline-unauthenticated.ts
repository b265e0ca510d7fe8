import type { Payment, ThreedsOutcome } from '@tillwright/contract'
import type { Reply } from '../call.ts'
import type { Emitter } from '../events/emit.ts'
import type { Database } from '../storage/database.ts'
import { endUnpaid } from './end-unpaid.ts'
import { promotionsOf } from './orders/orders.ts'

/** The ends of an authentication after which a card is not charged. */
export type Unauthenticated = Exclude<ThreedsOutcome, 'authenticated' | 'attempted' | 'pending'>

/**
 * Declines a payment that waits for its buyer, who was not authenticated: the writes, and the answer to whoever wants to continue it. An
 * authentication that was not to be had declines it too, because the shop would bear the loss of a fraud.
 */
export async function declineUnauthenticated(
  payment: Payment,
  outcome: Unauthenticated,
  { emitter, db }: { emitter: Emitter; db: Database },
): Promise<Reply<Payment>> {
  const applied = await promotionsOf(payment.orderId, payment.accountId, db)
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
