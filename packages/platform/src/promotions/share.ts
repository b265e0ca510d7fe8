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
