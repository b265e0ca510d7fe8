import { attempt, type Outcome } from './attempt.ts'
import type { ApiRequest } from './build-request.ts'
import { retryDelayMs } from './retry-delay.ts'
import { TillwrightError } from './tillwright-error.ts'

/** What one call may say for itself. */
export interface CallOptions {
  /**
   * Names the work, so that calling again with the same key and input gives the first answer instead of doing it twice:
   * 1 to 255 visible ASCII characters, kept for 24 hours. A new random one unless given; reads ignore it.
   */
  idempotencyKey?: string
  /** Ends the call, whatever it is waiting for; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** How long one attempt of this call may take; the client's own unless given. */
  timeoutMs?: number
}

/** What a client takes from the machine that it runs on. */
export interface Surroundings {
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

/** Whom to ask, how long, how often, and with what. */
export interface Settings extends Surroundings {
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
