/** SQLite's result codes, see https://sqlite.org/rescode.html; the low byte of an extended code is its primary code. */
export const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_NOMEM = 7
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_PROTOCOL = 15
const SQLITE_NOTADB = 26
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

/** Whether it is the file or the machine that failed, rather than one statement. */
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

/** `null` for an error that does not come from SQLite. */
function extendedCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null
}
