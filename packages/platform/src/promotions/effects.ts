import type { PromotionAction } from '@tillwright/contract'
import type { Candidate, Cart, CartLine, Gift } from './candidates.ts'

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

/** Units of a gift, and the promotion that gives them. */
export interface GivenLine {
  promotionId: string
  gift: Gift
  quantity: number
}

/** The effects of one promotion on an order. */
export interface Effects {
  candidate: Candidate
  impact: Impact
  gifts: readonly GivenLine[]
}

/** Computes the effects of a promotion's actions on an order. Actions without a target have none. */
export function effectsOf(candidate: Candidate, cart: Cart): Effects {
  const { promotion } = candidate
  const gifts = promotion.actions.flatMap((action, index) => {
    const gift = action.type === 'CreateLineItem' ? candidate.gifts.get(index) : undefined
    return gift === undefined ? [] : [{ promotionId: promotion.id, gift, quantity: quantityOf(action) }]
  })
  const giftWorth = gifts.reduce((sum, { gift, quantity }) => sum + Math.max(1, gift.unitAmount) * quantity, 0)
  const none = noImpact(cart.lines.length)
  const impacts = promotion.actions.map((action) => ({ ...none, ...impactOf(action, cart) }))
  return { candidate, gifts, impact: sumImpacts([{ ...none, giftWorth }, ...impacts], cart.lines.length) }
}

/** Whether any action found something to act on. */
export function doesAnything({ impact }: Effects): boolean {
  return Object.values(impact)
    .flat()
    .some((number) => number > 0)
}

function quantityOf(action: PromotionAction): number {
  return action.type === 'CreateLineItem' ? action.quantity : 0
}

function impactOf(action: PromotionAction, cart: Cart): Partial<Impact> {
  switch (action.type) {
    case 'LineItemPercentageAdjustment':
      return { linePoints: onTargets(action, cart, () => basisPoints(action.adjustmentPercentage)) }
    case 'LineItemAmountAdjustment': {
      const amount = amountIn(cart.currency, action.adjustmentAmount)
      const off = ({ unitAmount, quantity }: CartLine) => Math.min(unitAmount, amount) * quantity
      return { lineAmounts: onTargets(action, cart, off) }
    }
    case 'OrderPercentageAdjustment':
      return { orderPoints: basisPoints(action.adjustmentPercentage) }
    case 'OrderAmountAdjustment':
      return { orderAmount: amountIn(cart.currency, action.adjustmentAmount) }
    case 'ShippingAdjustment':
      return onShipping(action, cart)
    case 'CreateLineItem':
      return {}
    case 'SubscriptionLineItemFreeTrial':
      return { trialDays: onTargets(action, cart, ({ recurring }) => (recurring ? action.trialDays : 0)) }
  }
}

interface Target {
  targetProductId: string | null
  targetVariantId: string | null
}

/** @returns By line: what the action does to one that is meant, and 0 for any other. */
function onTargets(
  { targetProductId, targetVariantId }: Target,
  { lines }: Cart,
  effect: (line: CartLine) => number,
): number[] {
  return lines.map((line) => {
    const meant =
      (targetProductId === null || line.productId === targetProductId) &&
      (targetVariantId === null || line.variantId === targetVariantId)
    return meant ? effect(line) : 0
  })
}

type Shipping = Extract<PromotionAction, { type: 'ShippingAdjustment' }>

/** Shipping that costs nothing is nothing to act on. */
function onShipping({ free, adjustmentPercentage, adjustmentAmount }: Shipping, cart: Cart): Partial<Impact> {
  if (cart.shippingAmount === 0) return {}
  const shippingPoints = free ? WHOLE : basisPoints(adjustmentPercentage ?? 0)
  return { shippingPoints, shippingAmount: adjustmentAmount === null ? 0 : amountIn(cart.currency, adjustmentAmount) }
}

function amountIn(currency: string, amounts: Readonly<Record<string, { amount: number }>>): number {
  return amounts[currency]?.amount ?? 0
}

/**
 * The effects of one or more promotions on an order, before rounding and capping. Amounts stop at 2^53 - 1: no order
 * costs more, so a larger discount is equivalent, and sums stay exact in any order.
 */
export interface Impact {
  /** By line: the basis points off its price. */
  linePoints: readonly number[]
  /** By line: the amount off for all its units. */
  lineAmounts: readonly number[]
  orderPoints: number
  orderAmount: number
  shippingPoints: number
  shippingAmount: number
  /** The value of the gifts in minor units, at least 1 a unit. */
  giftWorth: number
  /** By line: the days that cost nothing, of several trials the longest. */
  trialDays: readonly number[]
}

/** The impact of no promotion on an order of so many lines. */
function noImpact(lines: number): Impact {
  return emptySum(lines)
}

/**
 * Combines impacts: percentages and amounts are added, so neither order nor grouping matters.
 *
 * @param lines The number of lines to add up; 0 skips them if only the rest is needed.
 */
export function sumImpacts(impacts: readonly Impact[], lines: number): Impact {
  const sum = emptySum(lines)
  for (const impact of impacts) add(impact, sum)
  return sum
}

/** An impact that is being added up. */
interface Sum extends Impact {
  linePoints: number[]
  lineAmounts: number[]
  trialDays: number[]
}

function emptySum(lines: number): Sum {
  const zeros = Array.from({ length: lines }, () => 0)
  return {
    linePoints: zeros,
    lineAmounts: [...zeros],
    orderPoints: 0,
    orderAmount: 0,
    shippingPoints: 0,
    shippingAmount: 0,
    giftWorth: 0,
    trialDays: [...zeros],
  }
}

function add(impact: Impact, sum: Sum): void {
  for (const line of sum.linePoints.keys()) {
    sum.linePoints[line] = (sum.linePoints[line] ?? 0) + (impact.linePoints[line] ?? 0)
    sum.lineAmounts[line] = addAmounts(sum.lineAmounts[line] ?? 0, impact.lineAmounts[line] ?? 0)
    sum.trialDays[line] = Math.max(sum.trialDays[line] ?? 0, impact.trialDays[line] ?? 0)
  }
  sum.orderPoints += impact.orderPoints
  sum.orderAmount = addAmounts(sum.orderAmount, impact.orderAmount)
  sum.shippingPoints += impact.shippingPoints
  sum.shippingAmount = addAmounts(sum.shippingAmount, impact.shippingAmount)
  sum.giftWorth = addAmounts(sum.giftWorth, impact.giftWorth)
}

function addAmounts(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER)
}

/** 100 per cent in basis points. */
export const WHOLE = 10_000

/** A percentage of at most two decimals as whole basis points: 12.5 is 1250. */
export function basisPoints(percentage: number): number {
  return Math.round(percentage * 100)
}

/**
 * Returns a share of an amount, rounded half up.
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
 * Distributes an integer in proportion to weights, by largest remainder: the parts are integers, add up to the total,
 * and differ from their exact share by less than one. Of equal remainders the earlier part is rounded up.
 *
 * @param weights Non-negative integers; if all are 0, all parts are 0.
 */
export function spread(total: number, weights: readonly bigint[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n)
  if (sum === 0n) return weights.map(() => 0)
  // The product of two amounts does not fit a double.
  const exact = weights.map((weight) => BigInt(total) * weight)
  const services = exact.map((share) => Number(share / sum))
  const missing = total - services.reduce((all, part) => all + part, 0)
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share % sum }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of byRemainder.slice(0, missing)) services[index] = (services[index] ?? 0) + 1
  return services
}
