import { z } from 'zod'
import { idOf, referenceTo } from '../ids.ts'
import { timestamp } from '../text.ts'
import { createdCustomer, customer, customerData } from './customers.ts'

/** What may be shown of a card. */
export const cardSummary = z
  .object({
    last4: z.string().meta({ description: 'The last four digits of the number.', examples: ['4242'] }),
    brand: z
      .string()
      .meta({ description: 'The card network; `unknown` when the number tells none.', examples: ['visa'] }),
    expYear: z.int().meta({ description: 'The year of expiry, four digits.', examples: [2030] }),
    expMonth: z.int().meta({ description: 'The month of expiry, 1 to 12.', examples: [12] }),
  })
  .meta({ id: 'CardSummary', description: 'What may be shown of a card.' })

export const cardFunding = z.enum(['credit', 'debit', 'prepaid', 'unknown'])
export const cardSegment = z.enum(['consumer', 'commercial', 'unknown'])

/** The body of `POST /payment-instruments/create-from-token`. `serviceToken` comes from the card frame. */
export const instrumentFromToken = z.object({
  serviceToken: z
    .string()
    .min(1)
    .max(8_192)
    .meta({
      description: 'What `card.tokenize()` returned in the page: good once, for 15 minutes.',
      examples: ['eyJ2IjoxLCJ0eXBlIjoiY2FyZCIsInByb3ZpZGVyIjoidGlsbHdyaWdodCJ9'],
    }),
  storeId: referenceTo('store', 'The store that the card will be charged in.'),
  customerId: referenceTo('customer', 'A customer of the store that the card belongs to.').optional(),
  customerData: customerData.optional().meta({
    description: 'Without `customerId`: the customer is found by `email` in the store, or made.',
  }),
})
export type InstrumentFromToken = z.output<typeof instrumentFromToken>

const processorToken = z.object({
  processorId: idOf('processor', 'The processor that knows the card.'),
  processorType: z.string().meta({ description: 'The kind of processor.', examples: ['simulator'] }),
  token: z.string().meta({ description: 'What the processor calls the card, masked.', examples: ['tok_****9f3a'] }),
  status: z.string().meta({ description: 'Whether the processor still takes it.', examples: ['active'] }),
  createdAt: timestamp.meta({ description: 'When the processor was given the card.' }),
})

export const paymentInstrument = z
  .object({
    id: idOf('paymentInstrument', 'The id of the payment instrument.'),
    type: z.literal('card').meta({ description: 'What kind of instrument it is.' }),
    customerId: idOf('customer', 'The customer whom the card belongs to.'),
    accountId: idOf('account', 'The account that the instrument belongs to.'),
    isActive: z.boolean().meta({ description: 'Whether it can be charged.', examples: [true] }),
    isDefault: z.boolean().meta({ description: 'Whether it is the customer’s first choice.', examples: [true] }),
    tokenizer: z.string().meta({ description: 'Who keeps the card number.', examples: ['tillwright_vault'] }),
    createdAt: timestamp.meta({ description: 'When the instrument was made.' }),
    card: cardSummary.meta({ description: 'What may be shown of the card.' }),
    customer: customer.meta({ description: 'The customer whom the card belongs to.' }),
    cardEnrichment: z
      .object({
        funding: cardFunding.meta({ description: 'How the card draws on money.' }),
        segment: cardSegment.meta({ description: 'Whom the card was issued to.' }),
      })
      .meta({ description: 'What the first digits of the number tell of the card.' }),
    processorTokens: z.array(processorToken).meta({ description: 'What processors call the card.' }),
  })
  .meta({ id: 'PaymentInstrument', description: 'A card that may be charged.' })
export type PaymentInstrument = z.infer<typeof paymentInstrument>

export const createdPaymentInstrument = z.object({
  paymentInstrument: paymentInstrument.meta({ description: 'The new instrument.' }),
  customer: createdCustomer.meta({ description: 'The customer whom it belongs to: named, found or made.' }),
})
