import type { Site } from '../world/platforms.ts'

/** The row of a payment. Amounts in minor units. */
export interface PaymentRow {
  id: string
  order_id: string
  status: string
  amount: number
  captured_amount: number
  refunded_amount: number
  /** Whether it was paid late and refunded; see the glossary. */
  isPaidLate: boolean
}

/** All payments of a world, by their ids. */
export function payments({ server }: Site): PaymentRow[] {
  const sql = `SELECT id, order_id, status, amount, captured_amount, refunded_amount, routing ->> 'paidLate' AS paid_late
    FROM payments ORDER BY id`
  return server.rows(sql, []).map((row) => ({
    id: String(row['id']),
    order_id: String(row['order_id']),
    status: String(row['status']),
    amount: Number(row['amount']),
    captured_amount: Number(row['captured_amount']),
    refunded_amount: Number(row['refunded_amount']),
    isPaidLate: row['paid_late'] === 1,
  }))
}

/** SQL that is true for a payment that was paid on time. One that was paid late has bought nothing. */
export const ON_TIME = `coalesce(routing ->> 'paidLate', 0) = 0`
