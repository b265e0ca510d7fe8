import { errorBody, type Operation } from '@tillwright/contract'
import { TillwrightError } from './tillwright-error.ts'

/** Options of one call. */
export interface CallOptions {
  /**
   * Names the work, so that calling again with the same key and input gives the first answer instead of doing it twice:
   * 1 to 255 visible ASCII characters, kept for 24 hours. A new random one by default; reads ignore it.
   */
  idempotencyKey?: string
  /** Ends the call, whatever it is waiting for; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** The time limit of one attempt of this call; that of the client by default. */
  timeoutMs?: number
}

/** Functions of the machine, which tests replace. */
export interface ClientEnvironment {
  fetch: (address: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** A number in [0, 1), which spreads retries. */
  random: () => number
  /** A new `Idempotency-Key`. */
  newKey: () => string
  /** Resolves after the time, or as soon as the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** The settings of a client. */
export interface Settings extends ClientEnvironment {
  apiKey: string
  baseUrl: string
  timeoutMs: number
  maxRetries: number
}

/**
 * Sends a request until it has an answer that a retry would not change, or the retries are used up.
 *
 * A repetition is safe for every operation: those that write carry an `Idempotency-Key`, and the rest only read.
 *
 * @returns The body of the success.
 * @throws {TillwrightError} For any other outcome.
 */
export async function send(request: ApiRequest, options: CallOptions, settings: Settings): Promise<unknown> {
  const { signal } = options
  const init: RequestInit = { method: request.method, headers: headers(request, options, settings), redirect: 'manual' }
  if (request.body !== null) init.body = request.body
  const terms = {
    fetch: settings.fetch,
    address: settings.baseUrl + request.path,
    init,
    signal,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs,
  }
  for (let retries = 0; ; retries++) {
    const outcome: Outcome = await attempt(terms)
    if ('body' in outcome) return outcome.body
    const delayMs = retryDelayMs(outcome, retries, { random: settings.random(), nowMs: settings.now() })
    if (delayMs === null || retries >= settings.maxRetries) throw outcome.error
    await settings.sleep(delayMs, signal)
  }
}

function headers(request: ApiRequest, options: CallOptions, settings: Settings): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: `Bearer ${settings.apiKey}`,
    ...(request.body !== null && { 'Content-Type': 'application/json' }),
    ...(request.idempotent && {
      'Idempotency-Key': checkedIdempotencyKey(options.idempotencyKey ?? settings.newKey()),
    }),
  }
}

/** Another key would fail inside `fetch`, which looks like a network that is down. */
function checkedIdempotencyKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  const message = '`idempotencyKey` must be 1 to 255 visible ASCII characters.'
  throw new TillwrightError('idempotency_key_invalid', message, { param: 'idempotencyKey' })
}

/** One call of the API, before any attempt to send it. */
interface ApiRequest {
  method: Operation['method']
  /** With the query, from the leading slash on. */
  path: string
  /** JSON; `null` for an operation without a body. */
  body: string | null
  /** Whether the operation honours an `Idempotency-Key`. */
  idempotent: boolean
}

/**
 * Distributes one flat input over the operation's path, query and body.
 *
 * @throws {TillwrightError} `parameter_missing` or `parameter_invalid` for a path parameter that is missing or would
 *   change the path, such as "..".
 */
export function buildRequest(operation: Operation, input: object): ApiRequest {
  const rest = new Map<string, unknown>(Object.entries(input))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, take(rest, name)))
  const query = new URLSearchParams()
  for (const name of Object.keys(operation.query?.shape ?? {})) {
    const value = take(rest, name)
    if (value === undefined || value === null) continue
    query.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return {
    method: operation.method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    body: operation.body ? JSON.stringify(Object.fromEntries(rest)) : null,
    idempotent: operation.idempotent !== undefined,
  }
}

function take(values: Map<string, unknown>, name: string): unknown {
  const value = values.get(name)
  values.delete(name)
  return value
}

function pathSegment(param: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new TillwrightError('parameter_missing', `\`${param}\` must be given as a string that is not empty.`, {
      param,
    })
  }
  // URL parsers resolve these even when they are percent-encoded.
  if (value === '.' || value === '..') {
    throw new TillwrightError('parameter_invalid', `\`${param}\` cannot be "${value}".`, { param })
  }
  return encodeURIComponent(value)
}

/** Options of `attempt`. */
export interface AttemptOptions {
  fetch: (address: string, init: RequestInit) => Promise<Response>
  address: string
  init: RequestInit
  timeoutMs: number
  /** The caller's signal, in addition to the time limit. */
  signal: AbortSignal | undefined
}

/** A failed attempt, with the answer's `Retry-After` header if it had one. */
interface Failure {
  error: TillwrightError
  retryAfter: string | null
}

/** The result of one attempt: the body of a success, or the failure. */
type Outcome = { body: unknown } | Failure

/**
 * Sends a request once. The time limit covers the answer's body too.
 *
 * @throws The reason of the caller's signal, when that ended it. Everything else is an outcome.
 */
async function attempt({ fetch, address, init, timeoutMs, signal }: AttemptOptions): Promise<Outcome> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(address, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    return readResponse(response, await response.text())
  } catch (cause) {
    signal?.throwIfAborted()
    const error = timeout.aborted
      ? new TillwrightError('timed_out', `The platform did not answer within ${timeoutMs} ms.`, { cause })
      : new TillwrightError('network_failed', 'The platform could not be reached, or broke off its answer.', { cause })
    return { error, retryAfter: null }
  }
}

function readResponse(response: Response, text: string): Outcome {
  const { status } = response
  const body = parseJson(text)
  // A success is handed on as it came: checking it here would refuse what a newer platform adds.
  if (response.ok && body !== undefined) return { body }
  const retryAfter = response.headers.get('retry-after')
  const refusal = errorBody.safeParse(body)
  if (refusal.success) {
    const { error, issues } = refusal.data
    return { error: new TillwrightError(error.code, error.message, { ...error, issues, status }), retryAfter }
  }
  const redirects = status >= 300 && status < 400
  const message = redirects
    ? `The platform's address redirects (status ${status}), which is not followed because the key would be sent along: give \`baseUrl\` the address that it leads to.`
    : `The answer (status ${status}) is not one of the platform's: check \`baseUrl\` and what stands between.`
  const requestId = response.headers.get('x-request-id')
  return { error: new TillwrightError('response_invalid', message, { status, requestId }), retryAfter }
}

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8_000
/** A longer wait than this is the caller's to decide on, so the error is handed over at once. */
const LONGEST_RETRY_AFTER_MS = 60_000

/**
 * How long to wait before a failed request is sent again.
 *
 * @param retries How many repetitions there were already.
 * @param at `random` in [0, 1) shortens the wait by up to half, so that clients which failed together do not come back
 *   together; `nowMs` is what a date in `Retry-After` is counted from.
 * @returns Milliseconds, or `null` when a retry would not change the answer or is not wanted for more than a minute.
 *   Source: RFC 9110, "Retry-After".
 */
export function retryDelayMs(failure: Failure, retries: number, at: { random: number; nowMs: number }): number | null {
  if (!isPassing(failure)) return null
  const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** retries, LONGEST_DELAY_MS) * (1 - at.random / 2)
  const askedMs = failure.retryAfter === null ? null : retryAfterMs(failure.retryAfter, at.nowMs)
  if (askedMs === null) return backoffMs
  return askedMs > LONGEST_RETRY_AFTER_MS ? null : Math.max(askedMs, backoffMs)
}

function isPassing({ error }: Failure): boolean {
  if (error.status === null) return error.code === 'network_failed' || error.code === 'timed_out'
  return error.status >= 500 || error.status === 429 || error.code === 'idempotency_key_in_use'
}

/** Whole seconds or an HTTP date; `null` for anything else. */
function retryAfterMs(text: string, nowMs: number): number | null {
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? null : Math.max(dateMs - nowMs, 0)
}

/** The value of a JSON text; `undefined`, which no JSON value is, for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
