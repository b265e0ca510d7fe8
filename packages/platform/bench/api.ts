import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase } from '../../../.ci/postgres-database.ts'
import { openShop, type Shop } from '../faults/open-shop.ts'
import type { LocalFile } from '../src/local/start-local.ts'
import { execute } from './execute.ts'
import { type FilledTable, fillRows } from './fill-rows.ts'
import { resourcesOf } from './resources.ts'
import { scratch } from './scratch.ts'
import { type Started, startProcess } from './start-process.ts'
import { type Load, wrk } from './wrk.ts'

/** How much longer the slowest hundredth of reads by id may take at a million products than at a thousand. */
const GROWTH_MAX = 1.3
const SIZES = [1, 1_000, 1_000_000]
/** Few enough that a p99 is the platform's own and not that of a queue. */
const QUIET = { connections: 2 }
const TURNS = 9

/** A create and a read of each resource, and how reads and lists bear rows; on both engines. */
export async function benchApi(postgresUrl: string | null): Promise<void> {
  await onEngine('sqlite', async () => undefined)
  if (postgresUrl !== null) await onEngine('postgres', () => createDatabase(postgresUrl))
}

async function onEngine(engine: string, newDatabase: () => Promise<string | undefined>): Promise<void> {
  const one = await startShop(await newDatabase())
  await eachResource(engine, one)
  await one.platform.stop()
  const sizes: Sized[] = []
  for (const rows of SIZES) sizes.push({ rows, ...(await startShop(await newDatabase(), rows)) })
  await eachSize(engine, sizes)
  await Promise.all(sizes.map(({ platform }) => platform.stop()))
}

/** A platform with a shop in it, and with so many rows in each table under measurement. */
async function startShop(databaseUrl: string | undefined, rows = 0): Promise<Asking> {
  const place = { home: await mkdtemp(join(scratch, 'home-')), databaseUrl }
  const shop = await openShop({ home: place.home, databaseUrl: databaseUrl ?? null }, null)
  // The limits stay on, but above what one client can send.
  await execute(place, ['UPDATE accounts SET rate_per_minute = 6000000, rate_burst = 1000000'])
  const platform = await startProcess('platform', { home: place.home, ...(databaseUrl && { databaseUrl }) })
  const local: LocalFile = JSON.parse(await readFile(join(place.home, 'local.json'), 'utf8'))
  if (rows > 0) for (const { table } of sized) await fillRows(table, rows, place)
  return { platform, shop, headers: { Authorization: `Bearer ${local.adminApiKey}` } }
}

interface Asking {
  platform: Started
  shop: Shop
  headers: Record<string, string>
}

interface Sized extends Asking {
  rows: number
}

async function eachResource(engine: string, { platform, shop, headers }: Asking): Promise<void> {
  say([engine, 'create', 'p99', 'read by id', 'p99'])
  say(['---', '---:', '---:', '---:', '---:'])
  for (const { name, path, body, read, readBody } of await resourcesOf(shop, platform)) {
    const made = await wrk({ url: platform.url + path, headers, body: JSON.stringify(body) })
    const reading = { url: `${platform.url}${read}`, headers }
    const byPost = readBody && { body: JSON.stringify(readBody), reads: true as const }
    const load = read === null ? null : await wrk({ ...reading, ...byPost })
    say([name, ...shown(made), ...(load === null ? ['', ''] : shown(load))])
  }
}

/** One product among many; the first page of payment flows, and of funnels. */
const sized: readonly { what: string; table: FilledTable; path: string }[] = [
  { what: 'read any product', table: 'products', path: '/api/public/v1/products/bench_{row}' },
  { what: 'list 20 payment flows', table: 'payment_flows', path: '/api/public/v1/payment-flows?limit=20' },
  { what: 'list 20 funnels', table: 'funnels', path: '/api/funnels/v1/funnels' },
]

/** In turns, so that whatever else the machine does meets all sizes alike; each figure is the median of its turns. */
async function eachSize(engine: string, sizes: readonly Sized[]): Promise<void> {
  console.log()
  say([engine, 'rows', 'per second', 'p99'])
  say(['---', '---:', '---:', '---:'])
  const verdicts: string[] = []
  for (const { what, path } of sized) {
    const loads = new Map<number, Load[]>(sizes.map(({ rows }) => [rows, []]))
    for (let turn = 0; turn < TURNS; turn++) {
      for (const { rows, platform, headers } of sizes) {
        loads.get(rows)?.push(await wrk({ url: platform.url + path, rows, headers, ...QUIET, seconds: 1 }))
      }
    }
    const medians = SIZES.map((rows) => median(loads.get(rows) ?? []))
    for (const [index, load] of medians.entries()) say([what, SIZES[index]?.toLocaleString('en') ?? '', ...shown(load)])
    verdicts.push(verdict(what, (medians[2]?.p99Ms ?? 0) / (medians[1]?.p99Ms ?? 0)))
  }
  console.log(`\n${verdicts.join('\n')}\n`)
}

type Figure = Pick<Load, 'perSecond' | 'p99Ms'>

function median(loads: readonly Load[]): Figure {
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  return { perSecond: middle(loads.map((load) => load.perSecond)), p99Ms: middle(loads.map((load) => load.p99Ms)) }
}

function verdict(what: string, growth: number): string {
  const mark = growth <= GROWTH_MAX ? 'ok  ' : 'MISS'
  return `${mark} ${what}: p99 at a million rows is ${growth.toFixed(2)} times that at a thousand (at most ${GROWTH_MAX})`
}

function shown({ perSecond, p99Ms }: Figure): string[] {
  return [`${Math.round(perSecond).toLocaleString('en')}/s`, `${p99Ms.toFixed(2)} ms`]
}

/** One row of a Markdown table. */
function say(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}
