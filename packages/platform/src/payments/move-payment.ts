import type { PaymentStatus } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import type { Write } from '../call.ts'
import { mayMove } from './payment-status.ts'

/** A payment's change of status. `declineCode` says why it was declined; `leaseUntilMs` until when it is being worked on. */
export interface PaymentMove {
  accountId: string
  paymentId: string
  from: PaymentStatus
  to: PaymentStatus
  declineCode?: string | null
  leaseUntilMs?: number
  nowMs: number
}

/**
 * The one statement that changes a payment's status. Its guard is the status it leaves, so that of two that would move
 * a payment at once one wins.
 *
 * @throws {RangeError} When the table of statuses has no such way: a bug of the caller.
 */
export function movePayment(move: PaymentMove): Write {
  if (!mayMove(move.from, move.to)) throw new RangeError(`A payment cannot go from ${move.from} to ${move.to}.`)
  return {
    sql: `UPDATE payments SET status = ?, decline_code = ?, lease_until = ?, updated_at = ?
      WHERE account_id = ? AND id = ? AND status = ?`,
    params: [
      move.to,
      move.declineCode ?? null,
      move.leaseUntilMs ?? 0,
      move.nowMs,
      move.accountId,
      move.paymentId,
      move.from,
    ],
    expect: 1,
    otherwise: () =>
      new ApiError(
        'state_conflict',
        `The payment '${move.paymentId}' is no longer ${move.from}; read it to see where it stands.`,
      ),
  }
}
