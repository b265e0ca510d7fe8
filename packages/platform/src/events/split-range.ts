import { COUNT_SPANS_MS } from './count-events.ts'

/** A stretch of time in milliseconds: `from` inclusive, `to` exclusive, and empty when they are the same. */
export interface Stretch {
  fromMs: number
  toMs: number
}

/** A stretch of time in the pieces that its events are counted by. */
export interface SplitRange {
  /** Whole days. */
  days: Stretch
  /** Whole hours, before the days and after them. */
  hours: readonly [Stretch, Stretch]
  /** Less than an hour, at the beginning and at the end. */
  rests: readonly [Stretch, Stretch]
}

/** Splits a stretch into whole days, the whole hours beside them and what is left at both ends. */
export function splitRange(stretch: Stretch): SplitRange {
  const [restBefore, wholeHours, restAfter] = splitBy(COUNT_SPANS_MS.hour, stretch)
  const [hoursBefore, days, hoursAfter] = splitBy(COUNT_SPANS_MS.day, wholeHours)
  return { days, hours: [hoursBefore, hoursAfter], rests: [restBefore, restAfter] }
}

/** What lies before the whole spans, the whole spans, and what lies behind them. Without a whole span all lies before. */
function splitBy(spanMs: number, { fromMs, toMs }: Stretch): [Stretch, Stretch, Stretch] {
  const firstMs = Math.ceil(fromMs / spanMs) * spanMs
  const lastMs = Math.floor(toMs / spanMs) * spanMs
  const empty = { fromMs: toMs, toMs }
  if (firstMs >= lastMs) return [{ fromMs, toMs }, empty, empty]
  return [
    { fromMs, toMs: firstMs },
    { fromMs: firstMs, toMs: lastMs },
    { fromMs: lastMs, toMs },
  ]
}
