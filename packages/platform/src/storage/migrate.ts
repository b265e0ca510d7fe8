import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../runtime/index.ts'
import type { Database } from './database.ts'
import { rowReader, text } from './define-table.ts'

/**
 * One step of the schema, applied once and never edited once released. Its statements are portable SQL: `{text}` and
 * `{int}` are the column types, and `{strict}` follows the closing bracket of every CREATE TABLE.
 */
export interface Migration {
  /** Begins with four digits; steps are applied in this order. */
  id: string
  statements: readonly string[]
}

/** Thrown when a database was migrated by a newer version of the platform. */
export class DatabaseTooNew extends OperatorError {
  override readonly name = 'DatabaseTooNew'
}

/** Thrown when a command finds a database that no platform has used yet. */
export class DatabaseEmpty extends OperatorError {
  override readonly name = 'DatabaseEmpty'
}

/** Thrown when a command finds a database that a platform of its version has not migrated yet. */
export class DatabaseBehind extends OperatorError {
  override readonly name = 'DatabaseBehind'
}

/**
 * The engines' differences. PostgreSQL compares text by language rules by default, SQLite by bytes; SQLite enforces
 * column types only in STRICT tables.
 */
const WORDS = {
  sqlite: { text: 'TEXT', int: 'INTEGER', strict: 'STRICT' },
  postgres: { text: 'TEXT COLLATE "C"', int: 'BIGINT', strict: '' },
} as const

/**
 * Brings a database up to date. Two processes may do so at once: each step is one transaction that begins by claiming
 * its id, so the second process waits and then finds the step applied.
 *
 * @param migrations All of them, in order.
 * @throws {DatabaseTooNew}
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await createTableOfMigrations(database)
  const applied = await appliedIds(database)
  refuseUnknown(applied, migrations)
  for (const migration of migrations) if (!applied.includes(migration.id)) await apply(database, migration)
}

/** How long a command waits for a platform that is migrating, in milliseconds. Shorter in tests. */
const PATIENCE_MS = 2_000
const LOOK_EVERY_MS = 20

/**
 * Checks that a database is at this version, without changing it: migrating a database in use is up to the platform,
 * and a command of another version must not do it.
 *
 * @param patienceMs How long to wait for a platform, or another command, that is migrating right now.
 * @throws {DatabaseEmpty} {DatabaseBehind} {DatabaseTooNew}
 */
export async function requireMigrated(
  database: Database,
  migrations: readonly Migration[],
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  await createTableOfMigrations(database)
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const applied = await appliedIds(database)
    refuseUnknown(applied, migrations)
    const next = migrations.find(({ id }) => !applied.includes(id))
    if (next === undefined) return
    if (applied.length === 0) throw new DatabaseEmpty('The database is empty.')
    if (waitedMs >= patienceMs) throw behind(next)
    await delay(LOOK_EVERY_MS)
  }
}

/** Like `requireMigrated`, for commands that may be the first to use a database: an empty one gets its tables. */
export async function migrateIfEmpty(database: Database, migrations: readonly Migration[]): Promise<void> {
  try {
    await requireMigrated(database, migrations)
  } catch (error) {
    if (!(error instanceof DatabaseEmpty)) throw error
    await migrate(database, migrations)
  }
}

function behind({ id }: Migration): DatabaseBehind {
  const remedy = 'Start the platform of this version, which applies it, or use the command of the version that runs.'
  return new DatabaseBehind(`The database lacks migration "${id}". ${remedy}`)
}

function refuseUnknown(applied: readonly string[], migrations: readonly Migration[]): void {
  const unknown = applied.find((id) => migrations.every((migration) => migration.id !== id))
  if (unknown === undefined) return
  const remedy = 'Use the version that did it, or a later one.'
  throw new DatabaseTooNew(`The database has migration "${unknown}", which this version does not know. ${remedy}`)
}

/**
 * Creates missing tables that are not part of the platform's own schema.
 *
 * @param statements `CREATE ... IF NOT EXISTS`, in migration syntax.
 */
export async function createTables(database: Database, statements: readonly string[]): Promise<void> {
  const transaction = statements.map((sql) => ({ sql: inWordsOf(database, sql), params: [] }))
  const create = () => database.write(transaction)
  await create().catch(create) // another process may be creating them, as with the migrations table
}

/**
 * Creates the migrations table. If another process does so at the same time, this one gets a duplicate, which is fine,
 * or from PostgreSQL an error about a relation that appeared after it looked; then the second try succeeds.
 */
async function createTableOfMigrations(database: Database): Promise<void> {
  const sql = inWordsOf(database, 'CREATE TABLE IF NOT EXISTS migrations (id {text} PRIMARY KEY) {strict}')
  const create = () => database.write([{ sql, params: [] }])
  await create().catch(create)
}

async function appliedIds(database: Database): Promise<readonly string[]> {
  const rows = await database.read('SELECT id FROM migrations ORDER BY id', [])
  return readIds(rows).map(({ id }) => id)
}

const readIds = rowReader({ id: text })

async function apply(database: Database, { id, statements }: Migration): Promise<void> {
  const claim = { sql: 'INSERT INTO migrations (id) VALUES (?)', params: [id] }
  const steps = statements.map((sql) => ({ sql: inWordsOf(database, sql), params: [] }))
  const outcome = await database.write([claim, ...steps])
  if (outcome.outcome === 'committed' || outcome.statement === 0) return
  throw new Error(`Migration "${id}" failed: its statement ${outcome.statement} met a duplicate.`)
}

function inWordsOf(database: Database, sql: string): string {
  const words = WORDS[database.engine]
  return sql.replaceAll('{text}', words.text).replaceAll('{int}', words.int).replaceAll('{strict}', words.strict).trim()
}
