import type { Contract, Order } from '@tillwright/contract'
import { ApiError, missing } from '../ambient/api-error.ts'
import type { Handlers, Write } from '../call.ts'
import type { Row } from '../storage/database.ts'

/** Orders, beside the public API. */
export const orders: Handlers<Contract['orders']> = {
  async get({ params: { orderId } }, { caller, parts }) {
    const [row] = await parts.db.read('SELECT * FROM orders WHERE account_id = ? AND id = ?', [
      caller.accountId,
      orderId,
    ])
    if (row === undefined) throw missing('order', orderId)
    return { body: toOrder(row) }
  },
}

/** The statement that records a new, unpaid order. */
export function insertOrder(order: Omit<Order, 'status' | 'createdAt' | 'paidAt'>, nowMs: number): Write {
  return {
    sql: `INSERT INTO orders (account_id, id, store_id, customer_id, status, currency, amount, lines, metadata, created_at)
      VALUES (?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?)`,
    params: [
      order.accountId,
      order.id,
      order.storeId,
      order.customerId,
      order.currency,
      order.amount,
      JSON.stringify(order.lines),
      JSON.stringify(order.metadata),
      nowMs,
    ],
  }
}

/** The statement that marks an order paid; its guard is that it was not. */
export function payOrder(orderId: string, accountId: string, nowMs: number): Write {
  return {
    sql: `UPDATE orders SET status = 'paid', paid_at = ? WHERE account_id = ? AND id = ? AND status = 'pending'`,
    params: [nowMs, accountId, orderId],
    expect: 1,
    otherwise: () =>
      new ApiError(
        'state_conflict',
        `The order '${orderId}' is not waiting to be paid; read it to see where it stands.`,
      ),
  }
}

function toOrder(row: Row): Order {
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    storeId: String(row['store_id']),
    customerId: String(row['customer_id']),
    status: String(row['status']) as Order['status'], // written from this union alone
    currency: String(row['currency']),
    amount: Number(row['amount']),
    lines: JSON.parse(String(row['lines'])),
    metadata: JSON.parse(String(row['metadata'])),
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    paidAt: row['paid_at'] === null ? null : new Date(Number(row['paid_at'])).toISOString(),
  }
}
