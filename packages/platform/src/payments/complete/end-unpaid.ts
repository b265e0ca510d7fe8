import type { AppliedPromotion, ErrorCode, Payment, ThreedsOutcome } from '@tillwright/contract'
import { emit, type Emitter } from '../../events/index.ts'
import { eventFacts, movePayment } from '../../ledger/index.ts'
import { promotionsOf } from '../../orders/index.ts'
import { releaseUses } from '../../promotions/index.ts'
import type { Reply, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import type { Database } from '../../storage/index.ts'
import { subscriptionsUnpaid } from '../../subscriptions/index.ts'

/** How a payment ends without money. */
export interface UnpaidEnd {
  /** Why it was declined; `null` for one that has failed for technical reasons alone. */
  declineCode: string | null
  /** What whoever asked is told. */
  code: ErrorCode
  message: string
  /** The promotions of its order, of which a use each is set aside: they are free again. */
  applied: readonly AppliedPromotion[]
  /** What is to be recorded of its last attempt. */
  writes: readonly Write[]
}

/** The end of a payment without money: the writes, and the answer to whoever asked for it. `routing` is recorded as it is. */
export function endUnpaid(
  payment: Payment,
  { declineCode, code, message, applied, writes }: UnpaidEnd,
  emitter: Emitter,
): Reply<Payment> {
  const { accountId, id: paymentId } = payment
  const status = declineCode === null ? 'failed' : 'declined'
  const { subject, moved } = eventFacts(payment, status)
  return {
    failure: new ApiError(code, message, { ...(declineCode !== null && { declineCode }), paymentId }),
    writes: [
      movePayment({ accountId, paymentId, from: payment.status, to: status, nowMs: emitter.nowMs }),
      { sql: explainEnd, params: [declineCode, JSON.stringify(payment.routing), accountId, paymentId] },
      ...writes,
      ...releaseUses({ accountId, applied }),
      ...emit('s_payment_failed', { ...subject, properties: { ...moved, declineCode } }, emitter),
      ...subscriptionsUnpaid(payment, status, emitter),
    ],
  }
}

/** Behind the move, whose first text is the account, as the order of locks wants. */
const explainEnd = 'UPDATE payments SET decline_code = ?, routing = ? WHERE account_id = ? AND id = ?'

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
