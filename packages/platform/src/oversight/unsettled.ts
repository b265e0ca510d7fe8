import type { PlatformState } from '@tillwright/contract'
import type { ListedProcess } from '../cluster/index.ts'
import { type Database, int, nullable, oneOf, rowReader, text } from '../storage/index.ts'

/** What is younger has as good as always an outcome by the next look. */
const SETTLES_WITHIN_MS = 10_000
const SHOWN_MAX = 20
/** How much is looked through for the oldest. */
const COUNTED_MAX = 10_000

/** The payments, captures, refunds and voids of all accounts that have had no outcome for ten seconds, the oldest first. */
export async function readUnsettled(
  db: Database,
  { nowMs, processes }: { nowMs: number; processes: readonly ListedProcess[] },
): Promise<PlatformState['recovery']> {
  const before = nowMs - SETTLES_WITHIN_MS
  const queries = [selectPayments, selectFollowUps].map((sql) => db.read(sql, [before, COUNTED_MAX, SHOWN_MAX + 1]))
  const rows = (await Promise.all(queries)).flatMap((found) => readRows(found)).toSorted((a, b) => a.since - b.since)
  const living = new Set(processes.map(({ id }) => id))
  const underWay = rows.slice(0, SHOWN_MAX).map((row) => ({
    kind: row.kind,
    accountId: row.account_id,
    paymentId: row.payment_id,
    since: new Date(row.since).toISOString(),
    processId: row.holder !== null && living.has(row.holder) ? row.holder : null,
  }))
  return { underWay, hasMore: rows.length > SHOWN_MAX }
}

const selectPayments = `SELECT 'payment' AS kind, account_id, payment_id, since, holder FROM (
    SELECT account_id, id AS payment_id, updated_at AS since, holder FROM payments
    WHERE status = 'processing' AND lease_until > 0 AND updated_at <= ? LIMIT ?) AS counted
  ORDER BY since LIMIT ?`
const selectFollowUps = `SELECT kind, account_id, payment_id, since, holder FROM (
    SELECT kind, account_id, payment_id, created_at AS since, holder FROM payment_follow_ups
    WHERE status = 'pending' AND lease_until > 0 AND created_at <= ? LIMIT ?) AS counted
  ORDER BY since LIMIT ?`
const readRows = rowReader({
  kind: oneOf(['payment', 'capture', 'refund', 'void']),
  account_id: text,
  payment_id: text,
  since: int,
  holder: nullable(text),
})
