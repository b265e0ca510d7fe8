import { errorBody } from '@tillwright/contract'
import { parseJson } from './parse-json.ts'
import { TillwrightError } from './tillwright-error.ts'

/** What one attempt needs. */
export interface AttemptTerms {
  fetch: (address: string, init: RequestInit) => Promise<Response>
  address: string
  init: RequestInit
  timeoutMs: number
  /** The caller's own, beside the time limit. */
  signal: AbortSignal | undefined
}

/** A request that has no success to show, and what the answer's `Retry-After` said, if there was one. */
export interface Failure {
  error: TillwrightError
  retryAfter: string | null
}

/** How one attempt ended: the success's body, or the failure. */
export type Outcome = { body: unknown } | Failure

/**
 * Sends a request once. The time limit covers the answer's body too.
 *
 * @throws The reason of the caller's signal, when that ended it. Everything else is an outcome.
 */
export async function attempt({ fetch, address, init, timeoutMs, signal }: AttemptTerms): Promise<Outcome> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(address, { ...init, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    return read(response, await response.text())
  } catch (cause) {
    signal?.throwIfAborted()
    const error = timeout.aborted
      ? new TillwrightError('timed_out', `The platform did not answer within ${timeoutMs} ms.`, { cause })
      : new TillwrightError('network_failed', 'The platform could not be reached, or broke off its answer.', { cause })
    return { error, retryAfter: null }
  }
}

function read(response: Response, text: string): Outcome {
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
