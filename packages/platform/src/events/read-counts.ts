import type { StatisticsFilter } from '@tillwright/contract'
import { IDS_END_MS, idsFrom } from '../ambient/ids.ts'
import type { Database, Row, Value } from '../storage/database.ts'
import { COUNT_SPANS_MS } from './count-events.ts'
import { splitRange, type Stretch } from './split-range.ts'

/** How many events of a type there are, and how many of them are processed. */
export interface TypeCount {
  eventType: string
  total: number
  processed: number
}

/**
 * Counts an account's events by type. Whole spans are added up from counters and only the rest is read, an hour
 * at either end at most; a customer's events, which have no counters, are read by their index. All of it is one query,
 * so that it tells of one moment.
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
  return rows.map(fromRow).filter(isOfType(filter.eventType))
}

/** Ids carry their time, so events are found by it along the primary key. */
const eventsOf = (key: string): string => `FROM events WHERE ${key} AND id >= ? AND id < ?
  AND draft BETWEEN ? AND ? AND (CAST(? AS TEXT) IS NULL OR store_id = ?)`

const selectOfCustomer = `SELECT event_type, count(*) AS total, count(processed_at) AS processed
  ${eventsOf('account_id = ? AND customer_id = ?')} GROUP BY event_type`

const selectRest = `SELECT event_type, count(*) AS total, count(processed_at) AS processed
  ${eventsOf('account_id = ?')} GROUP BY event_type`

const selectSpan = (spanMs: number): string => `SELECT event_type, sum(total) AS total, sum(processed) AS processed
  FROM event_counts WHERE account_id = ? AND span_ms = ${spanMs} AND starts_at >= ? AND starts_at < ?
    AND draft BETWEEN ? AND ? AND (CAST(? AS TEXT) IS NULL OR store_id = ?) GROUP BY event_type`

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

/** A filter that was left out lets everything pass. */
function about({ draft, storeId }: StatisticsFilter): Value[] {
  const store = storeId ?? null
  return [Number(draft ?? false), Number(draft ?? true), store, store]
}

/** What was left out is open: no event is older than the epoch or younger than what an id can tell. */
function stretchOf({ from, to }: StatisticsFilter): Stretch {
  const toMs = to === undefined ? IDS_END_MS : Date.parse(to)
  return { fromMs: Math.min(from === undefined ? 0 : Date.parse(from), toMs), toMs }
}

function fromRow(row: Row): TypeCount {
  return {
    eventType: String(row['event_type']),
    total: Number(row['total']),
    processed: Number(row['processed']),
  }
}

/** The counts come by type, so the types are picked from them: their number varies, a statement's text must not. */
function isOfType(eventType: StatisticsFilter['eventType']): (count: TypeCount) => boolean {
  if (eventType === undefined) return () => true
  const types: readonly string[] = typeof eventType === 'string' ? [eventType] : eventType
  return (count) => types.includes(count.eventType)
}
