import { IDS_END_MS, idsFrom, type StatisticsFilter } from '@tillwright/contract'
import { type Database, int, rowReader, type Statement, type Value } from '../storage/index.ts'
import { eventsTable } from './tables.ts'

/**
 * The spans that events are counted by, in milliseconds, each a multiple of the one before: an hour, a day, 32 days. What
 * is counted by a long one need not be added up from short ones.
 */
export const COUNT_SPANS_MS = [3_600_000, 86_400_000, 2_764_800_000] as const

/** The spans as a table of one column, `ms`. */
export const countSpans = `(SELECT ${COUNT_SPANS_MS[0]} AS ms UNION ALL SELECT ${COUNT_SPANS_MS[1]}
  UNION ALL SELECT ${COUNT_SPANS_MS[2]}) AS span`

/** The dimensions that an event is counted by. */
export interface CountedEvent {
  accountId: string
  id: string
  storeId: string | null
  eventType: string
  draft: boolean
  /** Unix time in milliseconds. */
  createdMs: number
}

/**
 * Counts an event recorded by the same transaction; as processed if it is once all statements of the transaction have
 * run.
 */
export function countEvent(event: CountedEvent): Statement {
  return { sql: countNew, params: [item(event)], shared: true }
}

/**
 * Counts the events that are about to become processed: all deliveries are acknowledged, but the event is not marked
 * yet. Must precede the statement that marks them.
 *
 * @param events Without duplicates.
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
    const [row] = readFolded(outcome.returned[0] ?? [])
    if (row === undefined || row.folded < ROWS_MAX) return
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
const readFolded = rowReader({ folded: int })

/** How many events of a type there are, and how many of them are processed. */
export interface TypeCount {
  eventType: string
  total: number
  processed: number
}

/**
 * Counts an account's events by type. Whole spans are added up from counters and only the rest is read, an hour at
 * either end at most; a customer's events, which have no counters, are read by their index. It is a single query, so
 * that the counts are consistent.
 *
 * @throws {DatabaseUnavailable}
 */
export async function readCounts(filter: StatisticsFilter, accountId: string, db: Database): Promise<TypeCount[]> {
  const stretch = stretchOf(filter)
  const { customerId } = filter
  const rows =
    customerId === undefined
      ? await db.read(selectCounts, countParams(stretch, filter, accountId))
      : await db.read(selectOfCustomer, [accountId, customerId, ...eventParams(stretch, filter)])
  return readTypeCounts(rows)
    .map(({ event_type: eventType, total, processed }) => ({ eventType, total, processed }))
    .filter(isOfType(filter.eventType))
}

/** Ids carry their time, so events are found by it along the primary key. */
const eventsOf = (where: string): string => `FROM events WHERE ${where} AND id >= ? AND id < ?
  AND draft = ? AND (CAST(? AS TEXT) IS NULL OR store_id = ?)`

const selectOfCustomer = `SELECT event_type, count(*) AS total, count(processed_at) AS processed
  ${eventsOf('account_id = ? AND customer_id = ?')} GROUP BY event_type`

const selectRest = `SELECT event_type, count(*) AS total, count(processed_at) AS processed
  ${eventsOf('account_id = ?')} GROUP BY event_type`

const selectSpan = (spanMs: number): string => `SELECT event_type, sum(total) AS total, sum(processed) AS processed
  FROM event_counts WHERE account_id = ? AND span_ms = ${spanMs} AND starts_at >= ? AND starts_at < ?
    AND draft = ? AND (CAST(? AS TEXT) IS NULL OR store_id = ?) GROUP BY event_type`

const selectSpans = COUNT_SPANS_MS.flatMap((spanMs) => [selectSpan(spanMs), selectSpan(spanMs)])

const selectCounts = `SELECT event_type, sum(total) AS total, sum(processed) AS processed
  FROM (${[...selectSpans, selectRest, selectRest].join(' UNION ALL ')}) AS pieces GROUP BY event_type`

/** The parameters of `selectCounts`. */
function countParams(stretch: Stretch, filter: StatisticsFilter, accountId: string): Value[] {
  const { spans, rests } = splitRange(stretch)
  const counted = spans.flat().map(({ fromMs, toMs }) => [accountId, fromMs, toMs, ...about(filter)])
  const read = rests.map((rest) => [accountId, ...eventParams(rest, filter)])
  return [...counted, ...read].flat()
}

function eventParams({ fromMs, toMs }: Stretch, filter: StatisticsFilter): Value[] {
  return [idsFrom('evt', fromMs), idsFrom('evt', toMs), ...about(filter)]
}

/** Without a store, events of all stores count. */
function about({ draft, storeId }: StatisticsFilter): Value[] {
  const store = storeId ?? null
  return [Number(draft), store, store]
}

/** Missing bounds are open: no event is older than the epoch or later than an id can represent. */
function stretchOf({ from, to }: StatisticsFilter): Stretch {
  const toMs = to === undefined ? IDS_END_MS : Date.parse(to)
  return { fromMs: Math.min(from === undefined ? 0 : Date.parse(from), toMs), toMs }
}

const readTypeCounts = rowReader({ event_type: eventsTable.event_type, total: int, processed: int })

/** The counts come by type, so the types are picked from them: their number varies, a statement's text must not. */
function isOfType(eventType: StatisticsFilter['eventType']): (count: TypeCount) => boolean {
  if (eventType === undefined) return () => true
  const types: readonly string[] = typeof eventType === 'string' ? [eventType] : eventType
  return (count) => types.includes(count.eventType)
}

/** A stretch of time in milliseconds: `from` inclusive, `to` exclusive, and empty when they are the same. */
export interface Stretch {
  fromMs: number
  toMs: number
}

/** The stretches before and after something. */
export type BothEnds = readonly [Stretch, Stretch]

/** A stretch of time in the pieces that its events are counted by. */
export interface SplitRange {
  /** Whole spans, one pair for each of `COUNT_SPANS_MS`: those that stand at either end of the next longer ones. */
  spans: readonly BothEnds[]
  /** Parts shorter than the shortest span. */
  rests: BothEnds
}

/** Splits a stretch into spans as long as possible, then shorter ones, and the rests at both ends. */
export function splitRange(stretch: Stretch): SplitRange {
  const ends: BothEnds[] = []
  let whole = stretch
  for (const spanMs of COUNT_SPANS_MS) {
    const split = splitBy(spanMs, whole)
    ends.push(split.ends)
    whole = split.whole
  }
  // The rests of whole hours are shorter than an hour, those of whole days are hours, and so on.
  const [rests = NOTHING, ...shorter] = ends
  return { spans: [...shorter, [whole, emptyAt(whole.toMs)]], rests }
}

/** The whole spans of a stretch and what lies at both ends of them. Without a whole span all of it lies before. */
function splitBy(spanMs: number, { fromMs, toMs }: Stretch): { whole: Stretch; ends: BothEnds } {
  const firstMs = Math.ceil(fromMs / spanMs) * spanMs
  const lastMs = Math.floor(toMs / spanMs) * spanMs
  if (firstMs >= lastMs) return { whole: emptyAt(toMs), ends: [{ fromMs, toMs }, emptyAt(toMs)] }
  return {
    whole: { fromMs: firstMs, toMs: lastMs },
    ends: [
      { fromMs, toMs: firstMs },
      { fromMs: lastMs, toMs },
    ],
  }
}

const NOTHING: BothEnds = [emptyAt(0), emptyAt(0)]

function emptyAt(ms: number): Stretch {
  return { fromMs: ms, toMs: ms }
}
