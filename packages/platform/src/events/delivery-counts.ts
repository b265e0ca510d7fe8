import { type Database, pick, rowReader, type Statement } from '../storage/index.ts'
import type { Outcome } from './attempt-delivery.ts'
import { deliveryCountsTable } from './tables.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * Counts tries of deliveries by hour and day, in the transaction that records them. Each connection counts in rows of its
 * own, so that none waits for another.
 */
export function countTries(outcomes: readonly Outcome[], nowMs: number): Statement[] {
  const tried = outcomes.filter((outcome) => outcome.kind === 'tried')
  const counts = new Map<string, [accountId: string, delivered: number, failed: number]>()
  for (const { claim, verdict } of tried) {
    const count = counts.get(claim.accountId) ?? [claim.accountId, 0, 0]
    count[verdict.outcome === 'delivered' ? 1 : 2] += 1
    counts.set(claim.accountId, count)
  }
  if (counts.size === 0) return []
  const items = [...counts.values()].flatMap((count) =>
    [HOUR_MS, DAY_MS].map((spanMs) => [...count, spanMs, nowMs - (nowMs % spanMs)]),
  )
  return [{ sql: upsert, params: [JSON.stringify(items)] }]
}

const upsert = `INSERT INTO delivery_counts (account_id, span_ms, starts_at, shard, delivered, failed)
  SELECT item.value ->> 0, CAST(item.value ->> 3 AS BIGINT), CAST(item.value ->> 4 AS BIGINT), {writer},
    CAST(item.value ->> 1 AS BIGINT), CAST(item.value ->> 2 AS BIGINT)
  FROM {items} WHERE true
  ON CONFLICT (account_id, span_ms, starts_at, shard) DO UPDATE
  SET delivered = delivery_counts.delivered + excluded.delivered, failed = delivery_counts.failed + excluded.failed`

/** Tries of an hour or day. */
export interface TriesCount {
  /** Unix time in milliseconds. */
  startsAt: number
  delivered: number
  failed: number
}

/**
 * Reads how many tries were acknowledged and how many were not.
 *
 * @param period By spans of an hour or a day.
 * @throws {DatabaseUnavailable}
 */
export async function readTries(
  { accountId, spanMs, fromMs, toMs }: { accountId: string; spanMs: number; fromMs: number; toMs: number },
  db: Database,
): Promise<TriesCount[]> {
  const rows = readCounts(await db.read(select, [accountId, spanMs, fromMs, toMs]))
  return rows.map(({ starts_at: startsAt, ...counts }) => ({ startsAt, ...counts }))
}

const readCounts = rowReader(pick(deliveryCountsTable, 'starts_at', 'delivered', 'failed'))
const select = `SELECT starts_at, sum(delivered) AS delivered, sum(failed) AS failed FROM delivery_counts
  WHERE account_id = ? AND span_ms = ? AND starts_at >= ? AND starts_at < ? GROUP BY starts_at`
