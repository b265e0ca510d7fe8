/** An answer as it came over the wire. */
export interface Answer {
  status: number
  body: string
  headers: Headers
}

/** A request that writes. */
export interface Posted {
  apiKey: string
  body: string
  idempotencyKey?: string
  /** Further ones. */
  headers?: Readonly<Record<string, string>>
}

/** Nothing takes this long unless it hangs. */
const HANGING_MS = 15_000

/**
 * Posts JSON.
 *
 * @returns `null` when the connection was refused or broke before the whole answer was there.
 * @throws When there is no answer within 15 s: nothing may hang.
 */
export async function post(
  url: string,
  { apiKey, body, idempotencyKey, headers: more }: Posted,
): Promise<Answer | null> {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...more,
  }
  return answered(fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(HANGING_MS) }))
}

/** Reads; otherwise as `post`. */
export async function get(url: string, apiKey: string): Promise<Answer | null> {
  const headers = { Authorization: `Bearer ${apiKey}` }
  return answered(fetch(url, { headers, signal: AbortSignal.timeout(HANGING_MS) }))
}

async function answered(request: Promise<Response>): Promise<Answer | null> {
  try {
    const response = await request
    return { status: response.status, headers: response.headers, body: await response.text() }
  } catch (error) {
    if (error instanceof TypeError) return null // how `fetch` reports every failure of the network
    throw error
  }
}

/** Any other answer is asked for again, as the platform's own client does. */
export function isFinal({ status, body }: Answer): boolean {
  return status < 500 && status !== 429 && !(status === 409 && body.includes('idempotency_key_in_use'))
}

/** A request and its answer in a few words, for messages. */
export function described(what: string, { status, body }: Answer): string {
  const [, code = ''] = /"code":"(\w+)"/.exec(body) ?? []
  return [what, status, code].filter(Boolean).join(' ')
}

/** The payment that an error names. */
export function paymentIdIn({ body }: Answer): string | null {
  const { error }: { error?: { paymentId?: string } } = JSON.parse(body)
  return error?.paymentId ?? null
}
