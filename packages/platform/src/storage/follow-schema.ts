import { failuresOf } from '../runtime/index.ts'
import { fillAll } from './backfill.ts'
import { type Database, DatabaseFenced } from './database.ts'
import { applyStatements, withSchema } from './migrate.ts'
import { type Backfill, type Contract, type Migration, numberOf, schemaOf } from './migration.ts'
import {
  type HeldSchema,
  oldestLiving,
  raiseOldest,
  readSchemaState,
  type SchemaState,
  takeSchemaLock,
} from './schema-state.ts'

/** Log of the work on the schema. */
export interface SchemaLog {
  info(facts: object, message: string): void
  error(facts: object, message: string): void
  fatal(facts: object, message: string): void
}

/** How the schema is looked after while a platform serves. */
export interface FollowOptions {
  /** `manual`: only watches for the moment in which this process is shut out. */
  mode: 'auto' | 'manual'
  /** For how long no older process must have been seen before something is taken away: the time to go back. */
  contractAfterMs: number
  log: SchemaLog
  everyMs?: number
}

const EVERY_MS = 5_000
/** The share of the time that a backfill takes from the database while others are served. */
const SHARE = 0.3

/**
 * Completes what a newer version has begun with the schema, while the platform serves: fills rows in small batches, and
 * takes away what no living process uses any more. One process at a time does it, and another goes on when it dies. In an
 * embedded database, taking away is left to the next start.
 *
 * @returns Stops it, after the batch that it is at.
 */
export function followSchema(
  database: Database,
  migrations: readonly Migration[],
  { mode, contractAfterMs, log, everyMs = EVERY_MS }: FollowOptions,
): () => Promise<void> {
  const stopping = new AbortController()
  const message = 'the work on the schema was cut off, and goes on later'
  const { onError, onOver } = failuresOf(log, { worker: 'schema', message })
  let wasFenced = false
  async function look(): Promise<void> {
    const state = await readSchemaState(database)
    if (state === null) return
    if (state.oldest > schemaOf(migrations)) {
      if (!wasFenced)
        log.fatal(
          { schema: schemaOf(migrations), needed: state.oldest },
          new DatabaseFenced(schemaOf(migrations)).message,
        )
      wasFenced = true
      return
    }
    if (mode === 'auto')
      await workOnSchema(database, migrations, {
        contractAfterMs,
        log,
        signal: stopping.signal,
        share: SHARE,
        isServing: true,
      })
  }
  let isLooking: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  function again(): void {
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      isLooking = look().then(onOver, onError).then(again)
    }, everyMs)
    timer.unref()
  }
  again()
  return async () => {
    stopping.abort()
    clearTimeout(timer)
    await isLooking
  }
}

/** Limits of the work on the schema. */
export interface SchemaWork {
  contractAfterMs: number
  log: SchemaLog
  signal?: AbortSignal
  /** The share of the time that a backfill takes from the database; all of it unless given. */
  share?: number
  /** Only this; both unless given. */
  phase?: 'backfill' | 'contract'
  /** While a platform serves from it, nothing is taken away in an embedded database: its tables would be locked. */
  isServing?: boolean
}

/** Does everything that can be done now to complete the schema, unless another process is at it. */
export async function workOnSchema(
  database: Database,
  migrations: readonly Migration[],
  work: SchemaWork,
): Promise<void> {
  const found = async () =>
    pending(await readSchemaState(database), migrations).filter(
      ({ phase }) => work.phase === undefined || phase === work.phase,
    )
  if ((await found()).length === 0) return
  await withSchema(
    database,
    () => takeSchemaLock(database),
    async (schema) => {
      for (const step of await found()) {
        if (work.signal?.aborted === true) return
        if (step.phase === 'backfill') await backfill(step, schema, work)
        else if (!(await contract(step, schema, work))) return // whatever follows waits for it
      }
    },
  )
}

function pending(state: SchemaState | null, migrations: readonly Migration[]): (Backfill | Contract)[] {
  return migrations.filter((step): step is Backfill | Contract => {
    const reached = state?.steps.get(step.id)?.state
    return step.phase === 'backfill'
      ? reached !== 'filled' && reached !== 'done'
      : step.phase === 'contract' && reached !== 'done'
  })
}

async function backfill(step: Backfill, schema: HeldSchema, { log, signal, share }: SchemaWork): Promise<void> {
  log.info({ migration: step.id }, 'filling rows')
  await fillAll(step, schema, { reached: 'filled', ...(signal && { signal }), ...(share !== undefined && { share }) })
  const reached = (await readSchemaState(schema.database))?.steps.get(step.id)
  log.info(
    { migration: step.id, rows: reached?.rows },
    reached?.state === 'filled' ? 'rows are filled' : 'filling is paused',
  )
}

/** @returns Whether it was done. */
async function contract(step: Contract, schema: HeldSchema, work: SchemaWork): Promise<boolean> {
  const { database, connection, lock } = schema
  const { contractAfterMs, log, isServing = false } = work
  const isFree = (await oldestLiving(database)) >= numberOf(step)
  const known = (await readSchemaState(database))?.steps.get(step.id)
  const freeSince = isFree ? (known?.freeSince ?? Date.now()) : null
  if (known === undefined || known.freeSince !== freeSince) {
    const note = `INSERT INTO migrations (id, state, actions, filled, free_since) VALUES (?, 'running', 0, 0, ?)
      ON CONFLICT (id) DO UPDATE SET free_since = excluded.free_since`
    await connection.transaction([lock.guard, { sql: note, params: [step.id, freeSince] }])
  }
  if (freeSince === null || Date.now() - freeSince < contractAfterMs) return false
  if (isServing && database.engine === 'sqlite') return false
  await raiseOldest(numberOf(step), schema)
  await applyStatements(step, schema)
  log.info({ migration: step.id }, 'the schema is rid of what no version uses any more')
  return true
}
