import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AccountStatistics, EventStatistics } from '@tillwright/contract'
import type { LocalFile } from '../src/local/start-local.ts'
import { openDatabase } from '../src/storage/open-database.ts'
import { CURRENCIES, fillCounters, fillEvents } from './fill-events.ts'
import { startProcess } from './start-process.ts'

/** How long statistics take with one kind of filter. */
export interface StatisticsFigure {
  filter: string
  p50Ms: number
  p99Ms: number
  /** Upper bound. */
  mostMs: number
}

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 10_000_000)
/** One in 20 is a draft, which is not counted unless asked for. */
const REAL_EVENTS = EVENTS - Math.ceil((EVENTS - 7) / 20)
const CALLS = 200
/** Upper bounds for statistics of events, and for those of the account. */
const EVENTS_MS = 20
const ACCOUNT_MS = 100
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * Measures `POST /events/statistics` and `GET /api/statistics/v1/statistics` on a platform with ten million events of the last year, over HTTP, one call after
 * another, each with another store, customer or time. `BENCH_EVENTS` sets another number.
 *
 * @param databaseUrl An empty PostgreSQL database; SQLite without it.
 * @throws {Error} When the counts are not those of the events.
 */
export async function benchStatistics(databaseUrl?: string): Promise<StatisticsFigure[]> {
  const options = databaseUrl === undefined ? {} : { databaseUrl }
  const empty = await startProcess('platform', options)
  const { accountId, adminApiKey } = await readLocal(empty.home)
  await empty.stop()
  const toMs = Date.now()
  const fromMs = toMs - 365 * DAY_MS
  const db = await openDatabase({ folder: empty.home, ...(databaseUrl !== undefined && { url: databaseUrl }) })
  await db.write([{ sql: 'UPDATE accounts SET rate_per_minute = 6000000, rate_burst = 1000000', params: [] }])
  await fillEvents(db, { accountId, count: EVENTS, fromMs, toMs })
  await fillCounters(db, { accountId, fromMs, toMs })
  await db.close()
  const platform = await startProcess('platform', { ...options, home: empty.home })
  try {
    const ask = asker(`${platform.url}/api/public/v1/events/statistics`, adminApiKey)
    await checkTotal(ask, new Date(fromMs).toISOString())
    const figures: StatisticsFigure[] = []
    for (const [filter, bodyOf] of Object.entries(filters(fromMs))) {
      figures.push({ filter, ...(await measure((call) => ask(bodyOf(call)))), mostMs: EVENTS_MS })
    }
    for (const [filter, queryOf] of Object.entries(periods(toMs))) {
      const call = (number: number) =>
        readAccount(`${platform.url}/api/statistics/v1/statistics`, queryOf(number), adminApiKey)
      figures.push({ filter, ...(await measure(call)), mostMs: ACCOUNT_MS })
    }
    return figures
  } finally {
    await platform.stop()
  }
}

type Ask = (body: object) => Promise<EventStatistics>

/** Bodies by what they filter, each of a number. */
function filters(fromMs: number): Record<string, (call: number) => object> {
  const at = (day: number) => new Date(fromMs + day * DAY_MS + 1_234_567).toISOString()
  return {
    nothing: () => ({}),
    'a store': (call) => ({ storeId: `store_${call % 5}` }),
    'two types without drafts': (call) => ({ eventType: [`s_type_${call % 12}`, 's_type_1'], draft: false }),
    'a time': (call) => ({ from: at(call), to: at(call + 30) }),
    'a time since': (call) => ({ from: at(call) }),
    'a store and a time': (call) => ({ storeId: `store_${call % 5}`, from: at(call), to: at(call + 90) }),
    'a customer': (call) => ({ customerId: `cus_${call * 37}` }),
  }
}

/** Queries of the account's statistics by what they ask for, each of a number. */
function periods(toMs: number): Record<string, (call: number) => Record<string, string>> {
  const since = (points: number, spanMs: number) => new Date(toMs - (points - 1) * spanMs).toISOString()
  return {
    'the last day by hours': () => ({}),
    'eight days by hours': () => ({ from: since(192, HOUR_MS) }),
    '800 hours': () => ({ from: since(800, HOUR_MS) }),
    '800 hours of a store': (call) => ({ from: since(800, HOUR_MS), storeId: `store_${call % 5}` }),
    'a year by days': () => ({ from: since(365, DAY_MS), interval: 'day' }),
  }
}

async function measure(ask: (call: number) => Promise<unknown>): Promise<Pick<StatisticsFigure, 'p50Ms' | 'p99Ms'>> {
  const times: number[] = []
  for (let call = 0; call < CALLS; call += 1) {
    const startedAt = performance.now()
    await ask(call)
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

function asker(url: string, key: string): Ask {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return async (body) => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`Statistics failed: ${await answer.text()}`)
    return answer.json()
  }
}

async function readAccount(url: string, query: Record<string, string>, key: string): Promise<void> {
  const answer = await fetch(`${url}?${new URLSearchParams(query).toString()}`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  const body: AccountStatistics = await answer.json()
  if (!answer.ok || body.currencies.length !== CURRENCIES) throw new Error(`Statistics failed: ${JSON.stringify(body)}`)
}

/** A figure of wrong counts is none. */
async function checkTotal(ask: Ask, from: string): Promise<void> {
  const counted = await ask({ from, eventType: Array.from({ length: 12 }, (_, i) => `s_type_${i}`) })
  if (counted.totalEvents !== REAL_EVENTS)
    throw new Error(`There are ${REAL_EVENTS} events, and ${counted.totalEvents} counted.`)
}

async function readLocal(home: string): Promise<LocalFile> {
  return JSON.parse(await readFile(join(home, 'local.json'), 'utf8'))
}
