import { DatabaseUnavailable } from '../database.ts'

/**
 * What a failed statement means for what it belongs to. `transient`: the same again may succeed. `unavailable`: the
 * server cannot serve now. `mistake`: the SQL is wrong.
 */
export type Failure = 'expectation' | 'duplicate' | 'transient' | 'unavailable' | 'mistake'

/** PostgreSQL's error codes, see its "Appendix A. PostgreSQL Error Codes". */
const DIVISION_BY_ZERO = '22012'
const UNIQUE_VIOLATION = '23505'
const READ_ONLY = '25006' // of a write: this server is a standby
const TRANSIENT = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available: how a deadlock ends here, long before the server looks for one
  '26000', // no such prepared statement: the next try prepares it
  '0A000', // "cached plan must not change result type", after a migration: likewise
])
const UNAVAILABLE_CLASSES = new Set([
  '08', // connection
  '53', // resources: full disk, memory, too many connections
  '57', // intervention: shutdown, start-up, time-out
  '58', // input and output
])

/** @param guarded Whether the statement that failed carries a guard: a broken one divides by zero. */
export function failureOf(error: Error, guarded: boolean): Failure {
  // Only the server's errors carry its codes; all others come from a lost connection.
  const code = 'severity' in error && 'code' in error ? String(error.code) : null
  if (code === null) return 'unavailable'
  if (code === UNIQUE_VIOLATION) return 'duplicate'
  if (code === DIVISION_BY_ZERO && guarded) return 'expectation'
  if (TRANSIENT.has(code)) return 'transient'
  return code === READ_ONLY || UNAVAILABLE_CLASSES.has(code.slice(0, 2)) ? 'unavailable' : 'mistake'
}

/** Says of any error that the database cannot serve, and keeps it as the cause. */
export function unavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseUnavailable(`PostgreSQL cannot serve: ${reason}`, { cause: error })
}
