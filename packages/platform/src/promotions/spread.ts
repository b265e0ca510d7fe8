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
