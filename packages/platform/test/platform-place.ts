import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bankSimulator } from '@tillwright/bank-simulator'
import { inject } from 'vitest'
import { copyDatabase, dropDatabase } from '../../../.ci/postgres-database.ts'
import { nextSeed } from '../../../.ci/test-seed.ts'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { createTables } from '../src/storage/migrate.ts'
import { openDatabase } from '../src/storage/open-database.ts'
import type { Database } from '../src/storage/database.ts'

/** Where a test platform keeps its data. */
export interface PlatformPlace {
  folder: string
  /** `undefined` for the embedded engine. */
  databaseUrl: string | undefined
  /** Deletes it, but for a database that was given. */
  remove: () => Promise<void>
}

/** The part of `TestPlatformOptions` on which the place depends. */
interface PlaceOptions {
  engine?: Database['engine']
  databaseUrl?: string
  environment?: 'production'
}

/**
 * Makes a place with what each start would otherwise have to do again: the tables, and outside of production the master
 * keys, without which a start first looks whether the database has any.
 */
export async function newPlace(options: PlaceOptions): Promise<PlatformPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-'))
  const { databaseUrl, drop } = await databaseFor(options)
  if (options.environment !== 'production') {
    if (options.databaseUrl === undefined) await writeKeys(folder) // otherwise they are settings
    if (databaseUrl === undefined) await writeFile(join(folder, FILE), await emptyTables(), { mode: 0o600 })
  }
  const remove = async () => {
    await rm(folder, { recursive: true })
    await drop()
  }
  return { folder, databaseUrl, remove }
}

const FILE = 'tillwright.db'

async function databaseFor({
  engine,
  databaseUrl,
}: PlaceOptions): Promise<{ databaseUrl: string | undefined; drop: () => Promise<void> }> {
  const server = inject('postgresUrl')
  if (databaseUrl !== undefined || engine !== 'postgres' || server === null) {
    return { databaseUrl, drop: async () => {} }
  }
  const made = await copyDatabase(server, inject('postgresTemplate'))
  return { databaseUrl: made, drop: () => dropDatabase(server, made) }
}

async function writeKeys(folder: string): Promise<void> {
  const randomness = seededRandomness(nextSeed())
  for (const file of ['vault.key', 'secrets.key']) {
    const key = Buffer.from(randomness.bytes(32)).toString('base64')
    await writeFile(join(folder, file), key, { mode: 0o600 })
  }
}

let made: Promise<Buffer> | undefined

/** An embedded database with all tables, made once for the test files of this process. */
function emptyTables(): Promise<Buffer> {
  return (made ??= makeTables())
}

async function makeTables(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'tables-'))
  const database = await openDatabase({ folder })
  await createTables(database, bankSimulator.tables)
  await database.close()
  const file = await readFile(join(folder, FILE))
  await rm(folder, { recursive: true })
  return file
}
