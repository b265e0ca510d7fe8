import { OperatorError } from '@tillwright/platform'
import pc from 'picocolors'

/** A command that cannot go on: what is wrong and what to do about it, in the message. */
export class CommandFailed extends OperatorError {
  override readonly name = 'CommandFailed'
}

/** Prints why a command failed and makes the process exit with 1. What nobody but us can mend keeps its stack. */
export function failWith(error: unknown): void {
  const known = error instanceof OperatorError
  const text = known ? error.message : String(error instanceof Error ? error.stack : error)
  process.stderr.write(`${pc.red('error')} ${text}\n`)
  process.exitCode = 1
}
