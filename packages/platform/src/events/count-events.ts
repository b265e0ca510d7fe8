import type { Statement } from '../storage/database.ts'

/**
 * The spans that events are counted by, in milliseconds, each a multiple of the one before: an hour, a day, 32 days. What
 * is counted by a long one need not be added up from short ones.
 */
export const COUNT_SPANS_MS = [3_600_000, 86_400_000, 2_764_800_000] as const

/** The spans as a table of one column, `ms`. */
export const countSpans = `(SELECT ${COUNT_SPANS_MS[0]} AS ms UNION ALL SELECT ${COUNT_SPANS_MS[1]}
  UNION ALL SELECT ${COUNT_SPANS_MS[2]}) AS span`

/** What an event is counted under. */
export interface CountedEvent {
  accountId: string
  id: string
  storeId: string | null
  eventType: string
  draft: boolean
  /** Unix time in milliseconds. */
  createdMs: number
}

/** Counts an event that the same unit records; as processed, if it is when all statements of the unit have run. */
export function countEvent(event: CountedEvent): Statement {
  return { sql: countNew, params: [item(event)], shared: true }
}

/**
 * Counts as processed those of the events that are about to become so: all their deliveries are acknowledged and nobody
 * has said so yet. Belongs before the statement that says it.
 *
 * @param events Each once.
 */
export function countProcessed(events: readonly CountedEvent[]): Statement {
  return { sql: countFinished, params: [`[${events.map(item).join()}]`] }
}

/** The JSON of a key and an event: events of one key are added up before a counter is looked for. */
function item({ accountId, id, storeId, eventType, draft, createdMs }: CountedEvent): string {
  const hour = createdMs - (createdMs % COUNT_SPANS_MS[0])
  return JSON.stringify([[accountId, storeId ?? '', eventType, Number(draft), hour], accountId, id])
}

const isEvent = 'e.account_id = item.value ->> 1 AND e.id = item.value ->> 2'

/** A sub-select where a join would do: a planner that has not seen the table grow would read all of it. */
const countNew = upsert({
  total: 'count(*)',
  processed: `count((SELECT e.processed_at FROM events e WHERE ${isEvent}))`,
  where: 'true',
})

const countFinished = upsert({
  total: '0',
  processed: 'count(*)',
  where: `(SELECT 1 FROM events e WHERE ${isEvent} AND e.processed_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM webhook_deliveries d
    WHERE d.account_id = e.account_id AND d.event_id = e.id AND d.state <> 'delivered')) = 1`,
})

function upsert({ total, processed, where }: { total: string; processed: string; where: string }): string {
  return `INSERT INTO event_counts
    (account_id, span_ms, starts_at, store_id, event_type, draft, shard, total, processed)
    SELECT k ->> 0, span.ms, CAST(k ->> 4 AS BIGINT) / span.ms * span.ms, k ->> 1, k ->> 2, CAST(k ->> 3 AS BIGINT),
      {writer}, sum(total), sum(processed)
    FROM (SELECT item.value -> 0 AS k, ${total} AS total, ${processed} AS processed
      FROM {items} WHERE ${where} GROUP BY 1) AS counted
    CROSS JOIN ${countSpans}
    WHERE true GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, span_ms, starts_at, store_id, event_type, draft, shard) DO UPDATE
    SET total = event_counts.total + excluded.total, processed = event_counts.processed + excluded.processed`
}
