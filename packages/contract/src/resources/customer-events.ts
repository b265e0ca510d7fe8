import { z } from 'zod'
import { archived, updatedProperties } from '../changes.ts'
import { idOf } from '../ids.ts'

const customerId = idOf('customer', 'The id of the customer.')
const card = {
  paymentInstrumentId: idOf('paymentInstrument', 'The id of the payment instrument.'),
  brand: z.string().meta({ description: 'The network of the card.', examples: ['visa'] }),
  last4: z.string().meta({ description: 'The last four digits of the card.', examples: ['4242'] }),
}

/** Event types of customers, their cards and changes of their orders: part of `eventTypes`. */
export const customerEvents = {
  s_customer_created: z.object({ customerId }).meta({ description: 'A customer was created in a store.' }),
  s_customer_updated: z
    .object({ customerId, archived, ...updatedProperties })
    .meta({ description: 'A customer was changed, archived or unarchived through the API.' }),
  s_customer_erased: z
    .object({ customerId, erasureId: idOf('erasure', 'The erasure, with its receipt.') })
    .meta({ description: 'A customer was erased; whoever has a copy of their data should erase it too.' }),
  s_payment_instrument_created: z
    .object(card)
    .meta({ description: 'A card was stored for a customer and can be charged.' }),
  s_payment_instrument_updated: z
    .object({
      paymentInstrumentId: card.paymentInstrumentId,
      isActive: z.boolean().meta({ description: 'Whether it can be charged.', examples: [true] }),
      isDefault: z.boolean().meta({ description: 'Whether it is the customer’s default.', examples: [true] }),
      ...updatedProperties,
    })
    .meta({ description: 'A card was activated, deactivated, or became the default or ceased to be.' }),
  s_payment_instrument_renewed: z
    .object({
      paymentInstrumentId: card.paymentInstrumentId,
      expMonth: z.int().meta({ description: 'The month to the end of which it is valid now, 1 to 12.', examples: [6] }),
      expYear: z.int().meta({ description: 'The year of that month, in four digits.', examples: [2031] }),
      newLast4: z
        .string()
        .nullable()
        .meta({
          description:
            'The last four digits of the new number, which the processor charges from now on (`replacement` of the payment instrument); null where the card has kept its number.',
          examples: ['1111'],
        }),
    })
    .meta({
      description:
        'The issuer has renewed or replaced a card on file, which a processor’s account updater has told with a payment.',
    }),
  s_order_updated: z
    .object({ orderId: idOf('order', 'The id of the order.'), ...updatedProperties })
    .meta({ description: 'The metadata of an order was changed.' }),
  s_payment_instrument_deleted: z.object(card).meta({ description: 'A card was deleted for good.' }),
} as const
