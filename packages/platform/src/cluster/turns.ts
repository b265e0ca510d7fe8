import { OperatorError } from '../runtime/index.ts'
import type { Database, Row } from '../storage/index.ts'
import { accountsDue, type DueRows } from './fair-work.ts'

/** Rows of many accounts that become due and are not claimed: of two that work on one, a guard of the second's writes says so. */
export interface Unclaimed<R extends { account_id: string; id: string }> {
  due: Omit<DueRows, 'freed'>
  read: (rows: readonly Row[]) => readonly R[]
  work: (row: R) => Promise<void>
  /** A failure with one row, such as an unreadable one, does not hold up the others. */
  failed: (error: unknown, row: R) => void
}

/** How many accounts are worked for at once. */
const AT_ONCE = 8
/** How many rows an account gets done in a turn. */
const OF_EACH = 10
/** How many accounts have turns in one go; those behind them come next. */
const ACCOUNTS_MAX = 10_000

/**
 * Works on all that is due, of accounts in turn: the first row of one does not wait for the last of another.
 *
 * @param options `signal`: aborted when what is left is to wait.
 */
export async function workInTurns<R extends { account_id: string; id: string }>(
  { due, read, work, failed }: Unclaimed<R>,
  { db, nowMs, signal }: { db: Database; nowMs: number; signal: AbortSignal },
): Promise<void> {
  const params = due.params(nowMs)
  const next = (await accountsDue(due, { behind: '', nowMs, limit: ACCOUNTS_MAX }, db)).map((id) => ({
    id,
    before: '',
  }))
  async function takeTurns(): Promise<void> {
    for (let turn = next.shift(); turn !== undefined && !signal.aborted; turn = next.shift()) {
      const rows = read(await db.read(selectDue(due), [turn.id, ...params, OF_EACH]))
      const these = rows.map(({ id }) => id).join(' ')
      // What is still there could not be brought to its end, and is tried again the next time.
      if (these === turn.before) continue
      for (const row of rows) await tryTo(row)
      if (rows.length === OF_EACH) next.push({ id: turn.id, before: these })
    }
  }
  async function tryTo(row: R): Promise<void> {
    try {
      await work(row)
    } catch (error) {
      if (error instanceof OperatorError) throw error
      failed(error, row)
    }
  }
  const turns = Array.from({ length: AT_ONCE }, takeTurns)
  await Promise.allSettled(turns)
  await Promise.all(turns)
}

const selectDue = ({ table, among, isDue, orderBy, columns }: Unclaimed<never>['due']): string =>
  `SELECT ${columns} FROM ${table} WHERE account_id = ? AND ${among} AND ${isDue} ORDER BY ${orderBy} LIMIT ?`
