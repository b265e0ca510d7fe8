import { compareBenefits, nothing, type Benefit } from './benefit.ts'
import type { Cart } from './candidate.ts'
import { compatibleSets } from './compatible-sets.ts'
import type { Effects } from './effects.ts'
import { setWorth, toMembers, type Member } from './set-worth.ts'

/**
 * Of all promotions that stand together, those with the greatest benefit, without any that adds nothing to it. Where
 * several sets are worth the same, the one whose first promotion ranks first has it, then the second, and so on.
 *
 * @param ranked The promotions that may apply, in the order of their rank; at most 53.
 */
export function pickSet(ranked: readonly Effects[], cart: Cart): readonly Effects[] {
  const worth = setWorth(cart)
  let best: { set: readonly Member[]; benefit: Benefit } = { set: [], benefit: nothing }
  for (const set of compatibleSets(toMembers(ranked), ({ effects }) => effects.candidate.promotion)) {
    const benefit = worth(set)
    const order = compareBenefits(benefit, best.benefit)
    if (order < 0) continue
    const needed = withoutIdle(set, benefit, worth)
    if (order > 0 || ranksBefore(needed, best.set)) best = { set: needed, benefit }
  }
  return best.set.map(({ effects }) => effects)
}

/** Drops whoever adds nothing, beginning with the last in rank: a use of it would be spent for nothing. */
function withoutIdle(
  set: readonly Member[],
  benefit: Benefit,
  worth: (set: readonly Member[]) => Benefit,
): readonly Member[] {
  const sorted = set.toSorted((a, b) => a.rank - b.rank)
  return sorted.reduceRight<readonly Member[]>((kept, member) => {
    const others = kept.filter((other) => other !== member)
    return compareBenefits(worth(others), benefit) === 0 ? others : kept
  }, sorted)
}

function ranksBefore(a: readonly Member[], b: readonly Member[]): boolean {
  for (const [index, { rank }] of a.entries()) {
    const other = b[index]
    if (other === undefined) return false
    if (other.rank !== rank) return rank < other.rank
  }
  return a.length < b.length
}
