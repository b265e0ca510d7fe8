import { errorBody, type Operation } from '@tillwright/contract'
import { refuseOldKey } from './idempotency-key.ts'
import { TillwrightError } from './tillwright-error.ts'

/** Options of one call. */
export interface CallOptions {
  /**
   * Identifies the work, so that a call with the same key and input returns the first response instead of doing the
   * work twice: 1 to 255 visible ASCII characters, kept for 24 hours. After that the same key does the work again, so
   * for retries over days make it with `newIdempotencyKey`: then this client refuses to send it once it is too old
   * (`idempotency_key_expired`). A new key of that kind by default; ignored by reads.
   */
  idempotencyKey?: string
  /** Aborts the call at any point; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** The time limit of one attempt of this call; the client's by default. */
  timeoutMs?: number
}

/** Functions of the environment, which tests replace. */
export interface ClientEnvironment {
  fetch: (address: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** A number in [0, 1), used to spread retries. */
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
 * Sends a request until it gets a final response or the retries are used up.
 *
 * Retrying is safe for every operation: those that write have an `Idempotency-Key`, and the others only read.
 *
 * Where an attempt to write may have done its work, and later ones were turned away before the platform looked at that, the
 * error is that of the first: with a later one, such as 429, a caller would take a payment that was made for refused.
 *
 * @returns The body of the successful response.
 * @throws {TillwrightError} For any other outcome.
 */
export async function send(request: ApiRequest, options: CallOptions, settings: Settings): Promise<unknown> {
  const { signal } = options
  const key = request.idempotent ? checkedIdempotencyKey(options.idempotencyKey ?? settings.newKey()) : null
  const init: RequestInit = { method: request.method, headers: headers(request, key, settings), redirect: 'manual' }
  if (request.body !== null) init.body = request.body
  const terms = {
    fetch: settings.fetch,
    address: settings.baseUrl + request.path,
    init,
    signal,
    timeoutMs: checkedWhole('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1),
  }
  let open: TillwrightError | null = null
  for (let retries = 0; ; retries++) {
    if (key !== null) refuseOldKey(key, settings.now())
    const outcome: Outcome = await attempt(terms)
    if ('body' in outcome) return outcome.body
    const delayMs = retryDelayMs(outcome, retries, { random: settings.random(), nowMs: settings.now() })
    if (key !== null && mayHaveWorked(outcome.error)) open = outcome.error
    if (delayMs === null || retries >= settings.maxRetries) {
      throw open !== null && isTurnedAway(outcome.error) ? open : outcome.error
    }
    await settings.sleep(delayMs, signal)
  }
}

/** Whether nobody knows what became of an attempt. */
function mayHaveWorked({ status }: TillwrightError): boolean {
  return status === null || status >= 500
}

/** Whether a response says nothing of what an earlier attempt with the same key has done. */
function isTurnedAway({ status, code }: TillwrightError): boolean {
  if (code === 'idempotency_key_in_use' || code === 'response_invalid') return true
  return status === 401 || status === 403 || status === 429
}

export function headers(request: ApiRequest, key: string | null, settings: Settings): Record<string, string> {
  return {
    Accept: 'application/json',
    Authorization: `Bearer ${settings.apiKey}`,
    ...(request.body !== null && { 'Content-Type': 'application/json' }),
    ...(key !== null && { 'Idempotency-Key': key }),
  }
}

/** An invalid key would fail inside `fetch`, which looks like a network failure. */
function checkedIdempotencyKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  const message = '`idempotencyKey` must be 1 to 255 visible ASCII characters.'
  throw new TillwrightError('idempotency_key_invalid', message, { param: 'idempotencyKey' })
}

/**
 * Checks an option that is a whole number.
 *
 * @throws {TillwrightError} `options_invalid`, also for NaN, with which retries would never end.
 */
export function checkedWhole(param: string, value: unknown, least: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  throw new TillwrightError('options_invalid', `\`${param}\` must be a whole number of at least ${least}.`, { param })
}

/** A call of the API, before any attempt to send it. */
interface ApiRequest {
  method: Operation['method']
  /** Includes the query and the leading slash. */
  path: string
  /** JSON; `null` for an operation without a body. */
  body: string | null
  /** Whether the operation accepts an `Idempotency-Key`. */
  idempotent: boolean
}

/**
 * Distributes a flat input over the operation's path, query and body.
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
    query.append(name, queryText(value))
  }
  return {
    method: operation.method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    body: operation.body ? JSON.stringify(Object.fromEntries(rest)) : null,
    idempotent: operation.idempotent !== undefined,
  }
}

/** Several values of a filter stand with commas between. */
function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function take(values: Map<string, unknown>, name: string): unknown {
  const value = values.get(name)
  values.delete(name)
  return value
}

function pathSegment(param: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new TillwrightError('parameter_missing', `\`${param}\` must be a non-empty string.`, {
      param,
    })
  }
  // URL parsers resolve these even if they are percent-encoded.
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

/** A failed attempt, with the response's `Retry-After` header if it had one. */
export interface Failure {
  error: TillwrightError
  retryAfter: string | null
}

/** The result of one attempt: the body of a success, or the failure. */
type Outcome = { body: unknown } | Failure

/**
 * Sends a request once. The time limit includes the response's body.
 *
 * @throws The reason of the caller's signal, if it was aborted. Everything else is an outcome.
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
      ? new TillwrightError('timed_out', `${originOf(address)} did not answer within ${timeoutMs} ms.`, { cause })
      : unreachable(address, cause)
    return { error, retryAfter: null }
  }
}

/** No connection, or one that broke before the response was complete: to which address, and why. */
export function unreachable(address: string, cause: unknown): TillwrightError {
  const message = `${originOf(address)} could not be reached, or did not answer to the end: ${reasonOf(cause)}.`
  return new TillwrightError('network_failed', message, { cause })
}

/** Without the path, which may name a customer, and without a password. */
export function originOf(address: string): string {
  return URL.parse(address)?.origin ?? 'The platform'
}

const reasons: readonly (readonly [codes: RegExp, reason: string])[] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(ENOTFOUND|EAI_)/, 'DNS does not know its name'],
  [/TIMEDOUT|TIMEOUT/, 'no connection in time'],
  [/CERT|SIGNED|UNABLE_TO_|TLS|SSL/, 'TLS failed'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection broke'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'there is no way to it in the network'],
]

/** Of an error of `fetch`, whose reason is its cause; browsers give none. */
function reasonOf(error: unknown): string {
  const { cause = error } = Object(error)
  const { code, message } = Object(cause)
  const known = reasons.find(([codes]) => codes.test(String(code)))
  if (known !== undefined) return `${known[1]} (${code})`
  return String(code ?? message ?? cause)
}

export function readResponse(response: Response, text: string): Outcome {
  const { status } = response
  const body = parseJson(text)
  // A successful response is returned unchecked: validating it here would refuse additions of a newer platform.
  if (response.ok && body !== undefined) return { body }
  const retryAfter = response.headers.get('retry-after')
  const refusal = errorBody.safeParse(body)
  if (refusal.success) {
    const { error, issues } = refusal.data
    return { error: new TillwrightError(error.code, error.message, { ...error, issues, status }), retryAfter }
  }
  const redirects = status >= 300 && status < 400
  const message = redirects
    ? `The platform's address redirects (status ${status}). Redirects are not followed, because the key would be sent along: set \`baseUrl\` to the target address.`
    : `The response (status ${status}) does not come from the platform: check \`baseUrl\` and any proxy in between.`
  const requestId = response.headers.get('x-request-id')
  return { error: new TillwrightError('response_invalid', message, { status, requestId }), retryAfter }
}

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8_000
/** Whether to wait longer than this is for the caller to decide, so the error is thrown at once. */
const LONGEST_RETRY_AFTER_MS = 60_000

/**
 * How long to wait before a failed request is retried.
 *
 * @param retries The number of retries so far.
 * @param at `random` in [0, 1) shortens the wait by up to half, so that clients that failed together do not retry
 *   together; `nowMs` is the current time, for dates in `Retry-After`.
 * @returns Milliseconds, or `null` if a retry would not help or should wait for more than a minute. Source: RFC 9110,
 *   "Retry-After".
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

/** Parses whole seconds or an HTTP date; `null` for anything else. */
function retryAfterMs(text: string, nowMs: number): number | null {
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? null : Math.max(dateMs - nowMs, 0)
}

/** The value of a JSON text; `undefined`, which is not a JSON value, for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
