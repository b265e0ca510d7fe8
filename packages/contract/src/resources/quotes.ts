import { z } from 'zod'
import { exampleId, referenceTo } from '../ids.ts'
import { currency } from '../money.ts'
import { order } from './orders.ts'
import { newPayment } from './payments.ts'

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
