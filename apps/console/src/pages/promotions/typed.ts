import type { InputOf } from '@tillwright/client'
import type { Contract } from '@tillwright/contract'
import { readAmounts, typedAmounts, type TypedAmounts } from '../../forms/fields.tsx'
import type { PromotionAction, PromotionDetails } from './words.ts'

/** Kinds of promotions in the form; `asItIs` was set by the API and stays unchanged. */
export const kinds = [
  'orderPercentage',
  'orderAmount',
  'linePercentage',
  'lineAmount',
  'freeShipping',
  'asItIs',
] as const
export type Kind = (typeof kinds)[number]

/** A promotion as it is typed. */
export interface TypedPromotion {
  name: string
  code: string
  automatic: boolean
  enabled: boolean
  kind: Kind
  percentage: string
  amounts: TypedAmounts
  /** The product whose lines are adjusted; empty for all. */
  target: string
  usageLimit: string
  /** Empty for none. */
  startDate: string
  endDate: string
}

/** A form for a promotion that there is not yet. */
export const newlyTyped: TypedPromotion = {
  name: '',
  code: '',
  automatic: false,
  enabled: true,
  kind: 'orderPercentage',
  percentage: '10',
  amounts: { USD: '' },
  target: '',
  usageLimit: '',
  startDate: '',
  endDate: '',
}

/** A promotion as a form has it. */
export function typedPromotion(promotion: PromotionDetails): TypedPromotion {
  const { name, code, automatic, enabled, usageLimit, startDate, endDate, actions } = promotion
  const [action, ...others] = actions
  return {
    ...newlyTyped,
    ...(action === undefined || others.length > 0 ? { kind: 'asItIs' as const } : typedAction(action)),
    name,
    code: code ?? '',
    automatic,
    enabled,
    usageLimit: usageLimit === null ? '' : String(usageLimit),
    startDate: startDate ?? '',
    endDate: endDate ?? '',
  }
}

function typedAction(action: PromotionAction): Partial<TypedPromotion> {
  switch (action.type) {
    case 'OrderPercentageAdjustment':
      return { kind: 'orderPercentage', percentage: String(action.adjustmentPercentage) }
    case 'OrderAmountAdjustment':
      return { kind: 'orderAmount', amounts: typedAmounts(action.adjustmentAmount) }
    case 'LineItemPercentageAdjustment':
      if (action.targetVariantId !== null) return { kind: 'asItIs' }
      return {
        kind: 'linePercentage',
        percentage: String(action.adjustmentPercentage),
        target: action.targetProductId ?? '',
      }
    case 'LineItemAmountAdjustment':
      if (action.targetVariantId !== null) return { kind: 'asItIs' }
      return {
        kind: 'lineAmount',
        amounts: typedAmounts(action.adjustmentAmount),
        target: action.targetProductId ?? '',
      }
    case 'ShippingAdjustment':
      return { kind: action.free ? 'freeShipping' : 'asItIs' }
    case 'CreateLineItem':
    case 'SubscriptionLineItemFreeTrial':
      return { kind: 'asItIs' }
  }
}

/** Parses a percentage; `null` if the input is none. */
export function readPercentage(typed: string): number | null {
  const value = /^\s*\d{1,3}(?:[.,]\d{1,2})?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : 0
  return value > 0 && value <= 100 ? value : null
}

/** A number of uses; `null` for no limit, `wrong` for what is no number. */
export function readLimit(typed: string): number | null | 'wrong' {
  if (typed.trim() === '') return null
  return /^\s*\d{1,9}\s*$/.test(typed) ? Number(typed) : 'wrong'
}

/** Whether a promotion would end before it starts. */
export function areDatesWrong({ startDate, endDate }: TypedPromotion): boolean {
  return startDate !== '' && endDate !== '' && startDate >= endDate
}

/** The fields of a promotion that a form changes, as the contract takes them. */
type PromotionFields = InputOf<Contract['promotions']['update']>['data']
type SentAction = NonNullable<PromotionFields['actions']>[number]

/** A typed promotion as the contract takes it; `null` while something in it is wrong. */
export function readPromotion(typed: TypedPromotion) {
  const { automatic, enabled, kind } = typed
  const usageLimit = readLimit(typed.usageLimit)
  const action = kind === 'asItIs' ? undefined : readAction(typed)
  if (typed.name.trim() === '' || usageLimit === 'wrong' || areDatesWrong(typed) || action === null) return null
  return {
    name: typed.name.trim(),
    code: typed.code.trim() || null,
    automatic,
    enabled,
    usageLimit,
    startDate: typed.startDate || null,
    endDate: typed.endDate || null,
    ...(action !== undefined && { actions: [action] }),
  }
}

function readAction({ kind, percentage, amounts, target }: TypedPromotion): SentAction | null {
  if (kind === 'freeShipping') return { type: 'ShippingAdjustment', free: true }
  const targetProductId = target || null
  if (kind === 'orderPercentage' || kind === 'linePercentage') {
    const adjustmentPercentage = readPercentage(percentage)
    if (adjustmentPercentage === null) return null
    if (kind === 'orderPercentage') return { type: 'OrderPercentageAdjustment', adjustmentPercentage }
    return { type: 'LineItemPercentageAdjustment', adjustmentPercentage, targetProductId }
  }
  const adjustmentAmount = readAmounts(amounts)
  if (adjustmentAmount === null || Object.values(adjustmentAmount).some(({ amount }) => amount === 0)) return null
  if (kind === 'orderAmount') return { type: 'OrderAmountAdjustment', adjustmentAmount }
  return { type: 'LineItemAmountAdjustment', adjustmentAmount, targetProductId }
}
