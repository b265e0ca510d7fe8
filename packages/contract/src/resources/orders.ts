import { z } from 'zod'
import { exampleId, idOf, referenceTo } from '../ids.ts'
import { amount, currency } from '../money.ts'
import { timestamp } from '../text.ts'
import { address } from './customers.ts'
import { newPayment } from './payments.ts'
import { chosenShipping } from './shipping-options.ts'
import { recurrence } from './subscriptions.ts'

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

/** The body of `POST /api/payments/v1/orders/quote`: what a payment of lines says of its order. */
export const newQuote = z.object({
  storeId: referenceTo('store', 'The store that sells.'),
  currency: currency.meta({ description: 'The currency to price in, upper-case ISO 4217.', examples: ['USD'] }),
  lines: newPayment.shape.lines.unwrap().meta({
    description: 'What is to be bought, priced from the catalogue.',
    examples: [[{ variantId: exampleId('variant'), quantity: 2 }]],
  }),
  promotionCodes: newPayment.shape.promotionCodes,
  shippingAmount: newPayment.shape.shippingAmount,
})
export type NewQuote = z.output<typeof newQuote>

/** What an order would cost now, and why. Nothing is kept of it. */
export const quote = order
  .pick({
    storeId: true,
    currency: true,
    amount: true,
    subtotal: true,
    discountAmount: true,
    shippingAmount: true,
    shippingDiscount: true,
    deferredAmount: true,
    lines: true,
    promotions: true,
  })
  .meta({ id: 'Quote' })
export type Quote = z.output<typeof quote>
