import type { Contract, ResponseOf } from '@tillwright/contract'
import type { Described } from '../../forms/save.tsx'
import { locale } from '../../language/language.ts'
import { exactTime, money } from '../../language/values.ts'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'

/** A promotion as the API answers it. */
export type PromotionDetails = ResponseOf<Contract['promotions']['getById']>
export type PromotionAction = PromotionDetails['actions'][number]
type PromotionRule = PromotionDetails['rules'][number]

const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })

function amounts(options: Readonly<Record<string, { amount: number }>>): string {
  return Object.entries(options)
    .map(([currency, { amount }]) => money(amount, currency))
    .join(' · ')
}

/** Description of an action, as text. */
function actionWords(action: PromotionAction): string {
  switch (action.type) {
    case 'OrderPercentageAdjustment':
      return text('off.order', { amount: percents.format(action.adjustmentPercentage / 100) })
    case 'OrderAmountAdjustment':
      return text('off.order', { amount: amounts(action.adjustmentAmount) })
    case 'LineItemPercentageAdjustment':
      return text('off.lines', {
        amount: percents.format(action.adjustmentPercentage / 100),
        product: targetOf(action),
      })
    case 'LineItemAmountAdjustment':
      return text('off.units', { amount: amounts(action.adjustmentAmount), product: targetOf(action) })
    case 'ShippingAdjustment':
      return shippingWords(action)
    case 'CreateLineItem':
      return text('gift', { quantity: action.quantity, product: action.variantId ?? action.productId ?? '' })
    case 'SubscriptionLineItemFreeTrial':
      return text('trial', { days: days(action.trialDays) })
  }
}

function shippingWords({
  free,
  adjustmentPercentage,
  adjustmentAmount,
}: Extract<PromotionAction, { type: 'ShippingAdjustment' }>): string {
  if (free) return text('kind.freeShipping')
  const percentage = adjustmentPercentage === null ? '' : percents.format(adjustmentPercentage / 100)
  return text('off.shipping', { amount: adjustmentAmount === null ? percentage : amounts(adjustmentAmount) })
}

function days(count: number): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(count)
}

interface Target {
  targetProductId: string | null
  targetVariantId: string | null
}

function targetOf({ targetProductId, targetVariantId }: Target): string {
  return targetVariantId ?? targetProductId ?? text('off.all')
}

function ruleWords(rule: PromotionRule): string {
  switch (rule.type) {
    case 'ContainsProduct':
      return text('rule.product', {
        quantity: rule.quantity,
        products: [...rule.productIds, ...rule.variantIds].join(', '),
      })
    case 'OrderAmountMinimum':
      return text('rule.amount', { amount: money(rule.amount, rule.currency) })
    case 'OrderMinQuantity':
      return text('rule.quantity', { quantity: rule.quantity })
  }
}

/** Description of all actions of a promotion, in one line of text. */
export function discountOf({ actions }: Pick<PromotionDetails, 'actions'>): string {
  return actions.length === 0 ? text('noAction') : actions.map(actionWords).join('; ')
}

function combinesWith(promotion: PromotionDetails): string {
  if (promotion.forceCombine) return text('combines.all')
  const kinds = [
    promotion.combinesWithOrderLevelDiscounts && text('combines.order'),
    promotion.combinesWithLineItemDiscounts && text('combines.lines'),
    promotion.combinesWithShippingDiscounts && text('combines.shipping'),
  ].filter((each) => each !== false)
  return kinds.length === 0 ? text('combines.none') : kinds.join(', ')
}

/** A promotion in words, to read and to compare two versions of it. */
export function describePromotion(promotion: PromotionDetails): Described {
  const { name, code, automatic, enabled, usageLimit, startDate, endDate, rules, ruleOperator } = promotion
  const between = ` ${text(ruleOperator === 'AND' ? 'and' : 'or')} `
  return [
    [text('name'), name],
    [text('discount'), discountOf(promotion)],
    [text('rules'), rules.length === 0 ? text('rules.none') : rules.map(ruleWords).join(between)],
    [text('code'), code ?? text('noCode')],
    [text('automatic'), shared(`filter.${automatic}`)],
    [text('enabled'), shared(`filter.${enabled}`)],
    [text('usageLimit'), usageLimit === null ? '' : String(usageLimit)],
    [text('startDate'), startDate === null ? '' : exactTime(startDate)],
    [text('endDate'), endDate === null ? '' : exactTime(endDate)],
    [text('combines'), combinesWith(promotion)],
  ]
}
