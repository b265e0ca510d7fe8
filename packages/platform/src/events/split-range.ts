import { COUNT_SPANS_MS } from './count-events.ts'

/** A stretch of time in milliseconds: `from` inclusive, `to` exclusive, and empty when they are the same. */
export interface Stretch {
  fromMs: number
  toMs: number
}

/** What lies before something and what lies behind it. */
export type BothEnds = readonly [Stretch, Stretch]

/** A stretch of time in the pieces that its events are counted by. */
export interface SplitRange {
  /** Whole spans, one pair for each of `COUNT_SPANS_MS`: those that stand at either end of the next longer ones. */
  spans: readonly BothEnds[]
  /** What is less than the shortest span. */
  rests: BothEnds
}

/** Splits a stretch into as long spans as fit into it, shorter ones beside them, and what is left at both ends. */
export function splitRange(stretch: Stretch): SplitRange {
  const ends: BothEnds[] = []
  let whole = stretch
  for (const spanMs of COUNT_SPANS_MS) {
    const split = splitBy(spanMs, whole)
    ends.push(split.ends)
    whole = split.whole
  }
  // What lies at the ends of the whole hours is no whole hour; at the ends of the whole days lie hours, and so on.
  const [rests = NOTHING, ...shorter] = ends
  return { spans: [...shorter, [whole, emptyAt(whole.toMs)]], rests }
}

/** The whole spans of a stretch and what lies at both ends of them. Without a whole span all of it lies before. */
function splitBy(spanMs: number, { fromMs, toMs }: Stretch): { whole: Stretch; ends: BothEnds } {
  const firstMs = Math.ceil(fromMs / spanMs) * spanMs
  const lastMs = Math.floor(toMs / spanMs) * spanMs
  if (firstMs >= lastMs) return { whole: emptyAt(toMs), ends: [{ fromMs, toMs }, emptyAt(toMs)] }
  return {
    whole: { fromMs: firstMs, toMs: lastMs },
    ends: [
      { fromMs, toMs: firstMs },
      { fromMs: lastMs, toMs },
    ],
  }
}

const NOTHING: BothEnds = [emptyAt(0), emptyAt(0)]

function emptyAt(ms: number): Stretch {
  return { fromMs: ms, toMs: ms }
}
