import { z } from 'zod'
import { exampleId, reference } from '../ids.ts'
import { NAME_MAX_CHARS, PROMOTION_ACTIONS_MAX, PROMOTION_RULES_MAX } from '../limits.ts'
import { anyTimestamp, name, timestamp } from '../text.ts'
import { promotionAction, promotionRule } from './promotion-actions.ts'

/** A coupon code: kept without the space around it; upper and lower case are the same. */
export const promotionCode = z.string().trim().min(1).max(NAME_MAX_CHARS)

const ruleOperator = z.enum(['AND', 'OR'])
const usageLimit = z.int().min(0).nullable()
const rules = z.array(promotionRule).max(PROMOTION_RULES_MAX)
const actions = z.array(promotionAction).max(PROMOTION_ACTIONS_MAX)

/** What each field means, for the three shapes in which a promotion is written and read. */
const about = {
  id: { description: 'The promotion.', examples: [exampleId('promotion')] },
  storeId: { description: 'The store whose orders it reduces.', examples: [exampleId('store')] },
  name: { description: 'What the promotion is called, for people.', examples: ['Summer sale'] },
  code: {
    description:
      'The coupon code that the buyer enters, unique among the store’s live promotions whatever its case; null for ' +
      'none. A promotion with neither a code nor `automatic` applies to nobody.',
    examples: ['SUMMER10'],
  },
  automatic: {
    description: 'Whether it applies without a code; one that has a code too may be entered but need not be.',
    examples: [false],
  },
  enabled: { description: 'Whether it may apply at all.', examples: [true] },
  usageLimit: {
    description: 'How many paid orders may use it, automatic or not; null means unlimited, 0 means none.',
    examples: [100],
  },
  usageCount: { description: 'How many paid orders have used it.', examples: [7] },
  startDate: {
    description: 'The moment from which it applies, ISO 8601; null means from the beginning.',
    examples: ['2030-06-01T00:00:00.000Z'],
  },
  endDate: {
    description: 'The moment from which it applies no more, ISO 8601, later than `startDate`; null means never.',
    examples: ['2030-09-01T00:00:00.000Z'],
  },
  ruleOperator: {
    description: 'Whether all rules must hold (AND) or any of them (OR); without rules it always holds.',
    examples: ['AND'],
  },
  combinesWithOrderLevelDiscounts: {
    description: 'Whether it stands together with promotions that adjust the order.',
    examples: [false],
  },
  combinesWithLineItemDiscounts: {
    description: 'Whether it stands together with promotions that adjust line items, give gifts or free trials.',
    examples: [false],
  },
  combinesWithShippingDiscounts: {
    description: 'Whether it stands together with promotions that adjust the shipping.',
    examples: [true],
  },
  forceCombine: {
    description: 'Whether it stands together with every other promotion, whatever the settings of either.',
    examples: [false],
  },
  rules: {
    description: 'When it applies.',
    examples: [[{ type: 'OrderAmountMinimum', amount: 5_000, currency: 'USD' }]],
  },
  actions: {
    description: 'What it does.',
    examples: [[{ type: 'OrderPercentageAdjustment', adjustmentType: 'percentage', adjustmentPercentage: 10 }]],
  },
  createdAt: { description: 'When it was created, ISO 8601.', examples: ['2030-05-20T09:30:00.000Z'] },
  updatedAt: { description: 'When it was last updated, ISO 8601.', examples: ['2030-05-21T10:00:00.000Z'] },
}

const LATER = 'must be later than startDate'

/** The body of `POST /promotions/create`. Source: reference, "POST /promotions/create". */
export const newPromotion = z
  .object({
    storeId: reference.meta(about.storeId),
    name: name.meta(about.name),
    code: promotionCode.nullable().default(null).meta(about.code),
    automatic: z.boolean().default(false).meta(about.automatic),
    enabled: z.boolean().default(true).meta(about.enabled),
    usageLimit: usageLimit.default(null).meta(about.usageLimit),
    startDate: anyTimestamp.nullable().default(null).meta(about.startDate),
    endDate: anyTimestamp.nullable().default(null).meta(about.endDate),
    ruleOperator: ruleOperator.default('OR').meta(about.ruleOperator),
    combinesWithOrderLevelDiscounts: z.boolean().default(false).meta(about.combinesWithOrderLevelDiscounts),
    combinesWithLineItemDiscounts: z.boolean().default(false).meta(about.combinesWithLineItemDiscounts),
    combinesWithShippingDiscounts: z.boolean().default(false).meta(about.combinesWithShippingDiscounts),
    forceCombine: z.boolean().default(false).meta(about.forceCombine),
    rules: rules.default([]).meta(about.rules),
    actions: actions.default([]).meta(about.actions),
  })
  .refine(endsAfterStart, { path: ['endDate'], error: LATER })
export type NewPromotion = z.output<typeof newPromotion>
/** The same as a caller may send it, before defaults are filled in. */
export type NewPromotionInput = z.input<typeof newPromotion>

/** What an update may change: what is absent stays as it is, null clears, a list replaces the former one whole. */
export const promotionChange = z
  .object({
    storeId: reference.optional().meta(about.storeId),
    name: name.optional().meta(about.name),
    code: promotionCode.nullable().optional().meta(about.code),
    automatic: z.boolean().optional().meta(about.automatic),
    enabled: z.boolean().optional().meta(about.enabled),
    usageLimit: usageLimit.optional().meta(about.usageLimit),
    startDate: anyTimestamp.nullable().optional().meta(about.startDate),
    endDate: anyTimestamp.nullable().optional().meta(about.endDate),
    ruleOperator: ruleOperator.optional().meta(about.ruleOperator),
    combinesWithOrderLevelDiscounts: z.boolean().optional().meta(about.combinesWithOrderLevelDiscounts),
    combinesWithLineItemDiscounts: z.boolean().optional().meta(about.combinesWithLineItemDiscounts),
    combinesWithShippingDiscounts: z.boolean().optional().meta(about.combinesWithShippingDiscounts),
    forceCombine: z.boolean().optional().meta(about.forceCombine),
    rules: rules.optional().meta(about.rules),
    actions: actions.optional().meta(about.actions),
  })
  .refine(endsAfterStart, { path: ['endDate'], error: LATER })
export type PromotionChange = z.output<typeof promotionChange>

const summary = {
  id: z.string().meta(about.id),
  storeId: z.string().meta(about.storeId),
  name: z.string().meta(about.name),
  code: z.string().nullable().meta(about.code),
  enabled: z.boolean().meta(about.enabled),
  automatic: z.boolean().meta(about.automatic),
  usageLimit: usageLimit.meta(about.usageLimit),
  usageCount: z.int().min(0).meta(about.usageCount),
  startDate: timestamp.nullable().meta(about.startDate),
  endDate: timestamp.nullable().meta(about.endDate),
  ruleOperator: ruleOperator.meta(about.ruleOperator),
  createdAt: timestamp.meta(about.createdAt),
  updatedAt: timestamp.meta(about.updatedAt),
}

/** What creating and updating answer. Source: reference, "POST /promotions/create". */
export const promotionSummary = z.object(summary).meta({ id: 'PromotionSummary' })
export type PromotionSummary = z.output<typeof promotionSummary>

/** A promotion with its rules, its actions and what it stands together with. */
export const promotion = z
  .object({
    ...summary,
    combinesWithOrderLevelDiscounts: z.boolean().meta(about.combinesWithOrderLevelDiscounts),
    combinesWithLineItemDiscounts: z.boolean().meta(about.combinesWithLineItemDiscounts),
    combinesWithShippingDiscounts: z.boolean().meta(about.combinesWithShippingDiscounts),
    forceCombine: z.boolean().meta(about.forceCombine),
    rules: rules.meta(about.rules),
    actions: actions.meta(about.actions),
  })
  .meta({ id: 'Promotion' })
export type Promotion = z.output<typeof promotion>

interface Window {
  startDate?: string | null | undefined
  endDate?: string | null | undefined
}

/** Whether a promotion ends after it starts, as far as both are known. */
export function endsAfterStart({ startDate, endDate }: Window): boolean {
  return startDate == null || endDate == null || Date.parse(startDate) < Date.parse(endDate)
}
