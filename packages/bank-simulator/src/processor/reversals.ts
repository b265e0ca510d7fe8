import type { Database, Statement } from '../dependencies.ts'

/** What is withdrawn of a charge after it was done: its capture, or each of its refunds. */
export type ReversalKind = 'capture' | 'refund'

/** Test cards of which something is withdrawn. The first is Stripe's, for refunds; for captures it has none. */
export const reversedCards: ReadonlyMap<string, ReversalKind> = new Map([
  ['4000000000005126', 'refund'],
  ['4000000000005001', 'capture'],
])

/** The statement that notes what will be withdrawn of a charge. */
export function planReversal(attemptId: string, kind: ReversalKind): Statement {
  return { sql: 'INSERT INTO simulator_reversals (attempt_id, kind) VALUES (?, ?)', params: [attemptId, kind] }
}

/** A capture or a refund that has come to nothing. */
export interface ReversedMove {
  processorId: string
  attemptId: string
  /** The id of the refund; `null` for the capture of the attempt. */
  refundId: string | null
}

/** Captures and refunds that are withdrawn, until `reportedReversal` removes them from the list. */
export async function findReversals(db: Database, limit: number): Promise<ReversedMove[]> {
  const rows = await db.read(
    `SELECT c.processor_id, c.attempt_id, m.id AS refund_id FROM simulator_reversals r
      JOIN simulator_charges c ON c.attempt_id = r.attempt_id AND c.captured > 0 AND c.closed = 1
      LEFT JOIN simulator_moves m ON m.attempt_id = r.attempt_id AND m.kind = 'refund' AND r.kind = 'refund'
      WHERE r.kind = 'capture' OR m.id IS NOT NULL LIMIT ?`,
    [limit],
  )
  return rows.map((row) => ({
    processorId: String(row['processor_id']),
    attemptId: String(row['attempt_id']),
    refundId: row['refund_id'] === null ? null : String(row['refund_id']),
  }))
}

/** The statements that take the money off the books, and the reversal off the list. Refused if another process already did. */
export function reportedReversal({ attemptId, refundId }: ReversedMove): Statement[] {
  if (refundId === null) {
    return [
      { sql: 'DELETE FROM simulator_reversals WHERE attempt_id = ?', params: [attemptId], expect: 1 },
      { sql: 'UPDATE simulator_charges SET captured = 0 WHERE attempt_id = ?', params: [attemptId] },
    ]
  }
  return [
    {
      sql: "UPDATE simulator_moves SET kind = 'reversed refund' WHERE id = ? AND kind = 'refund'",
      params: [refundId],
      expect: 1,
    },
    {
      sql: `UPDATE simulator_charges SET refunded = refunded - (SELECT amount FROM simulator_moves WHERE id = ?)
        WHERE attempt_id = ?`,
      params: [refundId, attemptId],
    },
  ]
}
