import type { PaymentStatus } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import type { Write } from '../call.ts'
import { requireWay } from './money/money-status.ts'

/** A payment's change of status. `leaseUntilMs` says until when it is being worked on; at once over unless given. */
export interface PaymentMove {
  accountId: string
  paymentId: string
  from: PaymentStatus
  to: PaymentStatus
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
  requireWay('payment', move.from, move.to)
  return {
    // The status is one of a dozen words of our own; as a parameter it would stand before the account.
    sql: `UPDATE payments SET status = '${move.to}', lease_until = ?, updated_at = ?
      WHERE account_id = ? AND id = ? AND status = ?`,
    params: [move.leaseUntilMs ?? 0, move.nowMs, move.accountId, move.paymentId, move.from],
    expect: 1,
    otherwise: () =>
      new ApiError(
        'state_conflict',
        `The payment '${move.paymentId}' is no longer ${move.from}; read it to see where it stands.`,
      ),
  }
}
