import { type Database, int, nullable, rowReader, type Value } from '../storage/index.ts'

/** Where counts of what waits stop: to count it all would take from the work. */
export const BACKLOG_MAX = 10_000

/** Work that waits: how much, at most `BACKLOG_MAX`, and since when the oldest of it has; `null` for nothing. */
export interface Backlog {
  waiting: number
  sinceMs: number | null
}

/** @param waiting A query for what waits, of one column: `since`, in Unix milliseconds. */
export async function backlogOf(waiting: string, params: readonly Value[], db: Database): Promise<Backlog> {
  const sql = `SELECT count(*) AS waiting, min(since) AS since FROM (${waiting} LIMIT ?) AS counted`
  const [row] = readBacklog(await db.read(sql, [...params, BACKLOG_MAX]))
  return { waiting: row?.waiting ?? 0, sinceMs: row?.since ?? null }
}

const readBacklog = rowReader({ waiting: int, since: nullable(int) })
