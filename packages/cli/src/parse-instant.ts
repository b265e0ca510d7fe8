/**
 * A moment, as Unix time in milliseconds: `2030-01-31` is the beginning of that day in UTC; a time of day needs its
 * offset, `2030-01-31T12:00:00Z`. `null` for anything else. Source: ISO 8601, the extended format.
 */
export function parseInstant(text: string): number | null {
  const [, date] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  return date !== undefined && isDate(date) && !Number.isNaN(Date.parse(text)) ? Date.parse(text) : null
}

/** `Date` takes February 30 for March 2. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
