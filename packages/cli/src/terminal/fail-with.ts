import type { TillwrightError } from '@tillwright/client'
import type { PublishError, PublishErrorCode } from '@tillwright/plugin-publish'
import pc from 'picocolors'
import manifest from '../../package.json' with { type: 'json' }

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

/** What a process of `tillwright` ends with, so that a script can tell one failure from another. 0 is success. */
export const exitCodes = {
  /** It did not work, for a reason that none of the others names. */
  failed: 1,
  /** The command line is wrong: an unknown word, a missing option. */
  usage: 2,
  /** The plugin is not valid, or exceeds a budget of its own. */
  invalid: 3,
  /** No key, a wrong one, or one that may not do this. */
  unauthorized: 4,
  /** Something else has changed what the command was about to change. */
  conflict: 5,
  /** The platform could not be reached, or did not answer in time. */
  network: 6,
  /** It wants a yes that nobody is there to give. */
  unconfirmed: 7,
  /** A signal ended it. Source: POSIX shells, 128 + SIGINT. */
  interrupted: 130,
} as const

/** A reason to fail. */
type Failure = keyof typeof exitCodes

/** Packages that are installed beside the command line by those who need them, and what commands do with each. */
const parts = {
  '@tillwright/platform': 'works with the platform itself',
  '@tillwright/plugin-dev': 'works with the dev server',
} as const
type Part = keyof typeof parts

/** What to do where a command needs the platform and only the command line is installed. */
export const platformMissing = sentence('@tillwright/platform')

/** What to do about an error that says that a part is not installed; `null` for any other error. */
export function partMissing(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return null
  const { message } = error
  const part = Object.keys(parts).find((name) => message.includes(`'${name}'`))
  return part === undefined ? null : sentence(part as Part) // one of the keys of this very literal
}

function sentence(part: Part): string {
  return `This command ${parts[part]}, which is a package of its own: install it beside this one with "npm install ${part}@${manifest.version}".`
}
