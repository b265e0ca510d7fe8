import { z } from 'zod'
import { changeOf, revised } from '../changes.ts'
import { exampleId, idOf, referenceTo } from '../ids.ts'
import { amount, currency } from '../money.ts'
import { timestamp } from '../text.ts'
import { address, metadataChange } from './customers.ts'
import { orderHook, orderHookExample } from './hooks.ts'
import { orderPromotions } from './order-promotions.ts'
import { newPayment } from './new-payment.ts'
import { chosenShipping } from './shipping-options.ts'
import { recurrence } from './subscriptions.ts'

export const orderStatus = z.enum(['pending', 'paid', 'refunded', 'canceled'])
export type OrderStatus = z.infer<typeof orderStatus>

/** A line of an order. Amounts are in the minor unit of the order's currency. */
export const orderLine = z
  .object({
    productId: idOf('product', 'The product.'),
    variantId: idOf('variant', 'The variant that was bought.'),
    priceId: idOf('price', 'The price it was bought at.'),
    name: z.string().meta({ description: 'The name of the item when it was bought.', examples: ['Tote bag, natural'] }),
    quantity: z.int().meta({ description: 'The quantity.', examples: [2] }),
    unitAmount: amount.meta({ description: 'The price of one unit, in minor units of the order’s currency.' }),
    discountAmount: amount.meta({
      description: 'The line’s discount in minor units, including its share of discounts on the whole order.',
      examples: [400],
    }),
    amount: amount.meta({
      description:
        'Unit price times quantity, less the discount and the deferred amount, in minor units of the order’s currency.',
    }),
    deferredAmount: amount.meta({
      description:
        'The amount due after a free trial or a period billed in arrears, in minor units, after the discount.',
      examples: [0],
    }),
    recurring: recurrence.nullable().meta({
      description: 'The billing interval; null for one-time purchases.',
      examples: [null],
    }),
    promotionId: z
      .string()
      .nullable()
      .meta({
        description: 'The promotion that added the line as a gift; null for a bought line.',
        examples: [null],
      }),
  })
  .meta({ id: 'OrderLine', description: 'An item of an order with its price.' })
export type OrderLine = z.infer<typeof orderLine>

/** The buyer of an order as entered by the buyer; empty or null where nothing was entered. */
export const orderBuyer = z
  .object({
    email: z.string().meta({ description: 'E-mail address; empty if unknown.', examples: ['ada@example.com'] }),
    firstName: z.string().meta({ description: 'Given name; empty if unknown.', examples: ['Ada'] }),
    lastName: z.string().meta({ description: 'Family name; empty if unknown.', examples: ['Byrne'] }),
    phone: z
      .string()
      .nullable()
      .meta({ description: 'Telephone number; null if unknown.', examples: ['+353 1 555 0100'] }),
    billingAddress: address.nullable().meta({ description: 'The billing address; null if unknown.' }),
    shippingAddress: address.nullable().meta({ description: 'The shipping address; null if unknown.' }),
  })
  .meta({ id: 'OrderBuyer', description: 'The buyer of an order, as entered by the buyer.' })
export type OrderBuyer = z.infer<typeof orderBuyer>

/** The fields of an order that an update can change. */
export const orderChange = changeOf({ metadata: metadataChange })

export const order = z
  .object({
    id: idOf('order', 'The id of the order.'),
    accountId: idOf('account', 'The account that the order belongs to.'),
    storeId: idOf('store', 'The store that sells.'),
    customerId: idOf('customer', 'The customer who bought it.'),
    paymentIds: z
      .array(z.string())
      .meta({ description: 'The payments of the order, the first one first.', examples: [[exampleId('payment')]] }),
    status: orderStatus.meta({ description: 'The status of the order.' }),
    currency: z
      .string()
      .meta({ description: 'The currency of all amounts of the order, as an ISO 4217 code.', examples: ['USD'] }),
    amount: amount.meta({ description: 'The total due now, in minor units of `currency`; 0 for a free order.' }),
    subtotal: amount.meta({
      description: 'The total of the lines before discounts and without shipping, in minor units of `currency`.',
      examples: [3_998],
    }),
    discountAmount: amount.meta({
      description: 'The discounts on the lines, in minor units of `currency`: the sum of the lines’ discounts.',
      examples: [400],
    }),
    shippingAmount: amount.meta({
      description: 'The shipping price before discounts, in minor units of `currency`.',
      examples: [500],
    }),
    shippingDiscount: amount.meta({
      description: 'The discount on shipping, in minor units of `currency`.',
      examples: [0],
    }),
    shippingOption: chosenShipping.nullable().meta({
      description:
        'The shipping option chosen in a page; null if nothing has to be shipped, and for orders created by a server, which sets the shipping price itself.',
    }),
    taxAmount: amount.meta({
      description:
        'The tax added to the lines and the shipping, in minor units of `currency`, as answered by the store’s `tax` hook; 0 without one, and where the prices contain the tax.',
      examples: [0],
    }),
    deferredAmount: amount.meta({
      description: 'The part of the lines that is due later, in minor units: the sum of the lines’ `deferredAmount`.',
      examples: [0],
    }),
    lines: z.array(orderLine).meta({ description: 'The lines of the order; empty if a plain amount was paid.' }),
    promotions: orderPromotions.meta({
      description: 'The promotions that apply to the order, those left out, and why.',
      examples: [{ applied: [], leftOut: [] }],
    }),
    hooks: z.array(orderHook).meta({
      description:
        'Questions to your own server for the order, in the order in which they were asked, with their answers.',
      examples: [[orderHookExample]],
    }),
    metadata: z
      .record(z.string(), z.string())
      .meta({ description: 'The metadata sent with the payment.', examples: [{ cart: 'c-1024' }] }),
    isPreview: z
      .boolean()
      .meta({ description: 'Whether the order belongs to a preview: nothing was sold.', examples: [false] }),
    buyer: orderBuyer
      .nullable()
      .meta({ description: 'The buyer’s details from the page’s session; null for orders created by a server.' }),
    createdAt: timestamp.meta({ description: 'When the order was created.' }),
    paidAt: timestamp.nullable().meta({ description: 'When the order was paid; null before that.' }),
    ...revised,
  })
  .meta({ id: 'Order', description: 'An order with its lines and payment status.' })
export type Order = z.infer<typeof order>

/** The body of `POST /api/payments/v1/orders/quote`: the fields of a payment that determine the price of its order. */
export const newQuote = z.object({
  storeId: referenceTo('store', 'The store that sells.'),
  currency: currency.meta({
    description: 'The currency of the prices, as an upper-case ISO 4217 code.',
    examples: ['USD'],
  }),
  lines: newPayment.shape.lines.unwrap().meta({
    description: 'The lines to price from the catalogue.',
    examples: [[{ variantId: exampleId('variant'), quantity: 2 }]],
  }),
  promotionCodes: newPayment.shape.promotionCodes,
  shippingAmount: newPayment.shape.shippingAmount,
  destination: newPayment.shape.destination,
})
export type NewQuote = z.output<typeof newQuote>

/** The price that an order would have now, with the reasons. Nothing is stored. */
export const quote = order
  .pick({
    storeId: true,
    currency: true,
    amount: true,
    subtotal: true,
    discountAmount: true,
    shippingAmount: true,
    shippingDiscount: true,
    taxAmount: true,
    deferredAmount: true,
    lines: true,
    promotions: true,
  })
  .meta({ id: 'Quote' })
export type Quote = z.output<typeof quote>
