import type { Environment } from '../environment.ts'
import { TillwrightError, type TillwrightErrorDetails } from '../tillwright-error.ts'

const FIRST_DELAY_MS = 500
/** With the pauses between them, a quarter of a minute. */
const TRIES_MAX = 6
/** Long enough for a payment that waits for a processor. */
const TIMEOUT_MS = 60_000

/** A request, which may be sent several times. */
export interface ApiRequest {
  method: string
  url: string
  /** A session's token or a publishable key. */
  bearer?: string
  body?: unknown
  /** The `Idempotency-Key`, which makes retries safe; a new one by default. */
  key?: string
  /** Whether it is sent even if the page unloads. */
  keepalive?: boolean
  /** Called if there was no response, before the next attempt. */
  onSilence?: (error: TillwrightError) => void
}

/** The fields of the platform's errors that are used here. */
interface Refusal {
  error?: TillwrightErrorDetails & { code: string; message: string }
}

/**
 * Sends a request until it has a final response: it is retried if the platform is unreachable, overloaded or still
 * processing it.
 *
 * @returns The body of the successful response.
 * @throws {TillwrightError} For any other response, and if there is none.
 */
export async function send(
  { method, url, bearer, body, key, keepalive = false, onSilence }: ApiRequest,
  env: Pick<Environment, 'fetch' | 'sleep' | 'newKey'>,
): Promise<unknown> {
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': key ?? env.newKey(),
    ...(bearer && { Authorization: `Bearer ${bearer}` }),
  }
  for (let tries = 1; ; tries += 1) {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const init = { method, headers, signal, keepalive, body: JSON.stringify(body) } // `undefined` for requests without a body
    const response = await env.fetch(url, init).catch(() => null)
    const answer: unknown = await response?.json().catch(() => null)
    if (response?.ok && answer) return answer
    const error = refusal(response?.status ?? null, answer ?? {})
    if (tries === TRIES_MAX || !isPassing(error)) throw error
    if (!response) onSilence?.(error)
    await env.sleep(FIRST_DELAY_MS * 2 ** (tries - 1))
  }
}

function refusal(status: number | null, { error }: Refusal): TillwrightError {
  const code = status === null ? 'network_failed' : (error?.code ?? 'response_invalid')
  return new TillwrightError(code, error?.message ?? 'The platform did not respond.', {
    ...error,
    status,
  })
}

function isPassing({ status, code }: TillwrightError): boolean {
  return status === null || status >= 500 || status === 429 || code === 'idempotency_key_in_use'
}

/** A request of a page: method, and path below `/api/session/v1`. A test checks these against the contract. */
export type SessionRequest =
  | 'POST /sessions'
  | 'POST /sessions/redeem'
  | 'GET /session'
  | 'POST /session/hand-over'
  | 'POST /session/order/confirm'
  | 'PUT /session/order/lines'
  | 'PUT /session/order/shipping'
  | 'POST /session/promotion-codes'
  | `DELETE /session/promotion-codes?code=${string}`
  | 'PUT /session/contact'
  | 'PUT /session/address'
  | 'POST /payment-methods'
  | 'GET /session/payment-methods'
  | 'POST /session/pay'
  | `POST /session/payments/${string}/continue`
  | 'POST /session/next'
  | 'POST /session/go-to'
  | 'POST /session/events'
