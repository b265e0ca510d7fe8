import type { LeftOutPromotion, OrderPromotions, Promotion } from '@tillwright/contract'
import { pickSet, separation } from './best-set.ts'
import { byRank, type Candidate, type Cart, type CartLine } from './candidates.ts'
import {
  benefitOf,
  compareBenefits,
  type Effects,
  effectsOf,
  type GivenLine,
  type Impact,
  lineDiscount,
  nothing,
  orderDiscount,
  shippingDiscount,
  spread,
  sumImpacts,
  WHOLE,
} from './effects.ts'
import { ineligibilityOf } from './ineligibility.ts'

/** An order's price with its promotions, and how it was computed. */
export type PromotedOrder = Omit<BreakDown, 'savings'> & OrderPromotions

/**
 * Prices an order: of all applicable promotions that can be combined, picks the set that makes it cheapest. An
 * additional promotion never makes it more expensive, and neither their order nor that of the lines matters.
 *
 * @param nowMs Milliseconds since the Unix epoch.
 */
export function applyPromotions(cart: Cart, candidates: readonly Candidate[], nowMs: number): PromotedOrder {
  const judged = candidates.toSorted(byRank).map((candidate) => {
    const effects = effectsOf(candidate, cart)
    return { effects, reason: ineligibilityOf(effects, cart, nowMs) }
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
    const combined = picked.map(({ candidate }) => `"${candidate.promotion.name}"`).join(', ')
    const message = `It would take nothing off${combined === '' ? '' : ` in combination with ${combined}`}.`
    const field = 'actions'
    return {
      ...named(promotion),
      clause: 'saves_nothing',
      field,
      fieldOf: promotion.id,
      withPromotionId: null,
      lacks: [],
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
    lacks: [],
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

/** A line's price with its promotions. */
export interface LinePrice {
  discountAmount: number
  amount: number
  /** Free days before the line's first charge. They do not affect the amounts here. */
  trialDays: number
}

/** An order's exact price: amount = subtotal - discountAmount + shippingAmount - shippingDiscount. */
interface BreakDown {
  subtotal: number
  discountAmount: number
  shippingAmount: number
  shippingDiscount: number
  amount: number
  /** In the order of the cart's lines; their discounts sum to `discountAmount`. */
  lines: LinePrice[]
  gifts: GivenLine[]
  /** In the order of the set; they sum to `discountAmount` + `shippingDiscount`. */
  savings: number[]
}

/** Works a set of promotions into an order: gifts, line items, the order on what is left, shipping, trials. */
function breakDown(set: readonly Effects[], cart: Cart): BreakDown {
  const impacts = set.map((effects) => effects.impact)
  const impact = sumImpacts(impacts, cart.lines.length)
  const prices = cart.lines.map(({ unitAmount, quantity }) => unitAmount * quantity)
  const own = prices.map((price, index) => lineDiscount(price, impact, index))
  const left = prices.map((price, index) => price - (own[index] ?? 0))
  const ofOrder = orderDiscount(sum(left), impact)
  const ofShipping = shippingDiscount(cart.shippingAmount, impact)
  const shares = spreadOverLines(ofOrder, left, cart.lines)
  return {
    subtotal: sum(prices),
    discountAmount: sum(own) + ofOrder,
    shippingAmount: cart.shippingAmount,
    shippingDiscount: ofShipping,
    amount: sum(left) - ofOrder + cart.shippingAmount - ofShipping,
    lines: left.map((price, index) => {
      const share = shares[index] ?? 0
      return {
        discountAmount: (own[index] ?? 0) + share,
        amount: price - share,
        trialDays: impact.trialDays[index] ?? 0,
      }
    }),
    gifts: set.flatMap(({ gifts }) => gifts),
    savings: savingsOf(impacts, { prices, own, left: sum(left), ofOrder, shipping: cart.shippingAmount, ofShipping }),
  }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}

/** Lines are taken in an order of their own content, so that the order in which they were sent does not matter. */
function spreadOverLines(total: number, left: readonly number[], lines: readonly CartLine[]): number[] {
  const order = lines
    .map((line, index) => ({ key: keyOf(line), index }))
    .toSorted((a, b) => (a.key === b.key ? a.index - b.index : a.key < b.key ? -1 : 1))
  const services = spread(
    total,
    order.map(({ index }) => BigInt(left[index] ?? 0)),
  )
  const shares = lines.map(() => 0)
  for (const [place, { index }] of order.entries()) shares[index] = services[place] ?? 0
  return shares
}

function keyOf({ productId, variantId, unitAmount, quantity, recurring }: CartLine): string {
  return JSON.stringify([productId, variantId, unitAmount, quantity, recurring])
}

/** Prices and what is taken off them: of the single lines, of the order, of the shipping. */
interface Discounted {
  prices: readonly number[]
  own: readonly number[]
  left: number
  ofOrder: number
  shipping: number
  ofShipping: number
}

/** Credits each member of a set with its part of every discount, in proportion to what it would take off alone. */
function savingsOf(
  impacts: readonly Impact[],
  { prices, own, left, ofOrder, shipping, ofShipping }: Discounted,
): number[] {
  const credits = [
    ...own.map((discount, index) =>
      spread(
        discount,
        impacts.map(({ linePoints, lineAmounts }) =>
          weight(prices[index] ?? 0, linePoints[index] ?? 0, lineAmounts[index] ?? 0),
        ),
      ),
    ),
    spread(
      ofOrder,
      impacts.map(({ orderPoints, orderAmount }) => weight(left, orderPoints, orderAmount)),
    ),
    spread(
      ofShipping,
      impacts.map(({ shippingPoints, shippingAmount }) => weight(shipping, shippingPoints, shippingAmount)),
    ),
  ]
  return impacts.map((_, member) => sum(credits.map((services) => services[member] ?? 0)))
}

function weight(price: number, points: number, amount: number): bigint {
  return BigInt(price) * BigInt(points) + BigInt(amount) * BigInt(WHOLE)
}
