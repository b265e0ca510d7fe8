import { setTimeout as delay } from 'node:timers/promises'
import { fillAll } from './backfill.ts'
import {
  type Database,
  DatabaseUnavailable,
  DiskFull,
  LockBusy,
  type SchemaConnection,
  type Statement,
  StatementTooLong,
} from './database.ts'
import {
  type Backfill,
  type Contract,
  DatabaseBehind,
  DatabaseEmpty,
  DatabaseTooNew,
  type Expand,
  isReliedOn,
  type Migration,
  numberOf,
  schemaOf,
} from './migration.ts'
import {
  awaitSchemaLock,
  createStateTables,
  type HeldSchema,
  oldestLiving,
  raiseOldest,
  readSchemaState,
  type SchemaLock,
  type SchemaState,
  UNFINISHED,
} from './schema-state.ts'
import { type Action, actionsOf, checkMigrations, inWordsOf } from './statements.ts'

/** How a start treats a schema that is behind. */
export interface MigrateOptions {
  /** `manual`: only `tillwright migrate` changes the schema, and a start on one that is behind is refused. */
  mode?: 'auto' | 'manual'
  /** How long to wait for processes of an older version that have just ended, in milliseconds. */
  patienceMs?: number
}

/** Longer than it takes until a process that was killed counts as dead. */
const PATIENCE_MS = 20_000
const LOOK_EVERY_MS = 20

/**
 * Brings a database to the schema that this version works with, while processes of older versions go on: runs every
 * expansion, and completes the backfills on which this version relies. The other backfills and the contractions are the
 * background's (`followSchema`). Several processes may start at once; one migrates, and the others wait for it.
 *
 * @param migrations All of them, in order.
 * @throws {DatabaseTooNew} If the database was changed in a way that this version does not know.
 * @throws {DatabaseBehind} If something is to be done and `mode` forbids it, or older processes keep it from being done.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  { mode = 'auto', patienceMs = PATIENCE_MS }: MigrateOptions = {},
): Promise<void> {
  checkMigrations(migrations)
  const lacking = async () => {
    const state = await readSchemaState(database)
    refuseForeign(state, migrations)
    return stepsBeforeServing(state, migrations)
  }
  const [next] = await lacking()
  const isNew = (await readSchemaState(database)) === null
  if (!isNew) database.schema?.fence(schemaOf(migrations))
  if (next !== undefined) {
    if (mode === 'manual' && !isNew) throw behind(next)
    const isDone = async () => (await lacking()).length === 0
    const wait = () => awaitSchemaLock(database, isDone)
    await withSchema(database, wait, (schema) => runSteps(schema, migrations, patienceMs))
  }
  if (isNew) database.schema?.fence(schemaOf(migrations))
}

/** Does work while no other process changes the schema; nothing if `take` gets no lock. */
export async function withSchema(
  database: Database,
  take: () => Promise<SchemaLock | null>,
  work: (schema: HeldSchema) => Promise<void>,
): Promise<void> {
  if (database.schema === undefined) throw new TypeError('The schema is changed through the database itself.')
  const connection = await database.schema.connect()
  try {
    await createStateTables(database, connection)
    const lock = await take()
    if (lock === null) return
    try {
      await work({ database, connection, lock })
    } finally {
      // The lock ends in any case. An earlier error, such as a full disk, is the one to report.
      await lock.release().catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable)) throw error
      })
    }
  } finally {
    await connection.close()
  }
}

async function runSteps(schema: HeldSchema, migrations: readonly Migration[], patienceMs: number): Promise<void> {
  const state = await readSchemaState(schema.database)
  if (state === null || state.steps.size === 0) return createAll(schema, migrations)
  for (const step of stepsBeforeServing(state, migrations)) {
    if (step.phase === 'backfill') await completeBackfill(step, schema, patienceMs)
    else await applyStatements(step, schema)
  }
}

/** An empty database has no older processes and no rows: it gets everything at once. */
async function createAll(schema: HeldSchema, migrations: readonly Migration[]): Promise<void> {
  for (const step of migrations) {
    if (step.phase === 'backfill') await patiently(step, () => markDone(step, schema))
    else await applyStatements(step, schema)
  }
  const [last] = migrations.slice(-1)
  if (last !== undefined) await patiently(last, () => raiseOldest(oldestAfter(migrations), schema))
}

/** The oldest schema whose code may still write once all of these are done. */
function oldestAfter(migrations: readonly Migration[]): number {
  return schemaOf(
    migrations.filter(
      (step) => step.phase === 'contract' || (step.phase === 'backfill' && isReliedOn(step, migrations)),
    ),
  )
}

/** Steps to take before a process of this version serves. */
function stepsBeforeServing(state: SchemaState | null, migrations: readonly Migration[]): (Expand | Backfill)[] {
  return migrations.filter((step): step is Expand | Backfill => {
    if (state?.steps.get(step.id)?.state === 'done' || step.phase === 'contract') return false
    return step.phase !== 'backfill' || isReliedOn(step, migrations)
  })
}

/**
 * Completes a backfill on which this version relies: shuts out the processes that do not know it, which may have added
 * rows that lack it, and then goes through all rows once more.
 */
async function completeBackfill(step: Backfill, schema: HeldSchema, patienceMs: number): Promise<void> {
  const number = numberOf(step)
  for (let waitedMs = 0; (await oldestLiving(schema.database)) < number; waitedMs += LOOK_EVERY_MS * 10) {
    if (waitedMs >= patienceMs) throw outlived(step)
    await delay(LOOK_EVERY_MS * 10)
  }
  await patiently(step, () => raiseOldest(number, schema))
  await fillAll(step, schema, { reached: 'done' })
}

function outlived({ id }: Migration): DatabaseBehind {
  return new DatabaseBehind(
    `Processes of a version that does not know migration "${id}" are still running, and this version relies on it. ` +
      'First replace them all by the version before this one, then start this one.',
  )
}

/** How long one action may be kept waiting by locks of others, in tries with a pause after each. */
const TRIES = 120
const PAUSE_MS = 500

/** Runs the statements of a step from where it was left. */
export async function applyStatements(step: Expand | Contract, schema: HeldSchema): Promise<void> {
  const { database, connection, lock } = schema
  const actions = actionsOf(step, database.engine)
  const state = await readSchemaState(database)
  const begin = () => connection.transaction([lock.guard, insertStep(step)])
  if (state?.steps.get(step.id) === undefined) await patiently(step, begin)
  const from = state?.steps.get(step.id)?.actions ?? 0
  for (const [at, action] of actions.entries()) {
    if (at < from) continue
    const mark = [lock.guard, markAction(step, at, at + 1 === actions.length)]
    await patiently(step, () => run(action, mark, connection))
  }
}

async function run(action: Action, mark: readonly Statement[], connection: SchemaConnection): Promise<void> {
  switch (action.kind) {
    case 'transaction':
      return connection.transaction([...action.sql.map((sql) => ({ sql, params: [] })), ...mark])
    case 'column':
      return connection.column(action, mark)
    case 'alone':
      await connection.index(action.index, action.sql)
      return connection.transaction(mark)
  }
}

/** A lock may also be the row that says who migrates: its holder renews its own right while it works. */
async function patiently({ id }: Migration, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof StatementTooLong || error instanceof DiskFull) {
        const next = 'What was done before it is kept; start again, and it goes on from there.'
        throw new DatabaseBehind(`Migration "${id}" was not completed. ${error.message} ${next}`, { cause: error })
      }
      if (!(error instanceof LockBusy)) throw error
      if (attempt >= TRIES) {
        const remedy =
          'Something holds a lock on its table: look for long transactions in pg_stat_activity, and start again.'
        throw new DatabaseBehind(`Migration "${id}" could not get its lock for a minute. ${remedy}`, { cause: error })
      }
      await delay(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}

const insertStep = ({ id }: Migration): Statement => ({
  sql: "INSERT INTO migrations (id, state, actions, filled) VALUES (?, 'running', 0, 0)",
  params: [id],
})

function markAction({ id }: Migration, at: number, isLast: boolean): Statement {
  const sql = 'UPDATE migrations SET actions = actions + 1, state = ? WHERE id = ? AND actions = ?'
  return { sql, params: [isLast ? 'done' : 'running', id, at], expect: 1 }
}

async function markDone({ id }: Migration, { connection, lock }: HeldSchema): Promise<void> {
  const sql = `INSERT INTO migrations (id, state, actions, filled) VALUES (?, 'done', 0, 0)
    ON CONFLICT (id) DO UPDATE SET state = 'done'`
  await connection.transaction([lock.guard, { sql, params: [id] }])
}

/** How long a command waits for a platform that is migrating, in milliseconds. Shorter in tests. */
const COMMAND_PATIENCE_MS = 2_000

/**
 * Checks that a database has what this version works with, without changing it: migrating a database in use is up to
 * the platform, and a command of another version must not do it.
 *
 * @param patienceMs How long to wait for a platform, or another command, that is migrating right now.
 * @throws {DatabaseEmpty} {DatabaseBehind} {DatabaseTooNew}
 */
export async function requireMigrated(
  database: Database,
  migrations: readonly Migration[],
  patienceMs: number = COMMAND_PATIENCE_MS,
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const state = await readSchemaState(database)
    refuseForeign(state, migrations)
    const [next] = stepsBeforeServing(state, migrations)
    if (next === undefined) break
    if (state === null || state.steps.size === 0) throw new DatabaseEmpty('The database is empty.')
    if (waitedMs >= patienceMs) throw behind(next)
    await delay(LOOK_EVERY_MS)
  }
  database.schema?.fence(schemaOf(migrations))
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
  const remedy =
    'Run "tillwright migrate" of this version, or start a platform of it without TILLWRIGHT_MIGRATE=manual.'
  return new DatabaseBehind(`The database lacks migration "${id}". ${remedy}`)
}

/** Newer expansions are no obstacle: code goes on with what it does not know, until a contraction or a completed backfill. */
function refuseForeign(state: SchemaState | null, migrations: readonly Migration[]): void {
  if (state === null) return
  const known = schemaOf(migrations)
  if (state.oldest === UNFINISHED) {
    throw new DatabaseTooNew(
      'A restore into this database was cut off, and it holds only a part: drop it, create it again, and restore once more.',
    )
  }
  if (state.oldest > known) {
    throw new DatabaseTooNew(
      `The database has been changed for schema ${state.oldest} and later, and this version knows schema ${known}: ` +
        'start the newer version, or restore a backup from before the change.',
    )
  }
  const ids = new Set(migrations.map(({ id }) => id))
  const other = [...state.steps.keys()].find((id) => numberOf({ id }) <= known && !ids.has(id))
  if (other === undefined) return
  throw new DatabaseTooNew(
    `The database has migration "${other}", which this version does not know: it belongs to another build.`,
  )
}

/**
 * Creates missing tables that are not part of the platform's own schema.
 *
 * @param statements `CREATE ... IF NOT EXISTS`, in migration syntax.
 */
export async function createTables(database: Database, statements: readonly string[]): Promise<void> {
  const transaction = statements.map((sql) => ({ sql: inWordsOf(database.engine, sql), params: [] }))
  const create = () => database.write(transaction)
  await create().catch(create) // another process may be creating them
}
