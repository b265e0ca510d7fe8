import { parseInstant } from '../parse-instant.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * When a key expires, as Unix time in milliseconds: `90d` is so many days from now; `2030-01-31` is the beginning of that
 * day in UTC; a time of day needs its offset, `2030-01-31T12:00:00Z`. `null` for anything else.
 */
export function parseExpiry(text: string, nowMs: number): number | null {
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1]
  if (days !== undefined) return nowMs + Number(days) * DAY_MS
  return parseInstant(text)
}
