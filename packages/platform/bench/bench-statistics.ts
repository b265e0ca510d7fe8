import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventStatistics } from '@tillwright/contract'
import type { LocalFile } from '../src/local/start-local.ts'
import { openDatabase } from '../src/storage/open-database.ts'
import { fillEvents } from './fill-events.ts'
import { startProcess } from './start-process.ts'

/** How long statistics take with one kind of filter. */
export interface StatisticsFigure {
  filter: string
  p50Ms: number
  p99Ms: number
}

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 10_000_000)
const CALLS = 200
const DAY_MS = 86_400_000

/**
 * Measures `POST /events/statistics` on a platform with ten million events of the last year, over HTTP, one call after
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
  await db.close()
  const platform = await startProcess('platform', { ...options, home: empty.home })
  try {
    const ask = asker(`${platform.url}/api/public/v1/events/statistics`, adminApiKey)
    await checkTotal(ask, new Date(fromMs).toISOString())
    const figures: StatisticsFigure[] = []
    for (const [filter, bodyOf] of Object.entries(filters(fromMs))) figures.push(await measure(filter, bodyOf, ask))
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

async function measure(filter: string, bodyOf: (call: number) => object, ask: Ask): Promise<StatisticsFigure> {
  const times: number[] = []
  for (let call = 0; call < CALLS; call += 1) {
    const startedAt = performance.now()
    await ask(bodyOf(call))
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { filter, p50Ms: at(0.5), p99Ms: at(0.99) }
}

function asker(url: string, key: string): Ask {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return async (body) => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`Statistics failed: ${await answer.text()}`)
    return answer.json()
  }
}

/** A figure of wrong counts is none. */
async function checkTotal(ask: Ask, from: string): Promise<void> {
  const counted = await ask({ from, eventType: Array.from({ length: 12 }, (_, i) => `s_type_${i}`) })
  if (counted.totalEvents !== EVENTS) throw new Error(`There are ${EVENTS} events, and ${counted.totalEvents} counted.`)
}

async function readLocal(home: string): Promise<LocalFile> {
  return JSON.parse(await readFile(join(home, 'local.json'), 'utf8'))
}
