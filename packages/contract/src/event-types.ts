import { z } from 'zod'
import { amount } from './money.ts'

const paid = { orderId: z.string(), amount, currency: z.string(), paymentId: z.string() }
const paymentMoved = { ...paid, paymentInstrumentId: z.string(), status: z.string() }

const promotion = {
  promotionId: z.string().meta({ description: 'The promotion.', examples: ['promo_0OqqjVMd5y9aBcDeFgHiJk'] }),
  name: z.string().meta({ description: 'What it is called.', examples: ['Summer sale'] }),
  code: z
    .string()
    .nullable()
    .meta({ description: 'Its code, or null.', examples: ['SUMMER10'] }),
}

/** Every type of event, with the schema of its `properties`. Named `s_<noun>_<verb>`. */
export const eventTypes = {
  s_store_created: z.object({ storeId: z.string(), name: z.string() }),
  s_product_created: z.object({ productId: z.string(), name: z.string() }),
  s_promotion_created: z.object(promotion),
  s_promotion_updated: z.object(promotion),
  s_promotion_applied: z.object({
    promotionId: promotion.promotionId,
    orderId: z.string().meta({ description: 'The order that was paid.', examples: ['order_0OqqjVMd5y9aBcDeFgHiJk'] }),
    amount: amount.meta({ description: 'What the promotion took off, in minor units.', examples: [480] }),
    currency: z.string().meta({ description: 'The order’s currency, ISO 4217.', examples: ['USD'] }),
  }),
  s_payment_flow_created: z.object({ paymentFlowId: z.string(), name: z.string() }),
  s_customer_created: z.object({ customerId: z.string() }),
  s_payment_instrument_created: z.object({ paymentInstrumentId: z.string(), brand: z.string(), last4: z.string() }),
  s_checkout_started: z.object({ orderId: z.string(), amount, currency: z.string() }),
  s_order_created: z.object({ orderId: z.string(), amount, currency: z.string() }),
  s_order_paid: z.object(paid),
  s_payment_created: z.object(paymentMoved),
  s_payment_succeeded: z.object({ ...paymentMoved, processorId: z.string() }),
  s_payment_failed: z.object({ ...paymentMoved, declineCode: z.string().nullable() }),
} as const

export type EventType = keyof typeof eventTypes
/** The `properties` of an event of the type. */
export type EventProperties<Type extends EventType> = z.output<(typeof eventTypes)[Type]>
