/**
 * What one or several promotions do to an order, before anything is rounded or bounded by what is left. Amounts stop at
 * 2^53 - 1: no order costs more, so a greater discount means the same, and sums stay exact in any order.
 */
export interface Impact {
  /** By line: the basis points off its price. */
  linePoints: readonly number[]
  /** By line: the amount off all its units. */
  lineAmounts: readonly number[]
  orderPoints: number
  orderAmount: number
  shippingPoints: number
  shippingAmount: number
  /** The value of the gifts in minor units, at least 1 a unit. */
  giftWorth: number
  /** By line: the days that cost nothing, of several trials the longest. */
  trialDays: readonly number[]
}

/** The impact of no promotion on an order of so many lines. */
export function noImpact(lines: number): Impact {
  return emptySum(lines)
}

/**
 * What impacts are together: percentages and amounts are added, so neither their order nor their grouping matters.
 *
 * @param lines How many lines to add up; 0 leaves them out where only the rest is wanted.
 */
export function sumImpacts(impacts: readonly Impact[], lines: number): Impact {
  const sum = emptySum(lines)
  for (const impact of impacts) add(impact, sum)
  return sum
}

/** An impact that is being added up. */
interface Sum extends Impact {
  linePoints: number[]
  lineAmounts: number[]
  trialDays: number[]
}

function emptySum(lines: number): Sum {
  const zeros = Array.from({ length: lines }, () => 0)
  return {
    linePoints: zeros,
    lineAmounts: [...zeros],
    orderPoints: 0,
    orderAmount: 0,
    shippingPoints: 0,
    shippingAmount: 0,
    giftWorth: 0,
    trialDays: [...zeros],
  }
}

function add(impact: Impact, sum: Sum): void {
  for (const line of sum.linePoints.keys()) {
    sum.linePoints[line] = (sum.linePoints[line] ?? 0) + (impact.linePoints[line] ?? 0)
    sum.lineAmounts[line] = addAmounts(sum.lineAmounts[line] ?? 0, impact.lineAmounts[line] ?? 0)
    sum.trialDays[line] = Math.max(sum.trialDays[line] ?? 0, impact.trialDays[line] ?? 0)
  }
  sum.orderPoints += impact.orderPoints
  sum.orderAmount = addAmounts(sum.orderAmount, impact.orderAmount)
  sum.shippingPoints += impact.shippingPoints
  sum.shippingAmount = addAmounts(sum.shippingAmount, impact.shippingAmount)
  sum.giftWorth = addAmounts(sum.giftWorth, impact.giftWorth)
}

function addAmounts(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER)
}
