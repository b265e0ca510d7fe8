import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bankSimulator } from '@tillwright/bank-simulator'
import { createTables } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import type { Machines } from '../machine/builtins.ts'
import { openBank } from './bank.ts'
import type { BlobStore } from './blob-store.ts'
import { openNetwork } from './client.ts'
import { DatabaseServer } from './database.ts'
import { openDirectory } from './directory.ts'
import { openMerchant } from './merchant.ts'
import type { Site } from './platforms.ts'
import { openReceivers } from './receivers.ts'
import { goOn, started } from './run-world.ts'
import { openAccounts, openShop, type Shop } from './shop.ts'
import { newWorld, STARTS_AT_MS } from './world.ts'

/** How every world begins: a database with a shop in it. */
export interface Template {
  bytes: Uint8Array
  files: BlobStore
  shop: Shop
}

/** An empty database with all tables, made by the platform's own migrations. Called before the machines are simulated. */
export async function emptyTables(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'simulation-'))
  const database = await openDatabase({ folder })
  await createTables(database, bankSimulator.tables)
  await database.write([{ sql: 'UPDATE schema_state SET held_until = 0', params: [] }])
  await database.close()
  const bytes = readFileSync(join(folder, 'tillwright.db'))
  rmSync(folder, { recursive: true })
  return inMemory(bytes)
}

/** A database in memory has no log file. Source: SQLite's file format, "File format version numbers". */
function inMemory(bytes: Uint8Array): Uint8Array {
  bytes.set([1, 1], 18)
  return bytes
}

/** The shop was opened so long before the worlds that have it begin. */
const BEFORE_MS = 60 * 60_000

/** Opens the shop once, in a world without faults of which all others are copies. */
export async function makeTemplate(tables: Uint8Array, machines: Machines): Promise<Template> {
  const world = newWorld('template', { keepsLines: false, startsAtMs: STARTS_AT_MS - BEFORE_MS })
  machines.inWorld(world.scheduler)
  const server = new DatabaseServer('postgres', tables, world.scheduler)
  const site: Site = {
    world,
    server,
    files: new Map(),
    bank: openBank(world),
    receivers: openReceivers(world),
    merchant: openMerchant(world),
    directory: openDirectory(world),
    neighbourKey: '',
    logged: [],
  }
  const process = await started('api-0', site, machines)
  const network = openNetwork(world, () => [process])
  const opening: { shop: Omit<Shop, 'lastOwnEventId'> | null; failure: unknown } = { shop: null, failure: null }
  process.host.do(() => {
    const services = process.platform?.services
    if (services === undefined) return
    openAccounts(services)
      .then((accounts) => openShop(accounts, network))
      .then((shop) => (opening.shop = shop))
      .catch((error: unknown) => (opening.failure = error))
  })
  await goOn(site, machines, {
    untilMs: world.scheduler.nowMs + 60_000,
    until: () => opening.shop !== null || opening.failure !== null,
  })
  const { shop, failure } = opening
  if (shop === null) throw new Error('The shop of the template was not opened.', { cause: failure })
  process.stop()
  await goOn(site, machines, { untilMs: world.scheduler.nowMs + 30_000, until: () => !process.host.isAlive })
  const [last] = server.rows('SELECT max(id) AS id FROM events', [])
  return { bytes: server.bytes(), files: site.files, shop: { ...shop, lastOwnEventId: String(last?.['id']) } }
}
