import { OperatorError } from '../../runtime/index.ts'
import { DatabaseUnavailable } from '../database.ts'
import type { DatabaseUrl } from './database-url.ts'

/**
 * How a failed statement affects its transaction. `transient`: a retry may succeed. `read-only`: this server takes no
 * writes, and another one may. `unavailable`: the server cannot serve now. `mistake`: the SQL is invalid.
 */
export type Failure = 'expectation' | 'duplicate' | 'transient' | 'read-only' | 'unavailable' | 'mistake'

/** PostgreSQL error codes; see its "Appendix A. PostgreSQL Error Codes". */
/** Of a guard that does not hold. */
export const DIVISION_BY_ZERO = '22012'
const UNIQUE_VIOLATION = '23505'
const READ_ONLY = '25006' // of a write: this server is a standby, or has been made read-only
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

/** @param guarded Whether the failed statement has a guard; a violated guard divides by zero. */
export function failureOf(error: Error, guarded: boolean): Failure {
  const code = serverCode(error)
  // All errors without a code of the server come from a lost connection.
  if (code === null) return 'unavailable'
  if (code === UNIQUE_VIOLATION) return 'duplicate'
  if (code === DIVISION_BY_ZERO && guarded) return 'expectation'
  if (code === READ_ONLY) return 'read-only'
  if (TRANSIENT.has(code)) return 'transient'
  return UNAVAILABLE_CLASSES.has(code.slice(0, 2)) ? 'unavailable' : 'mistake'
}

/**
 * Whether the server has cut off one statement, which took too long: that is no reason to give up what was sent with it, which
 * may be other accounts'.
 */
export function isCutOff(error: Error): boolean {
  return serverCode(error) === '57014'
}

/** @returns The code of an error that the server sent, otherwise `null`. */
export function serverCode(error: Error): string | null {
  return 'severity' in error && 'code' in error ? String(error.code) : null
}

/** Wraps any error as `DatabaseUnavailable`, keeping it as the cause. */
export function unavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  return new DatabaseUnavailable(`PostgreSQL cannot serve: ${reasonOf(error)}`, { cause: error })
}

/** Thrown when a step over a connection was not answered in time. The connection is broken off. */
export class MissedDeadline extends Error {
  override readonly name = 'MissedDeadline'
}

/** Thrown when a server's settings do not make commits durable, or a login to it would not be as safe as it must be. */
export class UnsafeDatabase extends OperatorError {
  override readonly name = 'UnsafeDatabase'
}

/** Thrown when a server that should take writes does not: a standby, a former primary, one that was made read-only. */
export class NotPrimary extends Error {
  override readonly name = 'NotPrimary'
}

/** A host that could not be used, and why. */
export interface HostFailure {
  host: string
  error: unknown
}

/** Merges the failures of all hosts into one error. */
export function unreachable(failures: readonly HostFailure[]): DatabaseUnavailable | UnsafeDatabase {
  const unsafe = failures.find(({ error }) => error instanceof UnsafeDatabase)
  if (unsafe?.error instanceof UnsafeDatabase) return unsafe.error
  const reasons = failures.map(({ host, error }) => `${host}: ${reasonOf(error)}`)
  return new DatabaseUnavailable(`PostgreSQL cannot serve: ${reasons.join('; ')}`, { cause: failures[0]?.error })
}

function reasonOf(error: unknown): string {
  // A host name with several addresses: its own message is empty.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** Remedies for a refused connection, by the code of the system or of the server. */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start the server, or correct host and port.',
  ENOTFOUND: 'Correct the host name, or the name server of this machine.',
  EAI_AGAIN: 'Correct the host name, or the name server of this machine.',
  '28P01': 'Correct user and password.',
  '28000': 'Allow this user to log in (ALTER ROLE ... LOGIN), and from this machine (pg_hba.conf).',
  '3D000': 'Create the database with `createdb`, or correct its name.',
  '53300': 'Raise max_connections, or put PgBouncer in front: a platform uses six connections.',
}
const OTHER_REMEDY = 'Check that it runs, takes connections from this machine, and is the one that is meant.'

/** Says at a start which setting led to which server, and what to do; the password appears nowhere. */
export function explainStart(error: unknown, { setting, place }: DatabaseUrl): OperatorError {
  if (error instanceof UnsafeDatabase) return new UnsafeDatabase(`${setting} (${place}): ${error.message}`)
  const cause = error instanceof Error ? error.cause : undefined
  const first = cause instanceof AggregateError ? cause.errors[0] : cause
  const code = first instanceof Error && 'code' in first ? String(first.code) : ''
  const remedy = cause instanceof NotPrimary ? 'Name the primary too, such as host1,host2.' : REMEDIES[code]
  const reason = reasonOf(error).replace(/^PostgreSQL cannot serve: /, '')
  return new DatabaseUnavailable(
    `${setting}: PostgreSQL cannot be used (${place}). ${reason.replace(/\.?$/, '.')} ${remedy ?? OTHER_REMEDY}`,
    { cause: error },
  )
}
