import { addIntervals, DAY_MS, type PeriodLength } from './add-intervals.ts'

/** What the periods of a subscription follow from. */
export interface PeriodTerms extends PeriodLength {
  /** When it began, in Unix milliseconds. */
  startMs: number
  trialDays: number
}

/** From when to when, in Unix milliseconds; the end is the beginning of the next one. */
export interface Period {
  startMs: number
  endMs: number
}

/**
 * A period of a subscription by its number. A free trial is number 0; all others are reckoned from the end of the trial,
 * or from the beginning where there is none, so that a short month shortens no later one.
 */
export function periodOf(terms: PeriodTerms, number: number): Period {
  const { startMs, trialDays } = terms
  const anchorMs = startMs + trialDays * DAY_MS
  const paidBefore = number - firstPaidPeriod(terms)
  if (paidBefore < 0) return { startMs, endMs: anchorMs }
  return { startMs: addIntervals(anchorMs, terms, paidBefore), endMs: addIntervals(anchorMs, terms, paidBefore + 1) }
}

/** The number of the first period that costs something. */
export function firstPaidPeriod({ trialDays }: Pick<PeriodTerms, 'trialDays'>): number {
  return trialDays > 0 ? 1 : 0
}
