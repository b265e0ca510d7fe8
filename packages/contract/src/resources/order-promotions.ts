import { z } from 'zod'
import { exampleId, idOf } from '../ids.ts'
import { amount } from '../money.ts'
import { timestamp } from '../text.ts'

const promotionId = idOf('promotion', 'The promotion.')
const name = z
  .string()
  .meta({ description: 'The promotion’s name when the order was priced.', examples: ['Summer sale'] })
const code = z
  .string()
  .nullable()
  .meta({ description: 'The promotion’s code when the order was priced, or null.', examples: ['SUMMER10'] })

/** A promotion that applies to an order. */
const appliedPromotion = z
  .object({
    promotionId,
    name,
    code,
    saving: amount.meta({
      description:
        'The discount, in minor units of the order’s currency; 0 for a gift or a free trial. The savings add up to ' +
        '`discountAmount` + `shippingDiscount`.',
      examples: [400],
    }),
    endsAt: timestamp.nullable().meta({
      description: 'When the promotion, and with it this price, was due to end; null if it has no end.',
      examples: ['2030-09-01T00:00:00.000Z'],
    }),
  })
  .meta({ id: 'AppliedPromotion' })
export type AppliedPromotion = z.output<typeof appliedPromotion>

/** Why a promotion was left out of an order. */
const clause = z.enum([
  'archived',
  'disabled',
  'not_started',
  'ended',
  'rules',
  'actions',
  'usage_limit',
  'combination',
  'saves_nothing',
])
export type LeftOutClause = z.output<typeof clause>

/** Condition of a promotion's rule or action that an order does not meet. */
const lackCode = z.enum([
  'named_units',
  'paid_units',
  'subtotal',
  'currency',
  'target_line',
  'line_with_price',
  'amount_to_take_off',
  'amount_in_currency',
  'shipping_with_price',
  'gift',
  'gift_on_sale',
  'recurring_line',
  'actions',
])
export type LackCode = z.output<typeof lackCode>

const lack = z.object({
  field: z.string().meta({ description: 'The rule or the action, with its index.', examples: ['rules[0]'] }),
  code: lackCode.meta({
    description:
      'Kind of thing that the order lacks. `named_units`, `paid_units`, `subtotal`: as many units of the rule’s products, paid units, or ' +
      'as high a subtotal, as the rule wants; `currency`: the rule’s currency; `target_line`, `line_with_price`, ' +
      '`recurring_line`, `shipping_with_price`: what the action could take something off; `amount_to_take_off`, ' +
      '`amount_in_currency`: what the action would take off, at all or in the order’s currency; `gift`, `gift_on_sale`: the ' +
      'item to add, at all or on sale; `actions`: the promotion has none.',
    examples: ['subtotal'],
  }),
  wanted: z
    .int()
    .nullable()
    .meta({
      description: 'Units, or minor units of `currency`, that the rule wants; otherwise null.',
      examples: [5_000],
    }),
  found: z
    .int()
    .nullable()
    .meta({ description: 'Quantity or amount in the order; otherwise null.', examples: [1_999] }),
  currency: z
    .string()
    .nullable()
    .meta({
      description: 'The currency of the rule, or the one that an action lacks; otherwise null.',
      examples: ['USD'],
    }),
})
export type Lack = z.output<typeof lack>

/** A promotion that does not apply to an order, although it is automatic or its code was sent, with the reason. */
const leftOutPromotion = z
  .object({
    promotionId,
    name,
    code,
    clause: clause.meta({
      description:
        'Why it was left out. `archived`, `disabled`, `not_started`, `ended`: so is the promotion; `rules`: its rules are not met; `actions`: none of its actions applies to anything; `usage_limit`: used ' +
        'up; `combination`: it cannot be combined with a promotion that saves more; `saves_nothing`: nothing is ' +
        'left to discount.',
      examples: ['combination'],
    }),
    field: z.string().meta({
      description: 'The promotion field responsible, with its index.',
      examples: ['combinesWithOrderLevelDiscounts'],
    }),
    fieldOf: idOf(
      'promotion',
      'The promotion that `field` belongs to: this one, or the one it cannot be combined with.',
    ),
    withPromotionId: z
      .string()
      .nullable()
      .meta({
        description: 'The applied promotion that it cannot be combined with, or null.',
        examples: [exampleId('promotion')],
      }),
    lacks: z.array(lack).meta({
      description: 'Missing parts of each rule or action, where `clause` is `rules` or `actions`; otherwise empty.',
      examples: [[]],
    }),
    message: z.string().meta({
      description: 'An explanation for people, including what was missing.',
      examples: ['It does not combine with order discounts, and “Autumn sale” saves more.'],
    }),
  })
  .meta({ id: 'LeftOutPromotion' })
export type LeftOutPromotion = z.output<typeof leftOutPromotion>

/** The promotions that apply to an order and those that do not, with reasons. */
export const orderPromotions = z.object({
  applied: z.array(appliedPromotion).meta({
    description: 'Promotions that apply: those with codes first, then by age.',
    examples: [
      [
        {
          promotionId: exampleId('promotion'),
          name: 'Summer sale',
          code: 'SUMMER10',
          saving: 400,
          endsAt: '2030-09-01T00:00:00.000Z',
        },
      ],
    ],
  }),
  leftOut: z.array(leftOutPromotion).meta({
    description: 'Promotions that were considered and do not apply.',
    examples: [[]],
  }),
})
export type OrderPromotions = z.output<typeof orderPromotions>
