import type { Database } from '../storage/database.ts'
import { COUNT_SPANS_MS } from './count-events.ts'

/** How long after its end a counter is folded: by then it is seldom moved. */
const REST_MS = 10 * 60_000
/** How many rows a statement folds: it must not hold up what else goes over its connection. */
const ROWS_MAX = 1_000

/**
 * Each connection of PostgreSQL counts in rows of its own, so that none waits for another; this adds up the rows of the
 * same counter when its span is over. Any number of processes may do it at once. SQLite has but one writer.
 *
 * @throws {DatabaseUnavailable}
 */
export async function foldEventCounts(db: Database, nowMs: number): Promise<void> {
  if (db.engine === 'sqlite') return
  const ends = COUNT_SPANS_MS.map((spanMs) => nowMs - REST_MS - spanMs)
  for (;;) {
    const outcome = await db.write([{ sql: fold, params: ends }])
    if (outcome.outcome === 'refused') throw new Error('Folding has no guard and makes no duplicates.')
    if (Number(outcome.returned[0]?.[0]?.['folded']) < ROWS_MAX) return
  }
}

const key = 'account_id, span_ms, starts_at, store_id, event_type, draft'

/**
 * Materialised, because a planner that runs the inner query twice would fold more than the limit; in the order of the
 * keys, so that two who fold at once do not wait for each other in a circle.
 */
const fold = `WITH over AS MATERIALIZED (
    SELECT ${key}, shard FROM event_counts
    WHERE shard <> 0 AND (${COUNT_SPANS_MS.map((spanMs) => `(span_ms = ${spanMs} AND starts_at < ?)`).join(' OR ')})
    LIMIT ${ROWS_MAX} FOR UPDATE SKIP LOCKED),
  taken AS (DELETE FROM event_counts WHERE (${key}, shard) IN (SELECT ${key}, shard FROM over)
    RETURNING ${key}, total, processed),
  folded AS (INSERT INTO event_counts (${key}, shard, total, processed)
    SELECT ${key}, 0, sum(total), sum(processed) FROM taken GROUP BY ${key} ORDER BY ${key}
    ON CONFLICT (${key}, shard) DO UPDATE
    SET total = event_counts.total + excluded.total, processed = event_counts.processed + excluded.processed)
  SELECT count(*) AS folded FROM taken`
