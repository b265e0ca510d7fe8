import { z } from 'zod'
import { amount } from '../money.ts'
import { timestamp } from '../text.ts'
import { orderPromotions } from './order-promotions.ts'

export const orderStatus = z.enum(['pending', 'paid', 'refunded', 'canceled'])
export type OrderStatus = z.infer<typeof orderStatus>

/** One line of an order: what was bought at which price. Amounts are in the order's minor unit. */
export const orderLine = z
  .object({
    productId: z.string(),
    variantId: z.string(),
    priceId: z.string(),
    name: z.string(),
    quantity: z.int(),
    unitAmount: amount,
    discountAmount: amount.meta({
      description: 'What promotions take off the line, its share of the order’s discounts included, in minor units.',
      examples: [480],
    }),
    amount,
    promotionId: z
      .string()
      .nullable()
      .meta({
        description: 'The promotion that gave the line as a gift; null for a line that was bought.',
        examples: [null],
      }),
  })
  .meta({ id: 'OrderLine' })
export type OrderLine = z.infer<typeof orderLine>

export const order = z
  .object({
    id: z.string(),
    accountId: z.string(),
    storeId: z.string(),
    customerId: z.string(),
    status: orderStatus,
    currency: z.string(),
    amount,
    subtotal: amount.meta({
      description: 'The lines before discounts and without shipping, in minor units of `currency`.',
      examples: [4_800],
    }),
    discountAmount: amount.meta({
      description: 'What promotions take off the lines, in minor units: the sum of the lines’ discounts.',
      examples: [480],
    }),
    shippingAmount: amount.meta({
      description: 'The shipping before discounts, in minor units of `currency`.',
      examples: [500],
    }),
    shippingDiscount: amount.meta({
      description: 'What promotions take off the shipping, in minor units of `currency`.',
      examples: [0],
    }),
    lines: z.array(orderLine),
    promotions: orderPromotions.meta({
      description: 'Which promotions reduce the order, which were left out, and why.',
      examples: [{ applied: [], leftOut: [] }],
    }),
    metadata: z.record(z.string(), z.string()),
    createdAt: timestamp,
    paidAt: timestamp.nullable(),
  })
  .meta({ id: 'Order' })
export type Order = z.infer<typeof order>
