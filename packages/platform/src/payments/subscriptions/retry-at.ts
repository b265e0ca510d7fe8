import { DAY_MS } from './add-intervals.ts'

/** From one declined try to the next: 1, 3, 5 and 7 days after the first one. */
const GAPS_DAYS = [1, 2, 2, 2] as const

/** How long after a fault, which says nothing of the card, the same is tried again. */
export const FAULT_RETRY_MS = 60 * 60 * 1_000

/**
 * When a renewal that was declined is tried again, in Unix milliseconds; `null` when that was the last time.
 *
 * @param triesBefore How many tries for the same period were declined before this one.
 */
export function retryAt(triesBefore: number, nowMs: number): number | null {
  const days = GAPS_DAYS[triesBefore]
  return days === undefined ? null : nowMs + days * DAY_MS
}
