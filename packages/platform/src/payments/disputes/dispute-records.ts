import type { Dispute } from '@tillwright/contract'
import type { Write } from '../../call.ts'
import type { Database, Row } from '../../storage/database.ts'

/** The disputes of a payment, the first one first. */
export async function readDisputes(paymentId: string, accountId: string, db: Database): Promise<Dispute[]> {
  const rows = await db.read('SELECT * FROM disputes WHERE account_id = ? AND payment_id = ? ORDER BY created_at, id', [
    accountId,
    paymentId,
  ])
  return rows.map(toDispute)
}

/** A dispute of the account, or `null`. */
export async function findDispute(disputeId: string, accountId: string, db: Database): Promise<Dispute | null> {
  const [row] = await db.read('SELECT * FROM disputes WHERE account_id = ? AND id = ?', [accountId, disputeId])
  return row === undefined ? null : toDispute(row)
}

/** The dispute of the account that its processor calls so, or `null`. */
export async function findReportedDispute(reference: string, accountId: string, db: Database): Promise<Dispute | null> {
  const [row] = await db.read('SELECT * FROM disputes WHERE account_id = ? AND reference = ?', [accountId, reference])
  return row === undefined ? null : toDispute(row)
}

/**
 * The statement that records a new dispute; a duplicate where there is one of the reference.
 *
 * @param reference What its processor calls it, or `null`.
 */
export function insertDispute(dispute: Dispute, reference: string | null, nowMs: number): Write {
  const { accountId, id, paymentId, kind, status, reason, amount, currency } = dispute
  return {
    sql: `INSERT INTO disputes (account_id, id, payment_id, kind, status, reason, amount, currency, created_at, reference)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [accountId, id, paymentId, kind, status, reason, amount, currency, nowMs, reference],
  }
}

function toDispute(row: Row): Dispute {
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    paymentId: String(row['payment_id']),
    kind: String(row['kind']) as Dispute['kind'], // this column and the next are written from their unions alone
    status: String(row['status']) as Dispute['status'],
    reason: String(row['reason']),
    amount: Number(row['amount']),
    currency: String(row['currency']),
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    closedAt: row['closed_at'] === null ? null : new Date(Number(row['closed_at'])).toISOString(),
  }
}
