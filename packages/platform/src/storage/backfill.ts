import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Row, Statement, Value } from './database.ts'
import type { Backfill } from './migration.ts'
import { type HeldSchema, readSchemaState, type StepState } from './schema-state.ts'

/**
 * Rows of the first batch; later ones are as many as fit into the time. Fewer would not help: what takes long then is the
 * disk or the way to it, which each batch pays once.
 */
const MIN_ROWS = 500
const MAX_ROWS = 10_000
/** A batch locks its rows for about this long, in milliseconds. */
const BATCH_MS = 40

/** How a backfill goes through its table. */
export interface Filling {
  /**
   * The state that it has at the end. For `done` it begins at the first row, because older processes may have added
   * rows behind an earlier pass.
   */
  reached: 'filled' | 'done'
  signal?: AbortSignal
  /** The share of the time that goes into batches; the rest is left to others. All of it unless given. */
  share?: number
}

/**
 * Goes through all rows of a backfill's table, from where it was left, in batches that are short transactions of their
 * own. Each batch commits together with how far it came, and only while this process holds the right to migrate.
 */
export async function fillAll(
  step: Backfill,
  { database, lock }: Pick<HeldSchema, 'database' | 'lock'>,
  { reached, signal, share = 1 }: Filling,
): Promise<void> {
  const state = await begin(step, reached, { database, lock })
  let cursor: readonly Value[] | null = state.cursor === null ? null : JSON.parse(state.cursor)
  let rows = MIN_ROWS
  while (signal?.aborted !== true) {
    const begun = performance.now()
    const last = await lastKey(step, cursor, { database, rows })
    if (last === null) break
    await commit(database, [lock.guard, fill(step, cursor, last.key), advance(step, cursor, last)])
    cursor = last.key
    const tookMs = performance.now() - begun
    rows = Math.max(MIN_ROWS, Math.min(MAX_ROWS, Math.round(rows * Math.min(4, Math.max(0.25, BATCH_MS / tookMs)))))
    if (share < 1) await delay(tookMs * (1 / share - 1), undefined, { signal }).catch(() => {})
  }
  if (signal?.aborted === true) return
  const end = 'UPDATE migrations SET state = ?, position = NULL WHERE id = ?'
  await commit(database, [lock.guard, { sql: end, params: [reached, step.id] }])
}

/** The pass under the fence is another one than the pass before it, and each resumes where it was cut off. */
async function begin(
  { id }: Backfill,
  reached: Filling['reached'],
  { database, lock }: Pick<HeldSchema, 'database' | 'lock'>,
): Promise<Pick<StepState, 'cursor'>> {
  const known = (await readSchemaState(database))?.steps.get(id)
  const pass = reached === 'done' ? 2 : 1
  if (known?.actions === pass) return known
  const sql = `INSERT INTO migrations (id, state, actions, filled) VALUES (?, 'running', ?, 0)
    ON CONFLICT (id) DO UPDATE SET actions = excluded.actions, position = NULL`
  await commit(database, [lock.guard, { sql, params: [id, pass] }])
  return { cursor: null }
}

/** The key of the last row of the next batch; `null` at the end of the table. */
async function lastKey(
  { table, key }: Backfill,
  after: readonly Value[] | null,
  { database, rows }: { database: Database; rows: number },
): Promise<LastRow | null> {
  const columns = key.join(', ')
  const descending = key.map((column) => `${column} DESC`).join(', ')
  const sql = `SELECT ${columns}, count(*) OVER () AS batch_rows FROM (
      SELECT ${columns} FROM ${table} ${after === null ? '' : `WHERE ${rowBeyond(key, '>')}`} ORDER BY ${columns} LIMIT ?
    ) AS batch ORDER BY ${descending} LIMIT 1`
  const [row]: readonly Row[] = await database.read(sql, [...(after ?? []), rows])
  return row === undefined ? null : { key: key.map((column) => row[column] ?? null), rows: Number(row['batch_rows']) }
}

interface LastRow {
  key: readonly Value[]
  /** How many rows the batch has. */
  rows: number
}

function fill({ table, key, set, where }: Backfill, after: readonly Value[] | null, last: readonly Value[]): Statement {
  const from = after === null ? '' : `AND ${rowBeyond(key, '>')}`
  const sql = `UPDATE ${table} SET ${set} WHERE ${rowBeyond(key, '<=')} ${from} AND (${where})`
  return { sql, params: [...last, ...(after ?? [])] }
}

const rowBeyond = (key: readonly string[], operator: string) =>
  `(${key.join(', ')}) ${operator} (${key.map(() => '?').join(', ')})`

function advance({ id }: Backfill, after: readonly Value[] | null, { key, rows }: LastRow): Statement {
  const at = after === null ? 'position IS NULL' : 'position = ?'
  const sql = `UPDATE migrations SET position = ?, filled = filled + ? WHERE id = ? AND ${at}`
  const params = [JSON.stringify(key), rows, id, ...(after === null ? [] : [JSON.stringify(after)])]
  return { sql, params, expect: 1 }
}

async function commit(database: Database, transaction: readonly Statement[]): Promise<void> {
  const outcome = await database.write(transaction)
  if (outcome.outcome === 'committed') return
  throw new Error('Another process has taken over the migration.')
}
