import pc from 'picocolors'

/** Errors that tell the user what to mend; any other is a bug and keeps its stack. */
const forUsers = new Set([
  'ConfigError',
  'DatabaseInUse',
  'UnsafeDatabase',
  'DatabaseTooNew',
  'WrongVaultKey',
  'DatabaseUnavailable',
  'CannotListen',
  'CommandFailed',
])

/** A command that cannot go on: what is wrong and what to do about it, in the message. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** Prints why a command failed and makes the process exit with 1. */
export function failWith(error: unknown): void {
  const known = error instanceof Error && forUsers.has(error.name)
  const text = known ? error.message : String(error instanceof Error ? error.stack : error)
  process.stderr.write(`${pc.red('error')} ${text}\n`)
  process.exitCode = 1
}
