import { z } from 'zod'
import { archived, revised } from '../changes.ts'
import { exampleId, reference } from '../ids.ts'
import { NAME_MAX_CHARS, PROMOTION_ACTIONS_MAX, PROMOTION_RULES_MAX } from '../limits.ts'
import { anyTimestamp, name, timestamp } from '../text.ts'
import { promotionAction, promotionRule } from './promotion-actions.ts'

/** A promotion code, trimmed. Codes are not case-sensitive. */
export const promotionCode = z.string().trim().min(1).max(NAME_MAX_CHARS)

const ruleOperator = z.enum(['AND', 'OR'])
const usageLimit = z.int().min(0).nullable()
const rules = z.array(promotionRule).max(PROMOTION_RULES_MAX)
const actions = z.array(promotionAction).max(PROMOTION_ACTIONS_MAX)

/** Descriptions of the fields that the three shapes of a promotion share. */
const about = {
  id: { description: 'The promotion.', examples: [exampleId('promotion')] },
  storeId: { description: 'The store that the promotion belongs to.', examples: [exampleId('store')] },
  name: { description: 'The promotion’s name, for people.', examples: ['Summer sale'] },
  code: {
    description:
      'The code that the buyer enters, unique among the store’s active promotions, ignoring case; null for ' +
      'none. A promotion with neither a code nor `automatic` never applies.',
    examples: ['SUMMER10'],
  },
  automatic: {
    description: 'Whether it applies without a code. If it also has one, entering it is optional.',
    examples: [false],
  },
  enabled: { description: 'Whether the promotion can be applied.', examples: [true] },
  usageLimit: {
    description: 'The number of paid orders that may use it, automatic or not; null for no limit, 0 for none.',
    examples: [100],
  },
  usageCount: { description: 'The number of paid orders that have used it.', examples: [7] },
  startDate: {
    description: 'When the promotion starts, ISO 8601; null for no start date.',
    examples: ['2030-06-01T00:00:00.000Z'],
  },
  endDate: {
    description: 'When the promotion ends, ISO 8601, later than `startDate`; null for no end date.',
    examples: ['2030-09-01T00:00:00.000Z'],
  },
  ruleOperator: {
    description: 'Whether all rules must be met (AND) or any of them (OR). A promotion without rules always applies.',
    examples: ['AND'],
  },
  combinesWithOrderLevelDiscounts: {
    description: 'Whether it can be combined with promotions that adjust the order.',
    examples: [false],
  },
  combinesWithLineItemDiscounts: {
    description: 'Whether it can be combined with promotions that adjust line items or add gifts or free trials.',
    examples: [false],
  },
  combinesWithShippingDiscounts: {
    description: 'Whether it can be combined with promotions that adjust shipping.',
    examples: [true],
  },
  forceCombine: {
    description: 'Whether it can be combined with every other promotion, whatever the settings of either.',
    examples: [false],
  },
  rules: {
    description: 'The conditions under which it applies.',
    examples: [[{ type: 'OrderAmountMinimum', amount: 5_000, currency: 'USD' }]],
  },
  actions: {
    description: 'The effects of the promotion.',
    examples: [[{ type: 'OrderPercentageAdjustment', adjustmentType: 'percentage', adjustmentPercentage: 10 }]],
  },
  createdAt: { description: 'When it was created, ISO 8601.', examples: ['2030-05-20T09:30:00.000Z'] },
  updatedAt: {
    description: 'When it was last changed, ISO 8601. Uses of the promotion are no changes.',
    examples: ['2030-05-21T10:00:00.000Z'],
  },
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
/** A promotion as callers send it, before defaults are filled in. */
export type NewPromotionInput = z.input<typeof newPromotion>

/**
 * The fields that an update can change: fields left out stay as they are, null clears a field, a list replaces the
 * previous one.
 */
export const promotionChange = z
  .object({
    storeId: reference.optional().meta({
      description: 'The store that the promotion belongs to: it cannot move to another one.',
      examples: [exampleId('store')],
    }),
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
  archived,
  revision: revised.revision,
  updatedAt: timestamp.meta(about.updatedAt),
}

/** The response to creating or updating a promotion: what the reference shows, `archived` and `revision`. */
export const promotionSummary = z.object(summary).meta({ id: 'PromotionSummary' })
export type PromotionSummary = z.output<typeof promotionSummary>

/** A promotion with its rules, actions and combinations. */
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

/** Whether a promotion ends after it starts; true if either date is missing. */
export function endsAfterStart({ startDate, endDate }: Window): boolean {
  return startDate == null || endDate == null || Date.parse(startDate) < Date.parse(endDate)
}
