import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount } from '../money.ts'
import { timestamp } from '../text.ts'

export const orderStatus = z.enum(['pending', 'paid', 'refunded', 'canceled'])
export type OrderStatus = z.infer<typeof orderStatus>

/** One line of an order: what was bought at which price. Amounts are in the order's minor unit. */
export const orderLine = z
  .object({
    productId: idOf('product', 'The product.'),
    variantId: idOf('variant', 'The variant that was bought.'),
    priceId: idOf('price', 'The price it was bought at.'),
    name: z.string().meta({ description: 'What was bought, as it was called then.', examples: ['Tote bag, natural'] }),
    quantity: z.int().meta({ description: 'How many units.', examples: [1] }),
    unitAmount: amount.meta({ description: 'The price of one unit, in minor units of the order’s currency.' }),
    amount: amount.meta({ description: 'Unit price times quantity, in minor units of the order’s currency.' }),
  })
  .meta({ id: 'OrderLine', description: 'What was bought at which price.' })
export type OrderLine = z.infer<typeof orderLine>

export const order = z
  .object({
    id: idOf('order', 'The id of the order.'),
    accountId: idOf('account', 'The account that the order belongs to.'),
    storeId: idOf('store', 'The store that sells.'),
    customerId: idOf('customer', 'The customer who buys.'),
    status: orderStatus.meta({ description: 'Whether the order is paid.' }),
    currency: z.string().meta({ description: 'The ISO 4217 code of all amounts of the order.', examples: ['USD'] }),
    amount: amount.meta({ description: 'What the order costs, in minor units of `currency`.' }),
    lines: z.array(orderLine).meta({ description: 'What was bought; empty when a plain amount was paid.' }),
    metadata: z
      .record(z.string(), z.string())
      .meta({ description: 'What was sent with the payment.', examples: [{ cart: 'c-1024' }] }),
    createdAt: timestamp.meta({ description: 'When the order was made.' }),
    paidAt: timestamp.nullable().meta({ description: 'When it was paid; null until then.' }),
  })
  .meta({ id: 'Order', description: 'What was bought, and whether it is paid.' })
export type Order = z.infer<typeof order>
