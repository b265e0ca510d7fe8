import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabase } from '../../../.ci/postgres-database.ts'
import { openShop, type Shop } from '../faults/open-shop.ts'
import { execute, type BenchPlace } from './execute.ts'
import { fillProducts } from './fill-products.ts'
import { resourcesOf } from './resources.ts'
import { scratch } from './scratch.ts'
import { startProcess, type Started } from './start-process.ts'
import { wrk, type Load } from './wrk.ts'

/** How much longer the slowest hundredth of reads by id may take at a million products than at a thousand. */
const GROWTH_MAX = 1.3
const SIZES = [1, 1_000, 1_000_000]
/** Few enough that a p99 is the platform's own and not that of a queue. */
const QUIET = { connections: 2 }

/** A create and a read of each resource, and how reads and lists bear rows; on both engines. */
export async function benchApi(postgresUrl: string | null): Promise<void> {
  await onEngine('sqlite', undefined)
  if (postgresUrl !== null) await onEngine('postgres', await createDatabase(postgresUrl))
}

async function onEngine(engine: string, databaseUrl: string | undefined): Promise<void> {
  const place = { home: await mkdtemp(join(scratch, 'home-')), databaseUrl }
  const shop = await openShop({ home: place.home, databaseUrl: databaseUrl ?? null }, null)
  // The limits stay on, but above what one client can send.
  await execute(place, ['UPDATE accounts SET rate_per_minute = 6000000, rate_burst = 1000000'])
  const platform = await startProcess('platform', { home: place.home, ...(databaseUrl && { databaseUrl }) })
  try {
    await eachResource(engine, { platform, shop })
    await atEachSize(engine, { platform, shop, place })
  } finally {
    await platform.stop()
  }
}

interface Running {
  platform: Started
  shop: Shop
}

async function eachResource(engine: string, { platform, shop }: Running): Promise<void> {
  say([engine, 'create', 'p99', 'read by id', 'p99'])
  say(['---', '---:', '---:', '---:', '---:'])
  const headers = { Authorization: `Bearer ${shop.apiKey}` }
  for (const { name, path, body, read } of await resourcesOf(shop, platform)) {
    const made = await wrk({ url: platform.url + path, headers, body: JSON.stringify(body) })
    const load = read === null ? null : await wrk({ url: platform.url + read, headers })
    say([name, ...shown(made), ...(load === null ? ['', ''] : shown(load))])
  }
}

async function atEachSize(engine: string, { platform, shop, place }: Running & { place: BenchPlace }): Promise<void> {
  say([`\n${engine}, products`, 'read any by id', 'p99'])
  say(['---', '---:', '---:'])
  const p99: number[] = []
  for (const rows of SIZES) {
    await fillProducts(rows, { place, storeId: shop.storeId })
    const headers = { Authorization: `Bearer ${shop.apiKey}` }
    const load = await wrk({ url: `${platform.url}/api/public/v1/products/bench_{row}`, rows, headers, ...QUIET })
    say([rows.toLocaleString('en'), ...shown(load)])
    p99.push(load.p99Ms)
  }
  const growth = (p99[2] ?? 0) / (p99[1] ?? 0)
  const verdict = growth <= GROWTH_MAX ? 'ok  ' : 'MISS'
  console.log(
    `\n${verdict} p99 at a million products is ${growth.toFixed(2)} times that at a thousand (at most ${GROWTH_MAX})\n`,
  )
}

function shown({ perSecond, p99Ms }: Load): string[] {
  return [`${Math.round(perSecond).toLocaleString('en')}/s`, `${p99Ms.toFixed(2)} ms`]
}

/** One row of a Markdown table. */
function say(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}
