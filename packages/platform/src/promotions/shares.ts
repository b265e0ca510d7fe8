/** One hundred per cent in basis points. */
export const WHOLE = 10_000

/** A percentage of at most two decimals as whole basis points: 12.5 is 1250. */
export function basisPoints(percentage: number): number {
  return Math.round(percentage * 100)
}

/**
 * A share of an amount, rounded half up.
 *
 * @param amount Minor units, 0 to 2^53 - 1.
 * @param points Basis points; more than 10,000 counts as 10,000.
 */
export function shareOf(amount: number, points: number): number {
  const part = Math.min(points, WHOLE)
  const rest = amount % WHOLE
  // Taken apart so that no product leaves the whole numbers that a double holds.
  return ((amount - rest) / WHOLE) * part + Math.floor((rest * part + WHOLE / 2) / WHOLE)
}

/**
 * Spreads a whole number over parts in proportion to their weights, by largest remainder: the parts are whole, sum to
 * the total, and none is further than one from its exact share. Of equal remainders the earlier part gets the unit.
 *
 * @param weights Whole numbers, none negative; where all are 0 nothing can be spread and all parts are 0.
 */
export function spread(total: number, weights: readonly bigint[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n)
  if (sum === 0n) return weights.map(() => 0)
  // The product of two amounts does not fit a double.
  const exact = weights.map((weight) => BigInt(total) * weight)
  const parts = exact.map((share) => Number(share / sum))
  const missing = total - parts.reduce((all, part) => all + part, 0)
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % sum }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, missing)) parts[index] = (parts[index] ?? 0) + 1
  return parts
}
