import type { Answer } from './egress.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The wait before each try of a delivery. Source: Standard Webhooks 1.0.0, "Deliverability and reliability". */
export const RETRY_WAITS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/** An endpoint that has not acknowledged anything for this long since its first failure is disabled. */
export const ENDPOINT_PATIENCE_MS = 5 * 24 * HOUR_MS

/** How far a wait may be from the schedule, either way, so that the retries of an outage do not come all at once. */
const JITTER = 0.2
/** The longest wait that a receiver can ask for. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS

/** What becomes of a delivery: `gone` gives up this one and disables its endpoint. */
export type Verdict =
  | { outcome: 'delivered' }
  | { outcome: 'retry'; atMs: number }
  | { outcome: 'failed' }
  | { outcome: 'gone' }

/**
 * Decides what follows from the answer to a try. Only 2xx acknowledges; a redirect is a failure.
 *
 * @param attempts How many tries there have been, this one included.
 * @param moment `random` in [0, 1) picks the jitter.
 */
export function afterAttempt(attempts: number, answer: Answer, moment: { nowMs: number; random: number }): Verdict {
  const status = 'status' in answer ? answer.status : null
  if (status !== null && status >= 200 && status < 300) return { outcome: 'delivered' }
  if (status === 410) return { outcome: 'gone' }
  const waitMs = RETRY_WAITS_MS[attempts]
  if (waitMs === undefined) return { outcome: 'failed' }
  const jitteredMs = Math.round(waitMs * (1 - JITTER + 2 * JITTER * moment.random))
  const askedMs = 'status' in answer ? retryAfterMs(answer.retryAfter, moment.nowMs) : 0
  return { outcome: 'retry', atMs: moment.nowMs + Math.max(jitteredMs, askedMs) }
}

/**
 * How long a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110, section 10.2.3). It can put a try
 * off, for at most a day, but not bring it forward: ten tries shall span days, whatever the receiver says.
 */
function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return 0
  const waitMs = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - nowMs
  return Number.isNaN(waitMs) ? 0 : Math.min(waitMs, RETRY_AFTER_MAX_MS)
}
