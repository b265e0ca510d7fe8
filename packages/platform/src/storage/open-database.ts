import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './database.ts'
import { DatabaseEmpty, migrate, migrateIfEmpty, type Migration, requireMigrated } from './migrate.ts'
import { migrations } from './migrations.ts'
import { openSqlite, openSqliteBeside } from './sqlite/index.ts'

/**
 * Where a database is: at `url`, `postgres://` or `postgresql://`; without one it is `tillwright.db` in `folder`.
 */
export interface DatabasePlace {
  url?: string
  folder: string
}

/**
 * Opens the platform's database, which is created if need be, and brings its tables up to date.
 *
 * @throws {TypeError} If the URL is of another kind.
 * @throws {DatabaseInUse} {UnsafeDatabase} {DatabaseTooNew} {DatabaseUnavailable}
 */
export async function openDatabase({ url, folder }: DatabasePlace): Promise<Database> {
  return brought(url === undefined ? await openFile(folder, openSqlite) : await openServer(url), migrate)
}

/**
 * Opens a database for a command, whether a platform works on it at this time or not. Nothing is created or migrated.
 *
 * @throws {DatabaseEmpty} {DatabaseBehind} {DatabaseTooNew} {UnsafeDatabase} {DatabaseUnavailable}
 */
export async function openDatabaseBeside({ url, folder }: DatabasePlace): Promise<Database> {
  if (url !== undefined) return brought(await openServer(url), requireMigrated)
  const file = fileIn(folder)
  if (!existsSync(file)) throw new DatabaseEmpty(`There is no database ${file}.`)
  return brought(await openSqliteBeside({ file }), requireMigrated)
}

/** The same for a command that may be the first to use a database: a file that is missing, and tables, are created. */
export async function openOrCreateDatabaseBeside({ url, folder }: DatabasePlace): Promise<Database> {
  return brought(url === undefined ? await openFile(folder, openSqliteBeside) : await openServer(url), migrateIfEmpty)
}

/** A database with the tables that `bring` sees to; closed again where that fails. */
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

/** The driver is loaded only where it is used: it would cost every embedded platform memory and time. */
async function openServer(url: string): Promise<Database> {
  // Its password must not get into a message.
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new TypeError('The database URL has to begin with postgres:// or postgresql://.')
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres({ url })
}
