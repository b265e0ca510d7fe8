import { z } from 'zod'
import { exampleId, reference } from '../ids.ts'
import {
  GIFT_UNITS_MAX,
  LINE_QUANTITY_MAX,
  ORDER_LINES_MAX,
  PROMOTION_RULE_IDS_MAX,
  TRIAL_DAYS_MAX,
} from '../limits.ts'
import { amount, currency } from '../money.ts'

const percentage = z
  .number()
  .gt(0)
  .max(100)
  .refine((value) => Number(value.toFixed(2)) === value, 'must have at most two decimals')
  .meta({
    description: 'The percentage to take off: more than 0, at most 100, with at most two decimals.',
    examples: [12.5],
  })

const amounts = z
  .record(
    currency,
    z.object({
      amount: amount
        .refine((value) => value !== 0, { error: 'must be more than 0', params: { code: 'amount_invalid' } })
        .meta({
          description: 'The amount to take off, in minor units of the currency that is its key.',
          examples: [500],
        }),
    }),
  )
  .refine((value) => Object.keys(value).length > 0, 'must have at least one currency, such as {"USD":{"amount":500}}')

const byPercentage = z
  .literal('percentage')
  .default('percentage')
  .meta({ description: 'How the adjustment is calculated.', examples: ['percentage'] })
const byAmount = z
  .literal('amount')
  .default('amount')
  .meta({ description: 'How the adjustment is calculated.', examples: ['amount'] })

/** The type field of an action, with a description of the action. */
const type = <Type extends string>(name: Type, description: string) =>
  z.literal(name).meta({ description, examples: [name] })

const target = {
  targetProductId: reference
    .nullable()
    .default(null)
    .meta({
      description: 'The product whose lines are adjusted; null for the lines of every product.',
      examples: [exampleId('product')],
    }),
  targetVariantId: reference
    .nullable()
    .default(null)
    .meta({
      description: 'The variant whose lines are adjusted; null for the lines of every variant.',
      examples: [exampleId('variant')],
    }),
}

const lineItemPercentage = z.object({
  type: type('LineItemPercentageAdjustment', 'Takes a percentage off the selected lines.'),
  adjustmentType: byPercentage,
  adjustmentPercentage: percentage,
  ...target,
})

const lineItemAmount = z.object({
  type: type('LineItemAmountAdjustment', 'Takes an amount off each unit of the selected lines.'),
  adjustmentType: byAmount,
  adjustmentAmount: amounts.meta({
    description: 'The amount off each unit, by currency; the action has no effect in currencies not listed.',
    examples: [{ USD: { amount: 500 } }],
  }),
  ...target,
})

const orderPercentage = z.object({
  type: type('OrderPercentageAdjustment', 'Takes a percentage off what remains after line item adjustments.'),
  adjustmentType: byPercentage,
  adjustmentPercentage: percentage,
})

const orderAmount = z.object({
  type: type('OrderAmountAdjustment', 'Takes an amount off what remains after line item adjustments.'),
  adjustmentType: byAmount,
  adjustmentAmount: amounts.meta({
    description: 'The amount off the order, by currency; the action has no effect in currencies not listed.',
    examples: [{ USD: { amount: 1_000 } }],
  }),
})

const unadjusted = {
  type: 'ShippingAdjustment',
  free: false,
  adjustmentType: null,
  adjustmentPercentage: null,
  adjustmentAmount: null,
}
const shipping = z
  .object({
    type: type('ShippingAdjustment', 'Reduces the shipping price: to zero, by a percentage or by an amount.'),
    free: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether shipping is free; the other fields are null in this case.', examples: [true] }),
    adjustmentType: z
      .enum(['percentage', 'amount'])
      .nullable()
      .default(null)
      .meta({
        description: 'How the adjustment is calculated; optional, because it follows from the field that is given.',
        examples: [null],
      }),
    adjustmentPercentage: percentage
      .nullable()
      .default(null)
      .meta({
        description: 'The percentage to take off the shipping: more than 0, at most 100, with at most two decimals.',
        examples: [null],
      }),
    adjustmentAmount: amounts
      .nullable()
      .default(null)
      .meta({
        description: 'The amount off the shipping, by currency.',
        examples: [null],
      }),
  })
  .superRefine(singleAdjustment)
  .meta({
    examples: [
      { ...unadjusted, free: true },
      { ...unadjusted, adjustmentType: 'percentage', adjustmentPercentage: 50 },
      { ...unadjusted, adjustmentType: 'amount', adjustmentAmount: { USD: { amount: 500 } } },
    ],
  })

const createLineItem = z
  .object({
    type: type('CreateLineItem', 'Adds a gift to the order: units of a variant at no cost.'),
    productId: reference
      .nullable()
      .default(null)
      .meta({
        description: 'The product to give, in its default variant unless `variantId` names another.',
        examples: [exampleId('product')],
      }),
    variantId: reference
      .nullable()
      .default(null)
      .meta({
        description: 'The variant to give; at least one of `productId` and `variantId` is required.',
        examples: [exampleId('variant')],
      }),
    quantity: z
      .int()
      .min(1)
      .max(GIFT_UNITS_MAX)
      .default(1)
      .meta({ description: 'The number of units to give, once per order.', examples: [1] }),
  })
  .refine(({ productId, variantId }) => productId !== null || variantId !== null, {
    path: ['productId'],
    error: 'is required unless variantId is given: name the gift',
  })

const freeTrial = z.object({
  type: type('SubscriptionLineItemFreeTrial', 'Starts the selected subscriptions with a free trial.'),
  trialDays: z
    .int()
    .min(1)
    .max(TRIAL_DAYS_MAX)
    .meta({
      description: 'The length of the trial in days; if there are several trials, the longest counts.',
      examples: [14],
    }),
  ...target,
})

/** An action of a promotion. Source: reference, "Promotion"; the fields of each type are our own. */
export const promotionAction = z.discriminatedUnion(
  'type',
  [lineItemPercentage, lineItemAmount, orderPercentage, orderAmount, shipping, createLineItem, freeTrial],
  {
    error:
      'must have a type: LineItemPercentageAdjustment, LineItemAmountAdjustment, OrderPercentageAdjustment, ' +
      'OrderAmountAdjustment, ShippingAdjustment, CreateLineItem or SubscriptionLineItemFreeTrial',
  },
)
export type PromotionAction = z.output<typeof promotionAction>

interface ShippingAdjustmentFields {
  free: boolean
  adjustmentType: 'percentage' | 'amount' | null
  adjustmentPercentage: number | null
  adjustmentAmount: object | null
}

function singleAdjustment(action: ShippingAdjustmentFields, context: z.RefinementCtx) {
  const { free, adjustmentPercentage, adjustmentAmount } = action
  const given = adjustmentPercentage !== null ? 'percentage' : adjustmentAmount !== null ? 'amount' : null
  if (given === null && !free) {
    const message = 'is required unless adjustmentAmount or free: true is given'
    context.addIssue({ code: 'custom', path: ['adjustmentPercentage'], message })
    return
  }
  if (given !== null && free) {
    const path = [given === 'percentage' ? 'adjustmentPercentage' : 'adjustmentAmount']
    context.addIssue({ code: 'custom', path, message: 'must be null or left out when shipping is free' })
    return
  }
  if (adjustmentPercentage !== null && adjustmentAmount !== null) {
    const message = 'must be null or left out when adjustmentPercentage is given'
    context.addIssue({ code: 'custom', path: ['adjustmentAmount'], message })
    return
  }
  if (action.adjustmentType === null || action.adjustmentType === given) return
  const message = given === null ? 'must be null or left out when shipping is free' : `must be "${given}" or left out`
  context.addIssue({ code: 'custom', path: ['adjustmentType'], message })
}

/** The largest number of units in an order: the maximum number of lines, each with the maximum quantity. */
const UNITS_MAX = ORDER_LINES_MAX * LINE_QUANTITY_MAX

const ids = z.array(reference).max(PROMOTION_RULE_IDS_MAX).default([])
const units = z.int().min(1).max(UNITS_MAX)

const containsProduct = z
  .object({
    type: z.literal('ContainsProduct').meta({
      description: 'The order must contain at least `quantity` units of the named products or variants.',
      examples: ['ContainsProduct'],
    }),
    productIds: ids.meta({
      description: 'Products of the store; any of their variants counts.',
      examples: [[exampleId('product')]],
    }),
    variantIds: ids.meta({
      description:
        'Variants of the store that count in addition to the products. At least one product or variant is required.',
      examples: [[exampleId('variant')]],
    }),
    quantity: units.default(1).meta({
      description: 'The number of these units that the order needs, across all its lines.',
      examples: [2],
    }),
  })
  .refine(({ productIds, variantIds }) => productIds.length + variantIds.length > 0, {
    path: ['productIds'],
    error: 'must name at least one product unless variantIds names a variant',
  })

const orderAmountMinimum = z.object({
  type: z.literal('OrderAmountMinimum').meta({
    description: 'The subtotal, before discounts and without shipping, must reach an amount.',
    examples: ['OrderAmountMinimum'],
  }),
  amount: amount.meta({ description: 'The minimum subtotal, in minor units of `currency`.', examples: [5_000] }),
  currency: currency.meta({
    description: 'The currency of `amount`; orders in other currencies do not meet the rule.',
    examples: ['USD'],
  }),
})

const orderMinQuantity = z.object({
  type: z.literal('OrderMinQuantity').meta({
    description: 'The order must contain a number of paid units; gifts and free lines do not count.',
    examples: ['OrderMinQuantity'],
  }),
  quantity: units.meta({
    description: 'The number of units that the order needs, across all its lines.',
    examples: [3],
  }),
})

/** A condition of a promotion. Source: reference, "Promotion"; the fields of each type are our own. */
export const promotionRule = z.discriminatedUnion('type', [containsProduct, orderAmountMinimum, orderMinQuantity], {
  error: 'must have a type: ContainsProduct, OrderAmountMinimum or OrderMinQuantity',
})
export type PromotionRule = z.output<typeof promotionRule>
