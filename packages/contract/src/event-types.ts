import { z } from 'zod'
import { amount, currency } from './money.ts'

const orderId = z.string().meta({ description: 'The id of the order.', examples: ['order_0VbVJmlc4sQm9ZtKcWfH2d'] })
const paymentId = z.string().meta({ description: 'The id of the payment.', examples: ['pay_0VbVJmlc4sQm9ZtKcWfH2d'] })
const storeId = z.string().meta({ description: 'The id of the store.', examples: ['store_0VbVJmlc4sQm9ZtKcWfH2d'] })
const productId = z
  .string()
  .meta({ description: 'The id of the product.', examples: ['product_0VbVJmlc4sQm9ZtKcWfH2d'] })
const paymentFlowId = z
  .string()
  .meta({ description: 'The id of the payment flow.', examples: ['flow_0VbVJmlc4sQm9ZtKcWfH2d'] })
const customerId = z.string().meta({ description: 'The id of the customer.', examples: ['cus_0VbVJmlc4sQm9ZtKcWfH2d'] })
const paymentInstrumentId = z
  .string()
  .meta({ description: 'The id of the payment instrument.', examples: ['pi_0VbVJmlc4sQm9ZtKcWfH2d'] })
const processorId = z.string().meta({
  description: 'The id of the processor that took the payment.',
  examples: ['processor_0VbVJmlc4sQm9ZtKcWfH2d'],
})

/** A field that holds the name of what the event is about. */
const nameOf = (what: string, example: string) =>
  z.string().meta({ description: `The name of the ${what}.`, examples: [example] })

const money = {
  amount: amount.meta({ description: 'What the order costs, in minor units of its currency.', examples: [4200] }),
  currency: currency.meta({ description: 'Upper-case ISO 4217 code.', examples: ['EUR'] }),
}
const status = z.string().meta({ description: 'The status of the payment after this event.', examples: ['succeeded'] })

const paid = { orderId, ...money, paymentId }
const paymentMoved = { ...paid, paymentInstrumentId, status }

/** Every type of event, with the schema of its `properties` and when it happens. Named `s_<noun>_<verb>`. */
export const eventTypes = {
  s_store_created: z
    .object({ storeId, name: nameOf('store', 'Weaver & Byrne') })
    .meta({ description: 'A store was created.' }),
  s_product_created: z
    .object({ productId, name: nameOf('product', 'Canvas tote') })
    .meta({ description: 'A product was created, with its variants and prices.' }),
  s_payment_flow_created: z
    .object({ paymentFlowId, name: nameOf('payment flow', 'Europe') })
    .meta({ description: 'A payment flow was created.' }),
  s_customer_created: z.object({ customerId }).meta({ description: 'A buyer was seen for the first time in a store.' }),
  s_payment_instrument_created: z
    .object({
      paymentInstrumentId,
      brand: z.string().meta({ description: 'The network of the card.', examples: ['visa'] }),
      last4: z.string().meta({ description: 'The last four digits of the card.', examples: ['4242'] }),
    })
    .meta({ description: 'A card was stored for a customer and may be charged.' }),
  s_checkout_started: z
    .object({ orderId, ...money })
    .meta({ description: 'A buyer has begun to pay: the order is made and its payment about to be tried.' }),
  s_order_created: z.object({ orderId, ...money }).meta({ description: 'An order was made; it is not paid yet.' }),
  s_order_paid: z.object(paid).meta({ description: 'An order is paid in full.' }),
  s_payment_created: z
    .object(paymentMoved)
    .meta({ description: 'A payment was made and is about to be tried at a processor.' }),
  s_payment_succeeded: z
    .object({ ...paymentMoved, processorId })
    .meta({ description: 'A processor has taken a payment.' }),
  s_payment_failed: z
    .object({
      ...paymentMoved,
      declineCode: z
        .string()
        .nullable()
        .meta({ description: 'Why the issuer declined; null unless it did.', examples: ['insufficient_funds'] }),
    })
    .meta({ description: 'A payment was declined or has failed.' }),
} as const

export type EventType = keyof typeof eventTypes
/** The `properties` of an event of the type. */
export type EventProperties<Type extends EventType> = z.output<(typeof eventTypes)[Type]>
