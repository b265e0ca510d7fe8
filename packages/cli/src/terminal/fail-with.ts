import type { TillwrightError } from '@tillwright/client'
import type { PublishError, PublishErrorCode } from '@tillwright/plugin-publish'
import pc from 'picocolors'
import manifest from '../../package.json' with { type: 'json' }
import { printNotice } from './print.ts'

/** An error that ends a command. The message says what is wrong and how to fix it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly failure: Failure

  constructor(message: string, failure: Failure = 'failed') {
    super(message)
    this.failure = failure
  }
}

/**
 * Prints an error to the standard error and sets the exit code. Errors that only a developer of this tool can fix
 * include their stack.
 */
export function failWith(error: unknown): void {
  const { message, failure } = explain(error)
  printNotice(`${pc.red('error')} ${message}\n`)
  process.exitCode = exitCodes[failure]
}

/** The JSON document that is printed instead of an answer with --json. */
export function errorDocument(error: unknown): { error: { code: string; message: string } } {
  const { message, failure } = explain(error)
  if (isOfPublishing(error)) return { error: { code: error.code, message } }
  if (!isOfPlatform(error)) return { error: { code: failure, message } }
  const { code, param, declineCode, paymentId, requestId } = error
  const known = Object.entries({ param, declineCode, paymentId, requestId }).filter(([, value]) => value !== null)
  return { error: { code, message, ...Object.fromEntries(known) } }
}

function explain(error: unknown): { message: string; failure: Failure } {
  if (error instanceof CommandFailed) return error
  if (isForOperator(error)) return { message: error.message, failure: 'failed' }
  const full = outOfRoom(error)
  if (full !== null) return { message: full, failure: 'failed' }
  if (isOfFileSystem(error)) return { message: error.message, failure: 'failed' }
  const missing = partMissing(error)
  if (missing !== null) return { message: missing, failure: 'failed' }
  if (isOfPlatform(error)) return { message: platformMessage(error), failure: failureOf(error) }
  if (isOfPublishing(error)) return { message: error.message, failure: ofPublishing[error.code] }
  if (error instanceof Error && error.name === 'AbortError') return { message: 'Interrupted.', failure: 'interrupted' }
  return { message: String(error instanceof Error ? error.stack : error), failure: 'failed' }
}

/** Identified by a marker, because the platform is installed separately and has its own classes. */
function isForOperator(error: unknown): error is Error {
  return error instanceof Error && 'isForOperator' in error
}

/** Node names neither the file nor what to do. */
function outOfRoom(error: unknown): string | null {
  const { code, syscall } = Object(error)
  if (syscall !== 'write' || !/^(?:ENOSPC|EDQUOT|EFBIG)$/.test(String(code))) return null
  return `No room is left where this command writes (${code}): make some, or name another place, and run it again.`
}

/** Its message already names the operation and the file. */
function isOfFileSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error
}

/** Identified by name, because the client and the contract are loaded only by commands that use them. */
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

/** The exit code of a publisher's refusal, also where it is only foreseen. */
export function exitCodeOf({ code }: PublishError): number {
  return exitCodes[ofPublishing[code]]
}

function platformMessage(error: TillwrightError): string {
  const { param, issues, paymentId, requestId } = error
  const message = ownWords(error)
  // The first one is the message.
  const others = issues.slice(1).map(({ path, message: issue }) => `\n  ${path === '' ? '' : `${path}: `}${issue}`)
  const named = param === null || message.includes(param) ? message : `${param}: ${message}`
  const ids = { payment: paymentId, request: requestId }
  const found = Object.entries(ids).map(([what, id]) => (id === null ? '' : `\n  ${what} ${id}`))
  return [named, ...others, ...found].join('')
}

/** The client's message is for those who write programs; some of its errors are mended by other means here. */
function ownWords({ code, status, message, cause }: TillwrightError): string {
  if (code === 'network_failed' && /SELF_SIGNED|UNABLE_TO_/.test(String(Object(Object(cause).cause).code))) {
    return `${message} If its certificate is of an authority of your own, set NODE_EXTRA_CA_CERTS to the file of that.`
  }
  if (code !== 'response_invalid') return message
  if (status === 413) {
    return 'A proxy in front of the platform refuses a body of this size (status 413): its limit has to be 40 MB, as with "client_max_body_size 40m" in nginx.'
  }
  if (status !== null && status >= 300 && status < 400) {
    return `The platform's address leads to another one (status ${status}), where the key is not sent: pass that one as --url.`
  }
  return `The response (status ${status}) does not come from the platform: check its address (--url, or that of the login) and any proxy in between.`
}

function failureOf({ code, status }: TillwrightError): Failure {
  // One that is not the platform's says nothing of the key, whatever its status.
  const isAway = code === 'network_failed' || code === 'timed_out' || code === 'response_invalid'
  if (isAway || (status ?? 0) >= 500) return 'network'
  if (status === 401 || status === 403) return 'unauthorized'
  return status === 409 ? 'conflict' : 'failed'
}

/** The exit codes of `tillwright`, so that scripts can distinguish failures. 0 is success. */
export const exitCodes = {
  /** Any failure without a code of its own. */
  failed: 1,
  /** The command line is wrong: an unknown word, a missing option. */
  usage: 2,
  /** The plugin is invalid or exceeds its budget. */
  invalid: 3,
  /** No key, a wrong one, or one without permission. */
  unauthorized: 4,
  /** Something else has changed what the command was about to change. */
  conflict: 5,
  /** The platform could not be reached or did not respond in time. */
  network: 6,
  /** A confirmation is needed, but there is no terminal to ask on. */
  unconfirmed: 7,
  /** Ended by a signal. Source: POSIX shells, 128 + SIGINT. */
  interrupted: 130,
} as const

/** A reason to fail. */
type Failure = keyof typeof exitCodes

/** Packages that are installed separately by those who need them, and why commands need each. */
const parts = {
  '@tillwright/platform': 'requires the platform',
  '@tillwright/plugin-dev': 'requires the dev server',
} as const
type Part = keyof typeof parts

/** Packages that container images of the platform leave out: they serve developers, not production. */
const authorParts = ['esbuild', '@tillwright/bank-simulator']
const inNoImage =
  'This command is for developers, and what it needs is not in the container image: run it where the command line is installed with npm.'

/** The fix if a command needs the platform and only the command line is installed. */
export const platformMissing = sentence('@tillwright/platform')

/** The fix for an error about a missing package; `null` for any other error. */
export function partMissing(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return null
  const { message } = error
  if (authorParts.some((name) => message.includes(`'${name}'`))) return inNoImage
  const part = Object.keys(parts).find((name) => message.includes(`'${name}'`))
  return part === undefined ? null : sentence(part as Part) // one of the keys of this literal
}

function sentence(part: Part): string {
  return `This command ${parts[part]}, which is a separate package: install it with "npm install ${part}@${manifest.version}".`
}
