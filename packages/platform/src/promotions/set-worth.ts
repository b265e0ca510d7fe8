import { linesWorth, withLines, type Benefit, type LinesWorth } from './benefit.ts'
import type { Cart } from './candidate.ts'
import type { Effects } from './effects.ts'
import { sumImpacts, type Impact } from './impact.ts'

/** A promotion that may be in a set. */
export interface Member {
  /** Its place in the order of rank. */
  rank: number
  effects: Effects
  /** A power of two of its own if it acts on lines, else 0: the sum over a set names those who do. */
  lineKey: number
}

/** The powers of two whose sums a double tells apart. */
const MEMBERS_MAX = 53

/**
 * Gives promotions their places and their keys.
 *
 * @param ranked In the order of their rank.
 * @throws {RangeError} For more than 53: an order considers fewer.
 */
export function toMembers(ranked: readonly Effects[]): Member[] {
  if (ranked.length > MEMBERS_MAX) throw new RangeError(`An order can consider ${MEMBERS_MAX} promotions at most.`)
  return ranked.map((effects, rank) => ({ rank, effects, lineKey: actsOnLines(effects.impact) ? 2 ** rank : 0 }))
}

/**
 * Tells what sets of promotions are worth for one order. The lines are what takes time, and most sets differ in what
 * they do to the rest: so the lines are reckoned once for each choice of those who act on them.
 */
export function setWorth(cart: Cart): (set: readonly Member[]) => Benefit {
  const known = new Map<number, LinesWorth>()
  const ofLines = (set: readonly Member[]): LinesWorth => {
    const key = set.reduce((sum, { lineKey }) => sum + lineKey, 0)
    const found = known.get(key)
    if (found !== undefined) return found
    const acting = set.filter(({ lineKey }) => lineKey > 0)
    const worth = linesWorth(sumImpacts(acting.map(impactOf), cart.lines.length), cart)
    known.set(key, worth)
    return worth
  }
  return (set) => withLines(ofLines(set), sumImpacts(set.map(impactOf), 0), cart.shippingAmount)
}

function impactOf({ effects }: Member): Impact {
  return effects.impact
}

function actsOnLines({ linePoints, lineAmounts, trialDays }: Impact): boolean {
  return [linePoints, lineAmounts, trialDays].some((lines) => lines.some((number) => number > 0))
}
