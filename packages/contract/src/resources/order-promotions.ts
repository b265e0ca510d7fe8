import { z } from 'zod'
import { exampleId, idOf } from '../ids.ts'
import { amount } from '../money.ts'
import { timestamp } from '../text.ts'

const promotionId = idOf('promotion', 'The promotion.')
const name = z.string().meta({ description: 'What the promotion was called at the time.', examples: ['Summer sale'] })
const code = z
  .string()
  .nullable()
  .meta({ description: 'The promotion’s code at the time, or null.', examples: ['SUMMER10'] })

/** A promotion that an order has. */
export const appliedPromotion = z
  .object({
    promotionId,
    name,
    code,
    saving: amount.meta({
      description:
        'What it takes off, in minor units of the order’s currency; 0 for a gift or a free trial. The savings sum to ' +
        '`discountAmount` + `shippingDiscount`.',
      examples: [480],
    }),
    endsAt: timestamp.nullable().meta({
      description: 'When the promotion was to end at the time, and with it this price; null for one without an end.',
      examples: ['2030-09-01T00:00:00.000Z'],
    }),
  })
  .meta({ id: 'AppliedPromotion' })
export type AppliedPromotion = z.output<typeof appliedPromotion>

/** Why a promotion was left out of an order. */
const clause = z.enum([
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

/** A promotion that an order does not have, although its code was sent or it is automatic, and what did it. */
export const leftOutPromotion = z
  .object({
    promotionId,
    name,
    code,
    clause: clause.meta({
      description:
        'What did it. `rules`: they do not hold; `actions`: none of them finds something to act on; `usage_limit`: used ' +
        'up; `combination`: it does not stand together with a promotion that saves more; `saves_nothing`: nothing is ' +
        'left for it to take off.',
      examples: ['combination'],
    }),
    field: z.string().meta({
      description: 'The field of a promotion that did it, with its index.',
      examples: ['combinesWithOrderLevelDiscounts'],
    }),
    fieldOf: idOf(
      'promotion',
      'The promotion whose `field` it is: this one, or the one it does not stand together with.',
    ),
    withPromotionId: z
      .string()
      .nullable()
      .meta({
        description: 'The applied promotion that it does not stand together with, or null.',
        examples: [exampleId('promotion')],
      }),
    message: z.string().meta({
      description: 'The same in words, with what was lacking.',
      examples: ['It does not combine with order discounts, and "Autumn sale" is one that saves more.'],
    }),
  })
  .meta({ id: 'LeftOutPromotion' })
export type LeftOutPromotion = z.output<typeof leftOutPromotion>

/** Which promotions an order has and which it lacks, each with the reason. */
export const orderPromotions = z.object({
  applied: z.array(appliedPromotion).meta({
    description: 'What reduces the order: codes first, then by age.',
    examples: [
      [
        {
          promotionId: exampleId('promotion'),
          name: 'Summer sale',
          code: 'SUMMER10',
          saving: 480,
          endsAt: '2030-09-01T00:00:00.000Z',
        },
      ],
    ],
  }),
  leftOut: z.array(leftOutPromotion).meta({
    description: 'What was considered and does not reduce the order.',
    examples: [[]],
  }),
})
export type OrderPromotions = z.output<typeof orderPromotions>
