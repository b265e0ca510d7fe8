import type { Failure } from './attempt.ts'

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
