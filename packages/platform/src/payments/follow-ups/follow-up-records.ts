import type { Capture, Payment, Refund } from '@tillwright/contract'
import type { Database, Row } from '../../storage/database.ts'
import type { FollowUp } from './follow-up.ts'

/** The captures and refunds of a payment, the first ones first. */
export async function readFollowUps(
  paymentId: string,
  accountId: string,
  db: Database,
): Promise<Pick<Payment, 'captures' | 'refunds'>> {
  const rows = await db.read(
    'SELECT * FROM payment_follow_ups WHERE account_id = ? AND payment_id = ? ORDER BY created_at, id',
    [accountId, paymentId],
  )
  const of = (kind: FollowUp['kind']) => rows.filter((row) => row['kind'] === kind)
  return { captures: of('capture').map(toCapture), refunds: of('refund').map(toRefund) }
}

/** A row as it was put on record. */
export function toFollowUp(row: Row): FollowUp {
  return {
    id: String(row['id']),
    kind: String(row['kind']) as FollowUp['kind'], // written from this union alone
    paymentId: String(row['payment_id']),
    amount: Number(row['amount']),
    reason: row['reason'] === null ? null : String(row['reason']),
  }
}

function toCapture(row: Row): Capture {
  return {
    id: String(row['id']),
    amount: Number(row['amount']),
    status: String(row['status']) as Capture['status'], // this column and the next are written from their unions alone
    failure: row['failure'] as Capture['failure'],
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    finishedAt: row['finished_at'] === null ? null : new Date(Number(row['finished_at'])).toISOString(),
  }
}

function toRefund(row: Row): Refund {
  const { id, amount, ...moved } = toCapture(row)
  return { id, amount, reason: toFollowUp(row).reason, ...moved }
}
