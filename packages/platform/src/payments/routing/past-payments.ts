import { idsFrom } from '../../ambient/ids.ts'
import type { Database, Row } from '../../storage/database.ts'
import type { PastPayment } from './replay-flow.ts'

/** Which payments of an account: the newest so many, of those since a time. */
export interface WantedPast {
  accountId: string
  /** Unix time in milliseconds; 0 for all. */
  sinceMs: number
  /** How many at most. */
  limit: number
}

/** How many are read at a time. */
const PAGE = 1_000

/** Payments that a processor was asked for, by what their choice depended on; the oldest first. */
export async function readPastPayments(
  { accountId, sinceMs, limit }: WantedPast,
  db: Database,
): Promise<PastPayment[]> {
  const from = idsFrom('pay', sinceMs)
  const newestFirst: PastPayment[] = []
  let before = 'pay_~' // behind every id
  while (newestFirst.length < limit) {
    const wanted = Math.min(PAGE, limit - newestFirst.length)
    const rows = await db.read(selectPast, [accountId, from, before, wanted])
    newestFirst.push(...rows.map(toPast))
    if (rows.length < wanted) break
    before = String(rows.at(-1)?.['id'])
  }
  return newestFirst.toReversed()
}

const selectPast = `SELECT p.id, p.currency, p.customer_id, p.status, c.brand, a.id AS attempt_id, a.processor_id
  FROM payments p
  JOIN payment_attempts a ON a.account_id = p.account_id AND a.payment_id = p.id AND a.ordinal = 1
  JOIN payment_instruments i ON i.account_id = p.account_id AND i.id = p.payment_instrument_id
  JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
  WHERE p.account_id = ? AND p.id >= ? AND p.id < ? ORDER BY p.id DESC LIMIT ?`

function toPast(row: Row): PastPayment {
  return {
    attemptId: String(row['attempt_id']),
    processorId: String(row['processor_id']),
    customerId: String(row['customer_id']),
    currency: String(row['currency']),
    brand: String(row['brand']),
    status: String(row['status']) as PastPayment['status'], // written from this union alone
  }
}
