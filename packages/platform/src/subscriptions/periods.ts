import type { Recurrence } from '@tillwright/contract'

/** A day of a calendar without summer time. */
export const DAY_MS = 24 * 60 * 60 * 1_000

/** How long one period is. */
type PeriodLength = Pick<Recurrence, 'interval' | 'intervalCount'>

/**
 * The time a number of periods after another one, in UTC. Months and years keep the day of the month that was begun
 * with, and where a month is too short its last day is taken: 31 January, 28 February, 31 March.
 *
 * @param anchorMs Where it began, in Unix milliseconds.
 * @param periods How many, 0 or more.
 */
function addIntervals(anchorMs: number, { interval, intervalCount }: PeriodLength, periods: number): number {
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

/** The days that a period has at least. */
export function leastDays({ interval, intervalCount }: PeriodLength): number {
  return intervalCount * { day: 1, week: 7, month: 28, year: 365 }[interval]
}

/** For how long time has stood still in a period of a subscription. */
export interface Pause {
  /** The number of the period. */
  period: number
  ms: number
}

/** The terms that determine a subscription's periods. */
export interface PeriodTerms extends PeriodLength {
  /** When it began, in Unix milliseconds. */
  startMs: number
  trialDays: number
  /** At most one a period. */
  pauses?: readonly Pause[]
}

/** From when to when, in Unix milliseconds; the end is the beginning of the next one. */
export interface Period {
  startMs: number
  endMs: number
}

/**
 * A period of a subscription by its number. A free trial is number 0; all others are reckoned from the end of the trial,
 * or from the beginning where there is none, so that a short month shortens no later one. A pause makes its period longer
 * and all others later.
 */
export function periodOf(terms: PeriodTerms, number: number): Period {
  const { startMs, endMs } = unpausedPeriod(terms, number)
  const pausedMs = (isBefore: (pause: Pause) => boolean) =>
    (terms.pauses ?? []).filter(isBefore).reduce((sum, { ms }) => sum + ms, 0)
  return {
    startMs: startMs + pausedMs(({ period }) => period < number),
    endMs: endMs + pausedMs(({ period }) => period <= number),
  }
}

function unpausedPeriod(terms: PeriodTerms, number: number): Period {
  const { startMs, trialDays } = terms
  const anchorMs = startMs + trialDays * DAY_MS
  const paidBefore = number - firstPaidPeriod(terms)
  if (paidBefore < 0) return { startMs, endMs: anchorMs }
  return { startMs: addIntervals(anchorMs, terms, paidBefore), endMs: addIntervals(anchorMs, terms, paidBefore + 1) }
}

/** The pauses of a subscription with one more in a period, as long as `ms`. */
export function withPause(pauses: readonly Pause[], { period, ms }: Pause): Pause[] {
  const before = pauses.find((pause) => pause.period === period)?.ms ?? 0
  return [...pauses.filter((pause) => pause.period !== period), { period, ms: before + ms }]
}

/** The number of the first period that costs something. */
export function firstPaidPeriod({ trialDays }: Pick<PeriodTerms, 'trialDays'>): number {
  return trialDays > 0 ? 1 : 0
}

/** How long after a fault, which says nothing of the card, the same is tried again. */
export const FAULT_RETRY_MS = 60 * 60 * 1_000

/**
 * How many days after a declined renewal it is tried again; `null` when that was the last time.
 *
 * @param triesBefore How many tries for the same period were declined before this one.
 */
export function retryAfterDays({ retryDays }: { retryDays: readonly number[] }, triesBefore: number): number | null {
  return retryDays[triesBefore] ?? null
}
