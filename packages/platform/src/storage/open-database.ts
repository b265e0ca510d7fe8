import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from './database.ts'
import { type SchemaLog, workOnSchema } from './follow-schema.ts'
import { migrate, migrateIfEmpty, type MigrateOptions, requireMigrated } from './migrate.ts'
import { DatabaseEmpty, type Migration } from './migration.ts'
import { migrations } from './migrations.ts'
import { takeHome } from './settings.ts'
import { openSqlite, openSqliteBeside } from './sqlite/index.ts'

/**
 * Location of a database: `url`, beginning with `postgres://` or `postgresql://`, or else `tillwright.db` in `folder`.
 */
export interface DatabasePlace {
  url?: string
  folder: string
  /** Servers for reads that may be a little behind, of a PostgreSQL. */
  replicaUrl?: string
  /** How long a statement that changes the schema of a PostgreSQL may take; as long as it takes unless given. */
  schemaStatementMs?: number
  /** Whether an embedded database is opened that was copied without its newest transactions. */
  acceptIncompleteCopy?: boolean
}

/** Where the settings say that the database is. */
export function placeOf(config: {
  home: string
  databaseUrl: string | undefined
  replicaUrl: string | undefined
}): DatabasePlace {
  const { home, databaseUrl, replicaUrl } = config
  return {
    folder: home,
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    ...(replicaUrl !== undefined && { replicaUrl }),
  }
}

/** How a platform treats the schema that it finds. */
export interface OpenOptions extends MigrateOptions {
  /** The platform's own unless given. */
  migrations?: readonly Migration[]
  /** For how long no older process must have been seen before something is taken away. */
  contractAfterMs?: number
  log?: SchemaLog
}

const DAY_MS = 24 * 60 * 60 * 1_000
const silent: SchemaLog = { info() {}, error() {}, fatal() {} }

/**
 * Opens the platform's database, creating it if necessary, and migrates it.
 *
 * @throws {TypeError} If the URL has another scheme.
 * @throws {DatabaseInUse} {UnsafeDatabase} {DatabaseTooNew} {DatabaseUnavailable}
 */
export async function openDatabase(place: DatabasePlace, options: OpenOptions = {}): Promise<Database> {
  return takeIntoUse(place.url === undefined ? await openOwn(place) : await openServer(place), options)
}

/**
 * Migrates a database that was opened just now, and closes it if that fails.
 *
 * @throws {DatabaseTooNew} {DatabaseBehind} {DatabaseUnavailable}
 */
export function takeIntoUse(database: Database, options: OpenOptions): Promise<Database> {
  const { migrations: steps = migrations, contractAfterMs = DAY_MS, log = silent, ...how } = options
  return brought(database, async (opened) => {
    await migrate(opened, steps, how)
    // Later its tables would be locked while they are needed.
    if (opened.engine === 'sqlite' && how.mode !== 'manual') {
      await workOnSchema(opened, steps, { contractAfterMs, log, phase: 'contract' })
    }
  })
}

/**
 * Opens a database for a command, whether or not a platform is using it. Creates and migrates nothing.
 *
 * @throws {DatabaseEmpty} {DatabaseBehind} {DatabaseTooNew} {UnsafeDatabase} {DatabaseUnavailable}
 */
export async function openDatabaseBeside(place: DatabasePlace): Promise<Database> {
  return brought(await openAsItIs(place), (database) => requireMigrated(database, migrations))
}

/**
 * Opens a database that exists for a command, whatever its schema.
 *
 * @throws {DatabaseEmpty} If there is no file.
 */
export async function openAsItIs(place: DatabasePlace): Promise<Database> {
  if (place.url !== undefined) return openServer(place, { isCommand: true })
  const file = fileIn(place.folder)
  if (!existsSync(file)) throw new DatabaseEmpty(`There is no database ${file}.`)
  return openSqliteBeside({ file })
}

/**
 * Like `openDatabaseBeside`, for commands that may be the first to use a database: creates a missing file and its
 * tables.
 */
export async function openOrCreateDatabaseBeside(place: DatabasePlace): Promise<Database> {
  const database =
    place.url === undefined
      ? await openFile(place.folder, openSqliteBeside)
      : await openServer(place, { isCommand: true })
  return brought(database, (opened) => migrateIfEmpty(opened, migrations))
}

/** Returns the database once `bring` has prepared its tables; closes it if that fails. */
async function brought(database: Database, bring: (database: Database) => Promise<void>): Promise<Database> {
  try {
    await bring(database)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openOwn({ folder, acceptIncompleteCopy = false }: DatabasePlace): Promise<Database> {
  return openFile(folder, ({ file }) => openSqlite({ file, acceptIncompleteCopy }))
}

async function openFile(folder: string, open: typeof openSqliteBeside): Promise<Database> {
  await takeHome(folder)
  return open({ file: fileIn(folder) })
}

function fileIn(folder: string): string {
  return join(folder, 'tillwright.db')
}

/** Loaded only when used: the driver would cost every embedded platform memory and start-up time. */
async function openServer(
  { url = '', schemaStatementMs = 0, ...place }: DatabasePlace,
  { isCommand = false } = {},
): Promise<Database> {
  // The password must not appear in a message.
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new TypeError('The database URL has to begin with postgres:// or postgresql://.')
  }
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  const { replicaUrl } = place
  return openPostgres({ url, schemaStatementMs, isCommand, ...(replicaUrl !== undefined && { replicaUrl }) })
}
