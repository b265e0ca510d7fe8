import type { AppliedPromotion, ErrorCode, Payment } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import type { Reply, Write } from '../call.ts'
import { emit, type Emitter } from '../events/emit.ts'
import { releaseUses } from '../promotions/promotion-usage.ts'
import { eventFacts } from './event-facts.ts'
import { movePayment } from './move-payment.ts'
import { subscriptionsUnpaid } from './subscriptions/settle-subscriptions.ts'

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
