import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../runtime/index.ts'
import type { Database } from './database.ts'
import { rowReader, text } from './define-table.ts'

/**
 * One step of the schema, applied once and never edited afterwards. Its statements are portable SQL, in which `{text}`
 * and `{int}` are the column types and `{strict}` stands behind the closing bracket of every CREATE TABLE.
 */
export interface Migration {
  /** Begins with a number of four digits; steps are applied in this order. */
  id: string
  statements: readonly string[]
}

/** Thrown when a database has been migrated by a newer platform than this one. */
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
 * SQL that differs between the engines. PostgreSQL compares text by locale unless told otherwise, SQLite by bytes; only
 * STRICT tables keep SQLite from storing values of any type in any column.
 */
const WORDS = {
  sqlite: { text: 'TEXT', int: 'INTEGER', strict: 'STRICT' },
  postgres: { text: 'TEXT COLLATE "C"', int: 'BIGINT', strict: '' },
} as const

/**
 * Brings a database up to date. Two processes may do so at once: each step is one transaction, which begins by claiming
 * its id, so the second waits for the first and then finds the step taken.
 *
 * @param migrations All that there are, in order.
 * @throws {DatabaseTooNew}
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await createTableOfMigrations(database)
  const applied = await appliedIds(database)
  refuseUnknown(applied, migrations)
  for (const migration of migrations) if (!applied.includes(migration.id)) await apply(database, migration)
}

/** How long a command waits for a platform that is just migrating. Tests wait less. */
const PATIENCE_MS = 2_000
const LOOK_EVERY_MS = 20

/**
 * Makes sure that a database is at this version, without changing it: to migrate one that is in use is the platform's
 * business, so that a command of another version does not do it behind its back.
 *
 * @param patienceMs How long to wait for a platform, or another command, that is migrating at this moment.
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

/** The same for a command that may be the first to use a database: one that is empty gets its tables. */
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
 * Creates tables that are no part of the platform's own schema, where they are missing.
 *
 * @param statements `CREATE ... IF NOT EXISTS`, in the words of a migration.
 */
export async function createTables(database: Database, statements: readonly string[]): Promise<void> {
  const unit = statements.map((sql) => ({ sql: inWordsOf(database, sql), params: [] }))
  const create = () => database.write(unit)
  await create().catch(create) // as with the table of migrations: another process may be creating them
}

/**
 * A process that loses the race for it is told of a duplicate, and has what it wanted. PostgreSQL may tell it instead, as an
 * error, of a relation that was not there when it looked and is there now: it has it at the second try.
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
