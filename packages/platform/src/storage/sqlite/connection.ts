import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row, Value } from '../database.ts'
import { EACH } from '../shared-statements.ts'

/** A connection that caches prepared statements. */
export interface Connection {
  readonly database: DatabaseSync
  /** Returns a statement's rows, empty if it returns none. */
  rows(sql: string, params: readonly Value[]): readonly Row[]
  /** Runs a statement that returns no rows, and returns the number of changed rows. */
  change(sql: string, params: readonly Value[]): number
}

/**
 * How the one connection that writes is set. In WAL mode a commit is one append and, with `synchronous = FULL`, one
 * fsync of the log. The log is checkpointed every 32 MB, rarely enough to go unnoticed, and then restarts; a longer log
 * is truncated afterwards. Deleted and replaced content is overwritten with zeros, also in pages that are free, so that
 * nothing of an erased person stays in the file.
 */
export const WRITER_SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = OFF;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 8192;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA secure_delete = ON;
`

/** Beyond this number the oldest statements are dropped. The platform has a few hundred. */
const MAX_PREPARED = 1_000

export function prepared(database: DatabaseSync): Connection {
  const statements = new Map<string, Prepared>()
  function statementOf(sql: string): Prepared {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const { text, order } = inWordsOfSqlite(sql)
    const statement = { run: database.prepare(text), order }
    if (statements.size === MAX_PREPARED) for (const oldest of statements.keys().take(1)) statements.delete(oldest)
    statements.set(sql, statement)
    return statement
  }
  return {
    database,
    // Never a blob or a bigint: no column holds a blob, and reading bigints is not enabled.
    rows: (sql, params) => {
      const { run, order } = statementOf(sql)
      return run.all(...bindable(params, order)) as Row[]
    },
    change: (sql, params) => {
      const { run, order } = statementOf(sql)
      return Number(run.run(...bindable(params, order)).changes)
    },
  }
}

/** `order`: the parameter that each `?` takes, where a statement over `{each}` takes them by number. */
interface Prepared {
  run: StatementSync
  order: readonly number[] | null
}

/**
 * There is only one writer, so `{writer}` is 0. SQLite plans by the value of a bare `LIMIT ?`, and prepares the statement
 * again each time that it is bound, which takes longer than most of them do; of a sum it does not look at the value.
 */
function inWordsOfSqlite(sql: string): { text: string; order: readonly number[] | null } {
  const text = sql
    .replaceAll('{items}', 'json_each(?) AS item')
    .replaceAll('{writer}', '0')
    .replaceAll('{kept}', '')
    .replaceAll('LIMIT ?', 'LIMIT ? + 0')
    .replaceAll('{now}', "CAST(unixepoch('subsec') * 1000 AS INTEGER)")
  if (!text.includes(EACH)) return { text, order: null }
  const order: number[] = []
  const plain = text.replaceAll(/item\.value ->> (\d+)/g, (_, at: string) => {
    order.push(Number(at))
    return '?'
  })
  // The row is the statement's parameters, and no table.
  return { text: plain.replace(`FROM ${EACH}`, ''), order }
}

/** Binds numbers as bigints: SQLite would store a JavaScript number as a float, and divide and print it as one. */
function bindable(params: readonly Value[], order: readonly number[] | null): readonly SQLInputValue[] {
  if (order !== null) return order.map((at) => bound(params[at] ?? null))
  return params.some((param) => typeof param === 'number') ? params.map(bound) : params
}

function bound(param: Value): SQLInputValue {
  return typeof param === 'number' ? BigInt(param) : param
}

/** SQLite result codes, see https://sqlite.org/rescode.html; the low byte of an extended code is its primary code. */
export const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_NOMEM = 7
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
export const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_PROTOCOL = 15
export const SQLITE_NOTADB = 26
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067

const UNAVAILABLE = [
  SQLITE_BUSY,
  SQLITE_LOCKED,
  SQLITE_NOMEM,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_CORRUPT,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
  SQLITE_PROTOCOL,
  SQLITE_NOTADB,
]

/** Whether the error concerns the file or the machine, rather than one statement. */
export function isUnavailable(error: unknown): boolean {
  return hasPrimaryCode(error, UNAVAILABLE)
}

export function isDuplicate(error: unknown): boolean {
  const code = extendedCode(error)
  return code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_PRIMARYKEY
}

export function hasPrimaryCode(error: unknown, codes: readonly number[]): boolean {
  const code = extendedCode(error)
  return code !== null && codes.includes(code & 0xff)
}

/** `null` if the error does not come from SQLite. */
function extendedCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
}
