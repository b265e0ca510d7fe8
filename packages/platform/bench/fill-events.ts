import { countSpans } from '../src/events/counts.ts'
import type { Database, Statement } from '../src/storage/database.ts'

/** How many events, whose, and the time that they are spread over, in milliseconds. */
export interface Filling {
  accountId: string
  count: number
  fromMs: number
  toMs: number
}

/** How many events a transaction writes. */
const UNIT_EVENTS = 20_000
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Fills a platform's database with events, made by the database itself, and with their counters: evenly over the time,
 * over 12 types and 5 stores, one in 20 a draft, one in 50 unprocessed, every other about one of 200,000 customers.
 */
export async function fillEvents(db: Database, filling: Filling): Promise<void> {
  for (let first = 0; first < filling.count; first += UNIT_EVENTS) {
    const last = Math.min(first + UNIT_EVENTS, filling.count) - 1
    const outcome = await db.write(fillTransaction(filling, first, last))
    if (outcome.outcome === 'refused') throw new Error('There are events of that time already.')
  }
}

function fillTransaction({ accountId, count, fromMs, toMs }: Filling, first: number, last: number): Statement[] {
  const stepMs = Math.floor((toMs - fromMs) / count)
  return [
    { sql: insertEvents, params: [accountId, first, last, fromMs, stepMs] },
    { sql: insertCounts, params: [first, last, fromMs, stepMs, accountId] },
  ]
}

/** The number of each event with its time; `made` is what an event is in everything else. */
const numbers = `WITH RECURSIVE numbers (n) AS (
    SELECT CAST(? AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?),
  timed AS (SELECT n, CAST(? AS BIGINT) + n * ? AS ms FROM numbers)`

const storeOf = `'store_' || (n / 12 % 5)`
const typeOf = `'s_type_' || (n % 12)`
const draftOf = 'CASE WHEN n % 20 = 7 THEN 1 ELSE 0 END'
const isProcessed = 'n % 50 <> 3'

/** Eight characters of time and fourteen digits of number, as an id has time and randomness. */
const idOf = `'evt_' || ${Array.from({ length: 8 }, (_, i) => `substr('${BASE62}', CAST(ms / ${62 ** (7 - i)} % 62 AS INTEGER) + 1, 1)`).join(' || ')}
  || substr(CAST(100000000000000 + n AS TEXT), 2)`

const insertEvents = `INSERT INTO events
  (account_id, id, store_id, customer_id, event_type, properties, draft, created_at, processed_at)
  SELECT account_id, ${idOf}, ${storeOf}, CASE WHEN n % 2 = 0 THEN 'cus_' || (n / 2 % 200000) END, ${typeOf},
    '{"orderId":"order_0VbVJmlc4sQm9ZtKcWfH2d","amount":4200,"currency":"EUR"}', ${draftOf}, ms,
    CASE WHEN ${isProcessed} THEN ms END
  FROM (SELECT CAST(? AS TEXT) AS account_id) AS account CROSS JOIN (${numbers} SELECT n, ms FROM timed) AS made`

const insertCounts = `INSERT INTO event_counts
  (account_id, span_ms, starts_at, store_id, event_type, draft, shard, total, processed)
  SELECT account_id, span.ms, made.ms / span.ms * span.ms, ${storeOf}, ${typeOf}, ${draftOf}, 0, count(*),
    sum(CASE WHEN ${isProcessed} THEN 1 ELSE 0 END)
  FROM (${numbers} SELECT n, ms FROM timed) AS made
    CROSS JOIN ${countSpans}
    CROSS JOIN (SELECT CAST(? AS TEXT) AS account_id) AS account
  WHERE true GROUP BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (account_id, span_ms, starts_at, store_id, event_type, draft, shard) DO UPDATE
  SET total = event_counts.total + excluded.total, processed = event_counts.processed + excluded.processed`

/** In how many currencies, in each of the five stores, and at how many processors there are payments every hour. */
export const CURRENCIES = 3
const PROCESSORS = 4

/**
 * Fills the counters as ten million payments of the time would have, evenly over hours, stores, currencies and processors,
 * and marks all events as counted.
 */
export async function fillCounters(db: Database, { accountId, fromMs, toMs }: Omit<Filling, 'count'>): Promise<void> {
  const stores = ['', ...Array.from({ length: 5 }, (_, store) => `store_${store}`)]
  const ofCurrencies = ['EUR', 'USD', 'GBP'].slice(0, CURRENCIES).map((subject) => [subject, 1, 0])
  const ofProcessors = Array.from({ length: PROCESSORS }, (_, processor) => [`proc_${processor}`, 0, 1])
  const rows = [...ofCurrencies, ...ofProcessors]
  for (const [spanMs, hours] of [
    [3_600_000, 1],
    [86_400_000, 24],
  ] as const) {
    for (const store of stores) {
      for (let first = fromMs - (fromMs % spanMs); first <= toMs; first += 100 * spanMs) {
        const last = Math.min(first + 99 * spanMs, toMs)
        await db.write([
          { sql: insertCounters, params: [accountId, store, first, spanMs, last, spanMs, hours, JSON.stringify(rows)] },
        ])
      }
    }
  }
  await db.write([
    { sql: `INSERT INTO statistics_folds (account_id, position) VALUES (?, 'evt_zzzzzzzz')`, params: [accountId] },
  ])
}

const perHour = (column: string, count: number) => `${count} * hours * CAST(item.value ->> ${column} AS BIGINT)`
const insertCounters = `INSERT INTO statistics_counts
  (account_id, store_id, span_ms, starts_at, subject, created, succeeded, volume, failed, canceled, refunds,
    refunded_amount, chargebacks, disputed_amount, inquiries, attempts, approved)
  SELECT account_id, store_id, span_ms, ms, item.value ->> 0,
    ${[60, 50, 250_000, 8, 2, 1, 4_000, 1, 5_000, 1].map((count) => perHour('1', count)).join(', ')},
    ${[70, 55].map((count) => perHour('2', count)).join(', ')}
  FROM (WITH RECURSIVE made (account_id, store_id, ms, span_ms, last_ms, step, hours) AS (
      SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT),
        CAST(? AS BIGINT)
      UNION ALL SELECT account_id, store_id, ms + step, span_ms, last_ms, step, hours FROM made WHERE ms + step <= last_ms)
    SELECT * FROM made) AS made CROSS JOIN {items}
  WHERE true ON CONFLICT DO NOTHING`
