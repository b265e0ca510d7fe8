import { z } from 'zod'
import { amount } from '../money.ts'
import { timestamp } from '../text.ts'

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
    amount,
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
    lines: z.array(orderLine),
    metadata: z.record(z.string(), z.string()),
    createdAt: timestamp,
    paidAt: timestamp.nullable(),
  })
  .meta({ id: 'Order' })
export type Order = z.infer<typeof order>
