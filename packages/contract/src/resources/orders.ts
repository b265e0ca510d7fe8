import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount } from '../money.ts'
import { timestamp } from '../text.ts'
import { address } from './customers.ts'
import { orderPromotions } from './order-promotions.ts'
import { chosenShipping } from './shipping-options.ts'
import { recurrence } from './subscriptions.ts'

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
    discountAmount: amount.meta({
      description: 'What promotions take off the line, its share of the order’s discounts included, in minor units.',
      examples: [480],
    }),
    amount: amount.meta({
      description:
        'Unit price times quantity less the discount and what is paid later, in minor units of the order’s currency.',
    }),
    deferredAmount: amount.meta({
      description:
        'What is paid when a free trial, or a period that is paid in arrears, is over: in minor units, after the discount.',
      examples: [0],
    }),
    recurring: recurrence.nullable().meta({
      description: 'How often it is paid; null for what is bought once.',
      examples: [null],
    }),
    promotionId: z
      .string()
      .nullable()
      .meta({
        description: 'The promotion that gave the line as a gift; null for a line that was bought.',
        examples: [null],
      }),
  })
  .meta({ id: 'OrderLine', description: 'What was bought at which price.' })
export type OrderLine = z.infer<typeof orderLine>

/** Whom an order goes to, in the buyer's own words; empty or null where nothing was said. */
export const orderBuyer = z
  .object({
    email: z.string().meta({ description: 'E-mail address; empty when unknown.', examples: ['ada@example.com'] }),
    firstName: z.string().meta({ description: 'Given name; empty when unknown.', examples: ['Ada'] }),
    lastName: z.string().meta({ description: 'Family name; empty when unknown.', examples: ['Byrne'] }),
    phone: z
      .string()
      .nullable()
      .meta({ description: 'Telephone number; null when unknown.', examples: ['+353 1 555 0100'] }),
    billingAddress: address.nullable().meta({ description: 'Where the card’s statements go; null when unknown.' }),
    shippingAddress: address.nullable().meta({ description: 'Where the goods go; null when unknown.' }),
  })
  .meta({ id: 'OrderBuyer', description: 'Whom an order goes to, in the buyer’s own words.' })
export type OrderBuyer = z.infer<typeof orderBuyer>

export const order = z
  .object({
    id: idOf('order', 'The id of the order.'),
    accountId: idOf('account', 'The account that the order belongs to.'),
    storeId: idOf('store', 'The store that sells.'),
    customerId: idOf('customer', 'The customer who buys.'),
    status: orderStatus.meta({ description: 'Whether the order is paid.' }),
    currency: z.string().meta({ description: 'The ISO 4217 code of all amounts of the order.', examples: ['USD'] }),
    amount: amount.meta({ description: 'What the order costs now, in minor units of `currency`: 0 for a free one.' }),
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
    shippingOption: chosenShipping.nullable().meta({
      description:
        'How a buyer’s page had it shipped; null where nothing has to be shipped, and for an order of a server, which says what shipping costs by itself.',
    }),
    deferredAmount: amount.meta({
      description: 'What of the lines is paid later, in minor units: the sum of the lines’ `deferredAmount`.',
      examples: [0],
    }),
    lines: z.array(orderLine).meta({ description: 'What was bought; empty when a plain amount was paid.' }),
    promotions: orderPromotions.meta({
      description: 'Which promotions reduce the order, which were left out, and why.',
      examples: [{ applied: [], leftOut: [] }],
    }),
    metadata: z
      .record(z.string(), z.string())
      .meta({ description: 'What was sent with the payment.', examples: [{ cart: 'c-1024' }] }),
    isPreview: z.boolean().meta({ description: 'Whether it is a preview’s: nothing was sold.', examples: [false] }),
    buyer: orderBuyer
      .nullable()
      .meta({ description: 'What the buyer said in the session of the page; null for an order of a server.' }),
    createdAt: timestamp.meta({ description: 'When the order was made.' }),
    paidAt: timestamp.nullable().meta({ description: 'When it was paid; null until then.' }),
  })
  .meta({ id: 'Order', description: 'What was bought, and whether it is paid.' })
export type Order = z.infer<typeof order>
