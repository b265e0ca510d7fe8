import type { Payment } from '@tillwright/contract'
import type { Emitter } from '../events/index.ts'
import {
  book,
  movePayment,
  type PostAuthorization,
  requireBalance,
  reversePostAuthorization,
  statusByMoney,
} from '../ledger/index.ts'
import type { Reply } from '../request-context.ts'
import { failedEvent, orderFollows } from './outcome.ts'

/** A capture or refund that had succeeded, and its payment as it stands now. */
export interface Done {
  postAuthorization: PostAuthorization & { kind: 'capture' | 'refund' }
  payment: Payment
}

/**
 * Undoes a capture or a refund that its processor has withdrawn. The money of a refund is the shop's again, and can be
 * refunded again. A payment whose only capture was withdrawn has failed; what it has paid for is left to the shop, as after
 * a chargeback, but for its order, which was never paid.
 */
export function reversed({ postAuthorization, payment }: Done, emitter: Emitter): Reply<Payment> {
  const { accountId, id: paymentId, status: from } = payment
  const { nowMs } = emitter
  const { id: entry, kind, amount } = postAuthorization
  const sums = {
    capturedAmount: payment.capturedAmount - (kind === 'capture' ? amount : 0),
    refundedAmount: payment.refundedAmount - (kind === 'refund' ? amount : 0),
  }
  // Of an authorized payment a part was captured, and can be again.
  const to = from === 'authorized' ? from : statusByMoney(sums)
  const after = { ...payment, ...sums, status: to, updatedAt: new Date(nowMs).toISOString() }
  return {
    body: after,
    writes: [
      ...reversePostAuthorization(postAuthorization, payment, nowMs),
      movePayment({ accountId, paymentId, from, to, sums, nowMs }),
      book({ payment, entry, booking: `${kind}_reversed`, amount }, nowMs),
      requireBalance(payment),
      ...failedEvent(postAuthorization, { payment: after, failure: 'reversed' }, emitter),
      ...orderFollows({ ...payment, ...sums }, to, emitter),
    ],
  }
}
