import type { LeftOutPromotion, Promotion } from '@tillwright/contract'
import { benefitOf, compareBenefits, nothing } from './benefit.ts'
import type { Cart } from './candidate.ts'
import type { Effects } from './effects.ts'
import { separation } from './stand-together.ts'

/** Why a promotion that could apply alone is not in the set that was picked. */
export function explainLeftOut(effects: Effects, picked: readonly Effects[], cart: Cart): LeftOutPromotion {
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
export function named({ id, name, code }: Promotion): { promotionId: string; name: string; code: string | null } {
  return { promotionId: id, name, code }
}

function firstApart(promotion: Promotion, picked: readonly Effects[]) {
  for (const { candidate } of picked) {
    const apart = separation(promotion, candidate.promotion)
    if (apart !== null) return { ...apart, other: candidate.promotion }
  }
  return null
}
