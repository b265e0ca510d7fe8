import type { Recurrence } from '@tillwright/contract'

/** A day of a calendar without summer time. */
export const DAY_MS = 24 * 60 * 60 * 1_000

/** How long one period is. */
export type PeriodLength = Pick<Recurrence, 'interval' | 'intervalCount'>

/**
 * The time a number of periods after another one, in UTC. Months and years keep the day of the month that was begun
 * with, and where a month is too short its last day is taken: 31 January, 28 February, 31 March.
 *
 * @param anchorMs Where it began, in Unix milliseconds.
 * @param periods How many, 0 or more.
 */
export function addIntervals(anchorMs: number, { interval, intervalCount }: PeriodLength, periods: number): number {
  const count = intervalCount * periods
  switch (interval) {
    case 'day':
      return anchorMs + count * DAY_MS
    case 'week':
      return anchorMs + count * 7 * DAY_MS
    case 'month':
      return addMonths(anchorMs, count)
    case 'year':
      return addMonths(anchorMs, count * 12)
  }
}

function addMonths(anchorMs: number, months: number): number {
  const anchor = new Date(anchorMs)
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months]
  const daysOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(anchor.getUTCDate(), daysOfMonth)
  return Date.UTC(year, month, day) + (anchorMs % DAY_MS)
}
