const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * When a key expires, as Unix time in milliseconds: `90d` is so many days from now; `2030-01-31` is the beginning of that
 * day in UTC; a time of day needs its offset, `2030-01-31T12:00:00Z`. `null` for anything else.
 */
export function parseExpiry(text: string, nowMs: number): number | null {
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1]
  if (days !== undefined) return nowMs + Number(days) * DAY_MS
  const [, date] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  return date !== undefined && isDate(date) && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : null
}

/** `Date` takes February 30 for March 2. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
