/**
 * Whether a card has expired. It is good through the last day of its month, wherever on earth that day ends last
 * (UTC-12).
 *
 * @param nowMs Milliseconds since the Unix epoch.
 */
export function hasExpired({ expMonth, expYear }: { expMonth: number; expYear: number }, nowMs: number): boolean {
  return Date.UTC(expYear, expMonth, 1, 12) <= nowMs
}
