import type { TillwrightError } from '@tillwright/client'
import type { PublishError, PublishErrorCode } from '@tillwright/plugin-publish'
import pc from 'picocolors'
import { partMissing } from './part-missing.ts'
import { exitCodes, type Failure } from './exit-codes.ts'

/** A command that cannot go on: what is wrong and what to do about it, in the message. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly failure: Failure

  constructor(message: string, failure: Failure = 'failed') {
    super(message)
    this.failure = failure
  }
}

/**
 * Tells why a command failed, on the standard error, and makes the process end with the failure's code. What nobody but
 * us can mend keeps its stack.
 */
export function failWith(error: unknown): void {
  const { message, failure } = explained(error)
  process.stderr.write(`${pc.red('error')} ${message}\n`)
  process.exitCode = exitCodes[failure]
}

/** What is printed instead of an answer where JSON is wanted. */
export function errorDocument(error: unknown): { error: { code: string; message: string; requestId?: string } } {
  const { message, failure } = explained(error)
  if (isOfPublishing(error)) return { error: { code: error.code, message } }
  if (!isOfPlatform(error)) return { error: { code: failure, message } }
  return { error: { code: error.code, message, ...(error.requestId !== null && { requestId: error.requestId }) } }
}

function explained(error: unknown): { message: string; failure: Failure } {
  if (error instanceof CommandFailed) return error
  if (isForOperator(error)) return { message: error.message, failure: 'failed' }
  if (isOfFileSystem(error)) return { message: error.message, failure: 'failed' }
  const missing = partMissing(error)
  if (missing !== null) return { message: missing, failure: 'failed' }
  if (isOfPlatform(error)) return { message: saidByPlatform(error), failure: failureOf(error) }
  if (isOfPublishing(error)) return { message: error.message, failure: ofPublishing[error.code] }
  if (error instanceof Error && error.name === 'AbortError') return { message: 'Interrupted.', failure: 'interrupted' }
  return { message: String(error instanceof Error ? error.stack : error), failure: 'failed' }
}

/** By its mark, since the platform is installed apart from us, with classes of its own. */
function isForOperator(error: unknown): error is Error {
  return error instanceof Error && 'isForOperator' in error
}

/** Its message names what was tried, and on which file. */
function isOfFileSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

/** By its name, since the client with the contract behind it is loaded by those commands alone that use it. */
function isOfPlatform(error: unknown): error is TillwrightError {
  return error instanceof Error && error.name === 'TillwrightError'
}

function isOfPublishing(error: unknown): error is PublishError {
  return error instanceof Error && error.name === 'PublishError'
}

const ofPublishing: Readonly<Record<PublishErrorCode, Failure>> = {
  moved: 'conflict',
  changed: 'conflict',
  taken: 'conflict',
  conflict: 'conflict',
  invalid: 'conflict',
  too_large: 'invalid',
}

function saidByPlatform({ message, param, issues, requestId }: TillwrightError): string {
  const others = issues.filter((issue) => issue.message !== message).map((issue) => `\n  ${issue.message}`)
  const named = param === null || message.includes(param) ? message : `${param}: ${message}`
  return [named, ...others, requestId === null ? '' : `\n  request ${requestId}`].join('')
}

function failureOf({ code, status }: TillwrightError): Failure {
  if (code === 'network_failed' || code === 'timed_out' || (status ?? 0) >= 500) return 'network'
  if (status === 401 || status === 403) return 'unauthorized'
  return status === 409 ? 'conflict' : 'failed'
}
