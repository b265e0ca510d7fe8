import type { Promotion } from '@tillwright/contract'
import type { Candidate, Cart, CartLine } from '../../src/promotions/candidates.ts'

/** A promotion that nothing keeps from applying, and that does nothing, unless `change` says otherwise. */
export function promotion(id: string, change: Partial<Promotion> = {}): Promotion {
  return {
    id,
    storeId: 'store_1',
    name: id.toUpperCase(),
    code: null,
    automatic: true,
    enabled: true,
    usageLimit: null,
    usageCount: 0,
    startDate: null,
    endDate: null,
    ruleOperator: 'OR',
    combinesWithOrderLevelDiscounts: false,
    combinesWithLineItemDiscounts: false,
    combinesWithShippingDiscounts: false,
    forceCombine: false,
    rules: [],
    actions: [],
    archived: false,
    revision: 1,
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:00.000Z',
    ...change,
  }
}

/** An automatic promotion without a limit, as an order considers it. */
export function candidate(id: string, change: Partial<Promotion> = {}, more: Partial<Candidate> = {}): Candidate {
  return { promotion: promotion(id, change), usesLeft: null, byCode: false, gifts: new Map(), ...more }
}

/** A line of one unit of 10.00. */
export function cartLine(change: Partial<CartLine> = {}): CartLine {
  return { productId: 'p1', variantId: 'v1', quantity: 1, unitAmount: 1_000, recurring: false, ...change }
}

/** An order in US dollars of one line of 10.00, without shipping. */
export function cart(change: Partial<Cart> = {}): Cart {
  return { currency: 'USD', lines: [cartLine()], shippingAmount: 0, ...change }
}

const linePercent = { adjustmentType: 'percentage', targetProductId: null, targetVariantId: null } as const
const lineAmount = { adjustmentType: 'amount', targetProductId: null, targetVariantId: null } as const

/** An action that takes a percentage off each line. */
export function offLines(adjustmentPercentage: number): Promotion['actions'][number] {
  return { type: 'LineItemPercentageAdjustment', ...linePercent, adjustmentPercentage }
}

/** An action that takes an amount off each unit. */
export function offUnits(amount: number, currency = 'USD'): Promotion['actions'][number] {
  return { type: 'LineItemAmountAdjustment', ...lineAmount, adjustmentAmount: { [currency]: { amount } } }
}

/** An action that takes a percentage off the order. */
export function offOrder(adjustmentPercentage: number): Promotion['actions'][number] {
  return { type: 'OrderPercentageAdjustment', adjustmentType: 'percentage', adjustmentPercentage }
}

/** An action that takes an amount off the order. */
export function amountOffOrder(amount: number, currency = 'USD'): Promotion['actions'][number] {
  return { type: 'OrderAmountAdjustment', adjustmentType: 'amount', adjustmentAmount: { [currency]: { amount } } }
}

/** An action that makes the shipping free, or takes a percentage off it. */
export function offShipping(percentage: number | null = null): Promotion['actions'][number] {
  return {
    type: 'ShippingAdjustment',
    free: percentage === null,
    adjustmentType: percentage === null ? null : 'percentage',
    adjustmentPercentage: percentage,
    adjustmentAmount: null,
  }
}

/** An action that gives a unit of something. */
export function giveOne(variantId = 'gift'): Promotion['actions'][number] {
  return { type: 'CreateLineItem', productId: null, variantId, quantity: 1 }
}

/** An action that begins subscriptions with free days. */
export function freeDays(trialDays: number): Promotion['actions'][number] {
  return { type: 'SubscriptionLineItemFreeTrial', trialDays, targetProductId: null, targetVariantId: null }
}
