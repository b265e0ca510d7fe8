import type { Clock, Failures } from '../runtime/index.ts'
import { startWorker } from '../runtime/index.ts'
import { type Database, nullable, pick, rowReader, type Statement, text } from '../storage/index.ts'
import { type KeyRing, readDataKeys } from './key-ring.ts'
import type { Ring } from './key-provider.ts'
import type { SealedColumn } from './sealed-column.ts'
import { resealsTable } from './tables.ts'

/** How often a process looks for rows to seal again. */
const LOOK_EVERY_MS = 5_000
/** A pass begins this long after its key is in use, when no process seals with the key before any more. */
const SETTLED_AFTER_MS = 10_000
/** Rows of one batch, which is one transaction. */
const BATCH = 200
/**
 * How long a data key is kept after all rows have left it: longer than any token that it has signed, any stored answer
 * that it has sealed, and any process that has slept.
 */
export const KEPT_FOR_MS = 8 * 24 * 60 * 60 * 1_000

interface Resealing {
  db: Database
  clock: Clock
  rings: readonly KeyRing[]
  columns: readonly SealedColumn[]
}

/**
 * Starts the worker that seals rows again after a data key was replaced. Progress is a cursor per column in the
 * database, moved on in the transaction that writes the rows: a process that is killed loses nothing, and of two that
 * take the same batch one is refused and goes on behind it.
 *
 * @returns Stops the worker.
 */
export function startResealing(resealing: Resealing & Failures): () => Promise<void> {
  const { clock, onError, onOver } = resealing
  return startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    onError,
    onOver,
    look: (stopping) => resealAll(resealing, stopping),
  })
}

/** One look at everything. */
export async function resealAll({ db, clock, rings, columns }: Resealing, stopping?: AbortSignal): Promise<void> {
  for (const ring of rings) {
    const versions = (await readDataKeys({ db, ring: ring.ring })).filter(({ state }) => state !== 'destroyed')
    const newest = versions.at(-1)
    const former = versions.filter(({ version }) => version > 0 && version !== newest?.version)
    if (newest === undefined || former.length === 0) continue
    if (clock.now() < newest.active_at + SETTLED_AFTER_MS) continue
    await ring.refresh()
    const nowMs = clock.now()
    const isLast = former.every(({ retired_at: at }) => at !== null && at + KEPT_FOR_MS <= nowMs)
    const goal: Goal = { ring, version: newest.version, pass: isLast ? 2 : 1 }
    for (const column of columns.filter((each) => each.ring === ring.ring)) {
      await resealColumn(column, goal, { db, clock, stopping })
      if (stopping?.aborted === true) return
    }
    await db.write(isLast ? destroy(ring.ring, newest.version) : [retire(ring.ring, newest.version, nowMs)])
  }
}

interface Goal {
  ring: KeyRing
  version: number
  /** The second pass, long after the first, finds what a process has sealed that had slept through the change. */
  pass: 1 | 2
}

type Work = Pick<Resealing, 'db' | 'clock'> & { stopping: AbortSignal | undefined }

async function resealColumn(column: SealedColumn, goal: Goal, work: Work): Promise<void> {
  const place = placeOf(column)
  for (;;) {
    if (work.stopping?.aborted === true) return
    const progress = await readProgress(column, work.db)
    if (progress === undefined || progress.version !== goal.version || progress.pass !== goal.pass) {
      await work.db.write([begin(goal, place)])
      continue
    }
    if (progress.done_at !== null) return
    await resealBatch(column, goal, { ...work, progress })
  }
}

type Progress = NonNullable<Awaited<ReturnType<typeof readProgress>>>

async function resealBatch(
  column: SealedColumn,
  { ring, version }: Goal,
  { db, clock, progress }: Work & { progress: Progress },
): Promise<void> {
  const { table, column: name } = column
  const after = [progress.account_cursor, progress.id_cursor]
  const rows = readSealed(await db.read(selectBatch(column), after))
  const writes: Statement[] = []
  for (const { account, id, sealed } of rows) {
    if (sealed === null || sealed === '') continue
    const fresh = column.reseal(sealed, { accountId: account, id }, ring.box)
    if (fresh === sealed) continue
    writes.push(
      column.keyedBy === 'id'
        ? { sql: `UPDATE ${table} SET ${name} = ? WHERE id = ? AND ${name} = ?`, params: [fresh, id, sealed] }
        : {
            sql: `UPDATE ${table} SET ${name} = ? WHERE account_id = ? AND id = ? AND ${name} = ?`,
            params: [fresh, account, id, sealed],
          },
    )
  }
  const last = rows.at(-1)
  const doneAt = rows.length < BATCH ? clock.now() : null
  const next = last === undefined ? after : [last.account, last.id]
  const moved = {
    sql: `UPDATE reseals SET account_cursor = ?, id_cursor = ?, resealed = resealed + ?, done_at = ?
      WHERE ring = ? AND place = ? AND version = ? AND account_cursor = ? AND id_cursor = ? AND done_at IS NULL`,
    params: [...next, writes.length, doneAt, ring.ring, placeOf(column), version, ...after],
    expect: 1,
  }
  await db.write([...writes, moved]) // refused: another process has done this batch
}

function selectBatch({ table, column, keyedBy }: SealedColumn): string {
  const account = keyedBy === 'id' ? `''` : 'account_id'
  const after = keyedBy === 'id' ? `? = '' AND id > ?` : '(account_id, id) > (?, ?)'
  const order = keyedBy === 'id' ? 'id' : 'account_id, id'
  return `SELECT ${account} AS account, id, ${column} AS sealed FROM ${table} WHERE ${after} ORDER BY ${order} LIMIT ${BATCH}`
}

const readSealed = rowReader({ account: text, id: text, sealed: nullable(text) })

/** The column's name in the table of progress. */
export function placeOf({ table, column }: Pick<SealedColumn, 'table' | 'column'>): string {
  return `${table}.${column}`
}

async function readProgress(column: SealedColumn, db: Database) {
  const sql = `SELECT version, pass, account_cursor, id_cursor, resealed, done_at FROM reseals
    WHERE ring = ? AND place = ?`
  return readProgressRows(await db.read(sql, [column.ring, placeOf(column)]))[0]
}

const readProgressRows = rowReader(
  pick(resealsTable, 'version', 'pass', 'account_cursor', 'id_cursor', 'resealed', 'done_at'),
)

function begin({ ring, version, pass }: Goal, place: string): Statement {
  return {
    sql: `INSERT INTO reseals (ring, place, version, pass, account_cursor, id_cursor, resealed)
      VALUES (?, ?, ?, ?, '', '', 0) ON CONFLICT (ring, place) DO UPDATE SET
        version = excluded.version, pass = excluded.pass, account_cursor = '', id_cursor = '', done_at = NULL,
        resealed = CASE WHEN reseals.version = excluded.version THEN reseals.resealed ELSE 0 END
      WHERE reseals.version < excluded.version
        OR (reseals.version = excluded.version AND reseals.pass < excluded.pass)`,
    params: [ring.ring, place, version, pass],
  }
}

function retire(ring: Ring, version: number, nowMs: number): Statement {
  return {
    sql: `UPDATE data_keys SET state = 'retired', retired_at = ?
      WHERE ring = ? AND version > 0 AND version < ? AND state = 'live'`,
    params: [nowMs, ring, version],
  }
}

/** The former keys are gone: what a copy of the database holds of them, its master key still opens. */
function destroy(ring: Ring, version: number): Statement[] {
  return [
    {
      sql: `UPDATE data_keys SET state = 'destroyed' WHERE ring = ? AND version > 0 AND version < ?`,
      params: [ring, version],
    },
    {
      sql: 'DELETE FROM data_key_wraps WHERE ring = ? AND version > 0 AND version < ?',
      params: [ring, version],
    },
  ]
}
