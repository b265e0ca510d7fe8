import { z } from 'zod'
import { exampleId, reference } from '../ids.ts'
import { ORDER_LINES_MAX, PROMOTION_RULE_IDS_MAX } from '../limits.ts'
import { amount, currency } from '../money.ts'

/** The most units that an order can hold: as many lines as it may have, each of the greatest quantity. */
const UNITS_MAX = ORDER_LINES_MAX * 10_000

const ids = z.array(reference).max(PROMOTION_RULE_IDS_MAX).default([])
const units = z.int().min(1).max(UNITS_MAX)

const containsProduct = z
  .object({
    type: z.literal('ContainsProduct').meta({
      description: 'The order must contain at least `quantity` units of the named products or variants.',
      examples: ['ContainsProduct'],
    }),
    productIds: ids.meta({
      description: 'Products of the store, of which any variant counts.',
      examples: [[exampleId('product')]],
    }),
    variantIds: ids.meta({
      description: 'Variants of the store that count beside the products; at least one product or variant is named.',
      examples: [[exampleId('variant')]],
    }),
    quantity: units.default(1).meta({
      description: 'How many units of them the order needs, all its lines together.',
      examples: [2],
    }),
  })
  .refine(({ productIds, variantIds }) => productIds.length + variantIds.length > 0, {
    path: ['productIds'],
    error: 'must name at least one product, unless variantIds names a variant',
  })

const orderAmountMinimum = z.object({
  type: z.literal('OrderAmountMinimum').meta({
    description: 'The subtotal, before discounts and without shipping, must reach an amount.',
    examples: ['OrderAmountMinimum'],
  }),
  amount: amount.meta({ description: 'The least subtotal, in minor units of `currency`.', examples: [5_000] }),
  currency: currency.meta({
    description: 'The currency of `amount`; an order in another currency does not fulfil the rule.',
    examples: ['USD'],
  }),
})

const orderMinQuantity = z.object({
  type: z.literal('OrderMinQuantity').meta({
    description: 'The order must hold a number of units that are paid for; gifts and free lines do not count.',
    examples: ['OrderMinQuantity'],
  }),
  quantity: units.meta({ description: 'How many units the order needs, all its lines together.', examples: [3] }),
})

/** A condition of a promotion. Source: reference, "Promotion"; the fields of each type are our own. */
export const promotionRule = z.discriminatedUnion('type', [containsProduct, orderAmountMinimum, orderMinQuantity], {
  error: 'must have a type: ContainsProduct, OrderAmountMinimum or OrderMinQuantity',
})
export type PromotionRule = z.output<typeof promotionRule>
