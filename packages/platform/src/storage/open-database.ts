import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './database.ts'
import { DatabaseEmpty, migrate, migrateIfEmpty, type Migration, requireMigrated } from './migrate.ts'
import { migrations } from './migrations.ts'
import { openSqlite, openSqliteBeside } from './sqlite/index.ts'

/**
 * Location of a database: `url`, beginning with `postgres://` or `postgresql://`, or else `tillwright.db` in `folder`.
 */
export interface DatabasePlace {
  url?: string
  folder: string
}

/**
 * Opens the platform's database, creating it if necessary, and migrates it.
 *
 * @throws {TypeError} If the URL has another scheme.
 * @throws {DatabaseInUse} {UnsafeDatabase} {DatabaseTooNew} {DatabaseUnavailable}
 */
export async function openDatabase({ url, folder }: DatabasePlace): Promise<Database> {
  return brought(url === undefined ? await openFile(folder, openSqlite) : await openServer(url), migrate)
}

/**
 * Opens a database for a command, whether or not a platform is using it. Creates and migrates nothing.
 *
 * @throws {DatabaseEmpty} {DatabaseBehind} {DatabaseTooNew} {UnsafeDatabase} {DatabaseUnavailable}
 */
export async function openDatabaseBeside({ url, folder }: DatabasePlace): Promise<Database> {
  if (url !== undefined) return brought(await openServer(url), requireMigrated)
  const file = fileIn(folder)
  if (!existsSync(file)) throw new DatabaseEmpty(`There is no database ${file}.`)
  return brought(await openSqliteBeside({ file }), requireMigrated)
}

/**
 * Like `openDatabaseBeside`, for commands that may be the first to use a database: creates a missing file and its
 * tables.
 */
export async function openOrCreateDatabaseBeside({ url, folder }: DatabasePlace): Promise<Database> {
  return brought(url === undefined ? await openFile(folder, openSqliteBeside) : await openServer(url), migrateIfEmpty)
}

/** Returns the database once `bring` has prepared its tables; closes it if that fails. */
async function brought(
  database: Database,
  bring: (database: Database, migrations: readonly Migration[]) => Promise<void>,
): Promise<Database> {
  try {
    await bring(database, migrations)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openFile(folder: string, open: typeof openSqlite): Promise<Database> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return open({ file: fileIn(folder) })
}

function fileIn(folder: string): string {
  return join(folder, 'tillwright.db')
}

/** Loaded only when used: the driver would cost every embedded platform memory and start-up time. */
async function openServer(url: string): Promise<Database> {
  // The password must not appear in a message.
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new TypeError('The database URL has to begin with postgres:// or postgresql://.')
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres({ url })
}
