import type { LeftOutPromotion, OrderPromotions } from '@tillwright/contract'
import { breakDown, type BreakDown } from './break-down.ts'
import { byRank, type Candidate, type Cart } from './candidate.ts'
import { effectsOf } from './effects.ts'
import { explainLeftOut, named } from './explain-left-out.ts'
import { pickSet } from './pick-set.ts'
import { whyNot } from './why-not.ts'

/** What an order costs with its promotions, and why. */
export type PromotedOrder = Omit<BreakDown, 'savings'> & OrderPromotions

/**
 * Prices an order: of all promotions that may apply and stand together, the set that makes it cheapest. One more
 * promotion never makes it dearer, and neither their order nor that of the lines matters.
 *
 * @param nowMs Milliseconds since the Unix epoch.
 */
export function applyPromotions(cart: Cart, candidates: readonly Candidate[], nowMs: number): PromotedOrder {
  const judged = candidates.toSorted(byRank).map((candidate) => {
    const effects = effectsOf(candidate, cart)
    return { effects, reason: whyNot(effects, cart, nowMs) }
  })
  const ranked = judged.flatMap(({ effects, reason }) => (reason === null ? [effects] : []))
  const picked = pickSet(ranked, cart)
  const { savings, ...priced } = breakDown(picked, cart)
  return {
    ...priced,
    applied: picked.map(({ candidate: { promotion } }, index) => ({
      ...named(promotion),
      saving: savings[index] ?? 0,
      endsAt: promotion.endDate,
    })),
    leftOut: judged.flatMap(({ effects, reason }): LeftOutPromotion[] => {
      if (picked.includes(effects)) return []
      if (reason === null) return [explainLeftOut(effects, picked, cart)]
      const { promotion } = effects.candidate
      return [{ ...named(promotion), ...reason, fieldOf: promotion.id, withPromotionId: null }]
    }),
  }
}
