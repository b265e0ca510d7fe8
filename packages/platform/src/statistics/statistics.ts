import {
  type AccountStatistics,
  type Contract,
  STATISTICS_POINTS_MAX,
  type StatisticsQuery,
  timeOfId,
} from '@tillwright/contract'
import { readTries } from '../events/index.ts'
import type { Handlers, RequestContext } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { type Database, int, rowReader, text } from '../storage/index.ts'
import {
  addTo,
  type Counter,
  counterColumns,
  counters,
  type Fact,
  LOG_END,
  LOG_START,
  readFacts,
} from './count-events.ts'
import { spanOf } from './fold.ts'

/** Reading what happened in numbers. */
export const statistics: Handlers<Contract['statistics']> = {
  async get({ query }, context) {
    const { services, caller, nowMs } = context
    const period = periodOf(query, nowMs)
    const [{ series, upToMs }, processing, webhooks] = await Promise.all([
      readSeries(period, context),
      countProcessing(caller.accountId, period.storeId, services.db),
      period.storeId === null ? readWebhooks(period, context) : null,
    ])
    const times = Array.from({ length: period.points }, (_, at) => period.fromMs + at * period.spanMs)
    const body = {
      interval: query.interval,
      times: times.map((ms) => new Date(ms).toISOString()),
      upTo: new Date(upToMs).toISOString(),
      ...series,
      webhooks,
      processing,
    }
    return { body }
  },
}

/** Whole hours or days. */
interface Period {
  spanMs: number
  fromMs: number
  /** Not included. */
  toMs: number
  points: number
  /** `null` for all stores. */
  storeId: string | null
}

const DEFAULT_POINTS = 24

/** @throws {ApiError} `parameter_invalid` for a time that is empty or has too many intervals. */
function periodOf({ from, to, interval, storeId }: StatisticsQuery, nowMs: number): Period {
  const spanMs = spanOf[interval]
  const toMs = Math.ceil((to === undefined ? nowMs + 1 : Date.parse(to)) / spanMs) * spanMs
  const fromMs = from === undefined ? toMs - DEFAULT_POINTS * spanMs : Math.floor(Date.parse(from) / spanMs) * spanMs
  const points = (toMs - fromMs) / spanMs
  if (points < 1) throw new ApiError('parameter_invalid', 'from must be before to.', { param: 'from' })
  if (points > STATISTICS_POINTS_MAX) {
    const message = `from and to are ${points} ${interval}s apart, and ${STATISTICS_POINTS_MAX} is the most; ask for a shorter time${interval === 'hour' ? ', or for days' : ''}.`
    throw new ApiError('parameter_invalid', message, { param: 'from' })
  }
  return { spanMs, fromMs, toMs, points, storeId: storeId ?? null }
}

type Series = Pick<AccountStatistics, 'currencies' | 'processors'>

/** The counters, and what has happened since they were last moved, from the log. */
async function readSeries(
  period: Period,
  { services: { db }, caller: { accountId }, nowMs }: RequestContext,
): Promise<{ series: Series; upToMs: number }> {
  const { storeId, spanMs, fromMs, toMs, points } = period
  const lists = new Map<string, Lists>()
  function add(subject: string, at: number, adds: Fact['adds']): void {
    const own = lists.get(subject) ?? emptyLists(points)
    lists.set(subject, own)
    for (const counter of counters) own[counter][at] = addTo(own[counter][at] ?? 0, adds[counter] ?? 0)
  }
  const rows = readCounters(await db.read(selectCounters, [accountId, accountId, storeId ?? '', spanMs, fromMs, toMs]))
  let position = LOG_START
  for (const { subject, starts_at: startsAt, ...adds } of rows) {
    if (startsAt < 0) position = subject
    else add(subject, (startsAt - fromMs) / spanMs, adds)
  }
  const since = await readFacts({ accountId, after: position, end: LOG_END }, 'read', db)
  for (const { subject, atMs, adds, storeId: ofStore } of since.facts) {
    const isWanted = atMs >= fromMs && atMs < toMs && (storeId === null || ofStore === storeId)
    if (isWanted) add(subject, Math.floor((atMs - fromMs) / spanMs), adds)
  }
  const upToMs = since.hasMore ? (timeOfId(since.position) ?? nowMs) : nowMs
  return { series: seriesOf(lists), upToMs }
}

/** The numbers of a currency or a processor, one for each interval. */
type Lists = Record<Counter, number[]>

function emptyLists(points: number): Lists {
  // The counters are the names of all lists.
  return Object.fromEntries(counters.map((counter) => [counter, Array.from({ length: points }, () => 0)])) as Lists
}

/** One statement, so that the position, which has no time, is that of the counters. */
const selectCounters = `SELECT position AS subject, -1 AS starts_at, ${counters.map((name) => `0 AS ${name}`).join(', ')}
    FROM statistics_folds WHERE account_id = ?
  UNION ALL SELECT subject, starts_at, ${counters.join(', ')} FROM statistics_counts
    WHERE account_id = ? AND store_id = ? AND span_ms = ? AND starts_at >= ? AND starts_at < ?`
const readCounters = rowReader({ subject: text, starts_at: int, ...counterColumns })

function seriesOf(lists: ReadonlyMap<string, Lists>): Series {
  const ordered = [...lists].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    currencies: ordered
      .filter(([subject]) => isCurrency.test(subject))
      .map(([currency, { attempts: _, approved: __, refunded_amount, disputed_amount, ...counts }]) => ({
        currency,
        ...counts,
        refundedVolume: refunded_amount,
        disputedVolume: disputed_amount,
      })),
    processors: ordered
      .filter(([subject]) => !isCurrency.test(subject))
      .map(([processorId, { attempts, approved }]) => ({ processorId, attempts, approved })),
  }
}

const isCurrency = /^[A-Z]{3}$/

async function readWebhooks(
  { spanMs, fromMs, toMs, points }: Period,
  { services, caller: { accountId } }: RequestContext,
): Promise<NonNullable<AccountStatistics['webhooks']>> {
  const zeros = () => Array.from({ length: points }, () => 0)
  const [delivered, failedTries] = [zeros(), zeros()]
  for (const tries of await readTries({ accountId, spanMs, fromMs, toMs }, services.db)) {
    const at = (tries.startsAt - fromMs) / spanMs
    delivered[at] = tries.delivered
    failedTries[at] = tries.failed
  }
  return { delivered, failedTries }
}

async function countProcessing(accountId: string, storeId: string | null, db: Database): Promise<number> {
  const params = [accountId, storeId, storeId]
  const [counted] = readTotal(await db.read(selectProcessing, [...params, ...params]))
  return counted?.total ?? 0
}

/** Payments in progress have an index of their own. */
const ofStore = '(CAST(? AS TEXT) IS NULL OR store_id = ?) AND preview IS NULL'
const selectProcessing = `SELECT sum(waiting.total) AS total FROM (
  SELECT count(*) AS total FROM payments
    WHERE account_id = ? AND ${ofStore} AND status = 'processing' AND expires_at IS NULL AND lease_until > 0
  UNION ALL SELECT count(*) AS total FROM payments
    WHERE account_id = ? AND ${ofStore} AND status = 'requires_action' AND status <> 'processing') AS waiting`
const readTotal = rowReader({ total: int })
