import type { Statement } from '../../src/storage/database.ts'

/** Takes the record of the money back, as part of what leads to where a crash between charge and completion leaves it. */
export function uncaptured(paymentId: string): Statement[] {
  return [
    { sql: 'UPDATE payments SET captured_amount = 0 WHERE id = ?', params: [paymentId] },
    { sql: 'DELETE FROM payment_follow_ups WHERE payment_id = ?', params: [paymentId] },
    { sql: 'DELETE FROM ledger_entries WHERE payment_id = ?', params: [paymentId] },
  ]
}
