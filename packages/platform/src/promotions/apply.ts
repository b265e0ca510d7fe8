import type { LeftOutPromotion, OrderPromotions, Promotion } from '@tillwright/contract'
import { benefitOf, compareBenefits, nothing } from './benefit.ts'
import { pickSet } from './best-set.ts'
import { breakDown, type BreakDown } from './breakdown.ts'
import { byRank, type Candidate, type Cart } from './candidates.ts'
import { separation } from './compatibility.ts'
import { type Effects, effectsOf } from './effects.ts'
import { whyNot } from './ineligibility.ts'

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

/** Why a promotion that could apply alone is not in the set that was picked. */
function explainLeftOut(effects: Effects, picked: readonly Effects[], cart: Cart): LeftOutPromotion {
  const { promotion } = effects.candidate
  const apart = compareBenefits(benefitOf(effects.impact, cart), nothing) > 0 ? firstApart(promotion, picked) : null
  if (apart === null) {
    const beside = picked.map(({ candidate }) => `"${candidate.promotion.name}"`).join(', ')
    const message = `It would take nothing off${beside === '' ? '' : ` beside ${beside}`}.`
    const field = 'actions'
    return {
      ...named(promotion),
      clause: 'saves_nothing',
      field,
      fieldOf: promotion.id,
      withPromotionId: null,
      message,
    }
  }
  const { owner, flag, refused, other } = apart
  const guest = owner.id === promotion.id ? other : promotion
  return {
    ...named(promotion),
    clause: 'combination',
    field: flag,
    fieldOf: owner.id,
    withPromotionId: other.id,
    message:
      `"${owner.name}" does not stand together with ${refused} (${flag} is off), and "${guest.name}" is one; ` +
      'what is applied saves at least as much.',
  }
}

/** How an order names a promotion that it has or lacks. */
function named({ id, name, code }: Promotion): { promotionId: string; name: string; code: string | null } {
  return { promotionId: id, name, code }
}

function firstApart(promotion: Promotion, picked: readonly Effects[]) {
  for (const { candidate } of picked) {
    const apart = separation(promotion, candidate.promotion)
    if (apart !== null) return { ...apart, other: candidate.promotion }
  }
  return null
}
