import type { OrderStatus } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Write } from '../../call.ts'
import { requireWay } from '../money/money-status.ts'

/** An order's change of status. */
export interface OrderMove {
  accountId: string
  orderId: string
  from: OrderStatus
  to: OrderStatus
  nowMs: number
}

/**
 * The one statement that changes an order's status. Its guard is the status it leaves.
 *
 * @throws {RangeError} When the table of statuses has no such way: a bug of the caller.
 */
export function moveOrder({ accountId, orderId, from, to, nowMs }: OrderMove): Write {
  requireWay('order', from, to)
  const isPaid = to === 'paid'
  return {
    sql: `UPDATE orders SET status = '${to}'${isPaid ? ', paid_at = ?' : ''}
      WHERE account_id = ? AND id = ? AND status = ?`,
    params: [...(isPaid ? [nowMs] : []), accountId, orderId, from],
    expect: 1,
    otherwise: () =>
      new ApiError('state_conflict', `The order '${orderId}' is no longer ${from}; read it to see where it stands.`),
  }
}
