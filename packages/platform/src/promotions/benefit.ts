import type { Cart } from './candidates.ts'
import { type Impact, shareOf } from './effects.ts'

/** A buyer's benefit from promotions, compared in this order: price, gifts, free days. */
export interface Benefit {
  /** Off the price, in minor units. */
  saving: number
  giftWorth: number
  trialDays: number
}

/** No benefit at all. */
export const nothing: Benefit = { saving: 0, giftWorth: 0, trialDays: 0 }

/** Negative when `a` is worth less than `b`, 0 when they are worth the same. */
export function compareBenefits(a: Benefit, b: Benefit): number {
  return a.saving - b.saving || a.giftWorth - b.giftWorth || a.trialDays - b.trialDays
}

/**
 * Values an impact. A greater impact is never worth less: percentages on one thing are added before rounding, and the
 * remainder of an order never grows because a line costs less.
 */
export function benefitOf(impact: Impact, cart: Cart): Benefit {
  return withLines(linesWorth(impact, cart), impact, cart.shippingAmount)
}

/** Value of an impact on the lines, before the order's own discounts. */
export interface LinesWorth {
  saving: number
  /** Total of the lines after discounts. */
  left: number
  trialDays: number
}

/** The part of a benefit that lies in the lines. */
export function linesWorth(impact: Impact, { lines }: Cart): LinesWorth {
  const worth = { saving: 0, left: 0, trialDays: 0 }
  for (const [index, { unitAmount, quantity }] of lines.entries()) {
    const price = unitAmount * quantity
    const discount = lineDiscount(price, impact, index)
    worth.saving += discount
    worth.left += price - discount
    worth.trialDays += impact.trialDays[index] ?? 0
  }
  return worth
}

/** The whole benefit: that of the lines with what the impact takes off the order and the shipping, and gives. */
export function withLines({ saving, left, trialDays }: LinesWorth, impact: Impact, shippingAmount: number): Benefit {
  const further = orderDiscount(left, impact) + shippingDiscount(shippingAmount, impact)
  return { saving: saving + further, giftWorth: impact.giftWorth, trialDays }
}

/** Discount on a single line. */
export function lineDiscount(price: number, { linePoints, lineAmounts }: Impact, index: number): number {
  return discountOf(price, linePoints[index] ?? 0, lineAmounts[index] ?? 0)
}

/**
 * Discount on the order.
 *
 * @param left Total of the lines after their own discounts.
 */
export function orderDiscount(left: number, { orderPoints, orderAmount }: Impact): number {
  return discountOf(left, orderPoints, orderAmount)
}

/** Discount on the shipping. */
export function shippingDiscount(shipping: number, { shippingPoints, shippingAmount }: Impact): number {
  return discountOf(shipping, shippingPoints, shippingAmount)
}

/** The sum of the percentages rounded half up, then the amounts, and never more than there is. */
function discountOf(price: number, points: number, amount: number): number {
  return Math.min(price, shareOf(price, points) + amount)
}
