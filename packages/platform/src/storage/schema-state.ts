import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Row, SchemaConnection, Statement } from './database.ts'
import { int, nullable, oneOf, rowReader, text } from './define-table.ts'
import { inWordsOf } from './statements.ts'

/** How far a step is. `filled`: a backfill has seen every row once, and older processes may have added others since. */
export interface StepState {
  id: string
  state: 'running' | 'filled' | 'done'
  /** How many of its actions are done. */
  actions: number
  /** The primary key up to which a backfill is done, as a JSON array; `null` at its beginning. */
  cursor: string | null
  rows: number
  /** Since when no process is left for which a contraction would have to wait; `null` while one is. */
  freeSince: number | null
}

/** The state of the schema, as the database records it. */
export interface SchemaState {
  /** The oldest schema with which a process may still write. */
  oldest: number
  steps: ReadonlyMap<string, StepState>
}

/** Stands for the oldest schema while a database is being filled by a restore: no platform works with it. */
export const UNFINISHED = 2_000_000_000

/** Created before the first migration. `holder` is the one process that may change the schema. */
const TABLES = [
  `CREATE TABLE IF NOT EXISTS migrations (
    id {text} PRIMARY KEY, state {text} NOT NULL, actions {int} NOT NULL, position {text}, filled {int} NOT NULL,
    free_since {int}) {strict}`,
  `CREATE TABLE IF NOT EXISTS schema_state (
    id {int} PRIMARY KEY, oldest {int} NOT NULL, holder {text}, held_until {int} NOT NULL) {strict}`,
]

/** Creates the two tables that migrating needs. Two processes may do so at once. */
export async function createStateTables(database: Database, connection: SchemaConnection): Promise<void> {
  const statements = [
    ...TABLES.map((sql) => ({ sql: inWordsOf(database.engine, sql), params: [] })),
    {
      sql: 'INSERT INTO schema_state (id, oldest, held_until) VALUES (1, 0, 0) ON CONFLICT (id) DO NOTHING',
      params: [],
    },
  ]
  const create = () => connection.transaction(statements)
  // PostgreSQL may answer that a relation has appeared since it looked.
  await create().catch(create)
}

const hasTables = {
  sqlite: "SELECT count(*) AS found FROM sqlite_schema WHERE type = 'table' AND name IN ('migrations', 'schema_state')",
  postgres:
    "SELECT count(*) AS found FROM pg_catalog.pg_class WHERE relname IN ('migrations', 'schema_state') AND relkind = 'r' AND pg_catalog.pg_table_is_visible(oid)",
} as const

/** @returns `null` for a database that was never migrated. */
export async function readSchemaState(database: Database): Promise<SchemaState | null> {
  const [tables] = readFound(await database.read(hasTables[database.engine], []))
  if (tables?.found !== 2) return null
  const [state] = readState(await database.read('SELECT oldest FROM schema_state WHERE id = 1', []))
  const rows = readSteps(await database.read('SELECT * FROM migrations ORDER BY id', []))
  const steps = rows.map(({ id, state: reached, actions, position, filled, free_since: freeSince }) => {
    const step: StepState = { id, state: reached, actions, cursor: position, rows: filled, freeSince }
    return [id, step] as const
  })
  return { oldest: state?.oldest ?? 0, steps: new Map(steps) }
}

const readFound = rowReader({ found: int })
const readState = rowReader({ oldest: int })
const readSteps = rowReader({
  id: text,
  state: oneOf(['running', 'filled', 'done']),
  actions: int,
  position: nullable(text),
  filled: int,
  free_since: nullable(int),
})

/** A database whose schema this process alone may change. */
export interface HeldSchema {
  database: Database
  connection: SchemaConnection
  lock: SchemaLock
}

/** How long a process that was killed keeps the others from going on with what it was at. */
const HELD_MS = 10_000
const RENEW_EVERY_MS = 2_000
const LOOK_EVERY_MS = 100

/** The right to change a schema, which one process has at a time. */
export interface SchemaLock {
  /** A statement for a transaction that must not be committed by who has lost the right. */
  guard: Statement
  release(): Promise<void>
}

const now = {
  sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  postgres: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
} as const

/**
 * Takes the right to change the schema, if it is free. It is a row with a time by the database's own clock, which works
 * through a pooler of connections and on servers without advisory locks.
 */
export async function takeSchemaLock(database: Database): Promise<SchemaLock | null> {
  const holder = randomUUID()
  const at = now[database.engine]
  const take = {
    sql: `UPDATE schema_state SET holder = ?, held_until = ${at} + ?
      WHERE id = 1 AND (holder IS NULL OR holder = ? OR held_until < ${at})`,
    params: [holder, HELD_MS, holder],
    expect: 1,
  }
  if ((await database.write([take])).outcome !== 'committed') return null
  const renewal = setInterval(() => void database.write([take]).catch(() => {}), RENEW_EVERY_MS)
  renewal.unref()
  return {
    guard: { sql: 'UPDATE schema_state SET oldest = oldest WHERE id = 1 AND holder = ?', params: [holder], expect: 1 },
    async release() {
      clearInterval(renewal)
      const free = 'UPDATE schema_state SET holder = NULL WHERE id = 1 AND holder = ?'
      await database.write([{ sql: free, params: [holder] }])
    },
  }
}

/** Waits for the right to change the schema, or until `isDone` says that nothing is left to change. */
export async function awaitSchemaLock(database: Database, isDone: () => Promise<boolean>): Promise<SchemaLock | null> {
  for (;;) {
    const lock = await takeSchemaLock(database)
    if (lock !== null) return lock
    if (await isDone()) return null
    await delay(LOOK_EVERY_MS)
  }
}

/**
 * Shuts out every process that does not know a schema, also those that have been silent for a while: from here on
 * nothing of theirs is committed.
 */
export async function raiseOldest(
  oldest: number,
  { connection, lock }: { connection: SchemaConnection; lock: SchemaLock },
): Promise<void> {
  const raise = { sql: 'UPDATE schema_state SET oldest = ? WHERE id = 1 AND oldest < ?', params: [oldest, oldest] }
  await connection.transaction([lock.guard, raise])
  await connection.drained()
}

/** A process is taken for dead after this time without a heartbeat. Its own fence holds if it is not. */
const SILENT_MS = 15_000

/**
 * The oldest schema that a living process knows, by the table `processes`.
 *
 * @returns `Infinity` when there is none. Another process that has an embedded database open counts as the oldest of all.
 */
export async function oldestLiving(database: Database): Promise<number> {
  if (database.engine === 'sqlite') return database.schema?.isAlone() === true ? Infinity : 0
  const found = await database.read(
    "SELECT count(*) AS found FROM pg_catalog.pg_class WHERE relname = 'processes' AND pg_catalog.pg_table_is_visible(oid)",
    [],
  )
  if (readFound(found)[0]?.found !== 1) return Infinity
  const living = `SELECT MIN(schema_number) AS oldest FROM processes WHERE heartbeat_at > ${now.postgres} - ?`
  const rows: readonly Row[] = await database.read(living, [SILENT_MS])
  return readLiving(rows)[0]?.oldest ?? Infinity
}

const readLiving = rowReader({ oldest: nullable(int) })
