import type { PromotionAction } from '@tillwright/contract'
import type { Candidate, Cart, CartLine, Gift } from './candidate.ts'
import { noImpact, sumImpacts, type Impact } from './impact.ts'
import { basisPoints, WHOLE } from './share.ts'

/** Units of a gift, and the promotion that gives them. */
export interface GivenLine {
  promotionId: string
  gift: Gift
  quantity: number
}

/** What one promotion would do to an order. */
export interface Effects {
  candidate: Candidate
  impact: Impact
  gifts: readonly GivenLine[]
}

/** What a promotion's actions do to an order. One that finds nothing to act on does nothing. */
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
