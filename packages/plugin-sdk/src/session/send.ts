import type { Surroundings } from '../page/surroundings.ts'
import { TillwrightError, type TillwrightErrorDetails } from '../tillwright-error.ts'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8_000
/** With the delays between them, half a minute. */
const TRIES_MAX = 6
/** Long enough for a payment that waits for a processor. */
const TIMEOUT_MS = 60_000

/** One request, which may be sent several times. */
export interface ApiRequest {
  method: string
  url: string
  /** A session's token or a publishable key. */
  bearer?: string
  body?: unknown
  /** The `Idempotency-Key`, which makes a repetition safe. */
  key?: string
  /** Called when nobody has answered, before the next try. */
  onSilence?: (error: TillwrightError) => void
}

/**
 * Sends a request until somebody answers for good: what is not reached, overloaded or still at work is asked again.
 *
 * @returns The body of the success.
 * @throws {TillwrightError} For any other answer, and when there is none.
 */
export async function send(request: ApiRequest, around: Pick<Surroundings, 'fetch' | 'sleep'>): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(request, around)
    if (!(outcome instanceof TillwrightError)) return outcome.body
    if (tries === TRIES_MAX || !isPassing(outcome)) throw outcome
    if (outcome.status === null) request.onSilence?.(outcome)
    await around.sleep(Math.min(FIRST_DELAY_MS * 2 ** (tries - 1), LONGEST_DELAY_MS))
  }
}

async function attempt(
  request: ApiRequest,
  around: Pick<Surroundings, 'fetch'>,
): Promise<{ body: unknown } | TillwrightError> {
  let response: Response
  let text: string
  try {
    response = await around.fetch(request.url, initOf(request))
    text = await response.text()
  } catch (cause) {
    return new TillwrightError('network_failed', 'The platform could not be reached; try again.', { cause })
  }
  const body = parse(text)
  if (response.ok && body) return { body }
  return refusal(response.status, body)
}

/** The init of a request's fetch. */
export function initOf({ method, bearer, body, key }: ApiRequest): RequestInit {
  return {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(key && { 'Idempotency-Key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }
}

function refusal(status: number, body: Record<string, unknown> | null): TillwrightError {
  const { code, message, ...details } = Object(body?.['error']) as TillwrightErrorDetails & Record<string, unknown>
  return typeof code === 'string'
    ? new TillwrightError(code, String(message), { ...details, status })
    : new TillwrightError('response_invalid', `The answer (status ${status}) is not the platform’s.`, { status })
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return Object(JSON.parse(text))
  } catch {
    return null
  }
}

function isPassing({ status, code }: TillwrightError): boolean {
  return status === null || status >= 500 || status === 429 || code === 'idempotency_key_in_use'
}
