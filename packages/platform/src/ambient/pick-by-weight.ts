/**
 * Picks one of several by weight: 3 is picked three times as often as 1, 0 never; all zero counts as equal.
 *
 * @param draw A number in [0, 1).
 * @returns `null` when there is nothing to pick from.
 */
export function pickByWeight<Entry extends { weight: number }>(entries: readonly Entry[], draw: number): Entry | null {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0)
  const weightOf = (entry: Entry) => (total === 0 ? 1 : entry.weight)
  let remaining = draw * (total === 0 ? entries.length : total)
  let picked: Entry | null = null
  for (const entry of entries) {
    if (weightOf(entry) === 0) continue
    picked = entry // the last one stands where rounding leaves a remainder
    remaining -= weightOf(entry)
    if (remaining < 0) break
  }
  return picked
}
