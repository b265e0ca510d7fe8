import { z } from 'zod'
import { reference } from '../ids.ts'
import { timestamp } from '../text.ts'
import { createdCustomer, customer, customerData } from './customers.ts'

/** What may be shown of a card. */
export const cardSummary = z
  .object({ last4: z.string(), brand: z.string(), expYear: z.int(), expMonth: z.int() })
  .meta({ id: 'CardSummary' })

export const cardFunding = z.enum(['credit', 'debit', 'prepaid', 'unknown'])
export const cardSegment = z.enum(['consumer', 'commercial', 'unknown'])

/** The body of `POST /payment-instruments/create-from-token`. `serviceToken` comes from the card frame. */
export const instrumentFromToken = z.object({
  serviceToken: z.string().min(1).max(8_192),
  storeId: reference,
  customerId: reference.optional(),
  customerData: customerData.optional(),
})
export type InstrumentFromToken = z.output<typeof instrumentFromToken>

export const paymentInstrument = z
  .object({
    id: z.string(),
    type: z.literal('card'),
    customerId: z.string(),
    accountId: z.string(),
    isActive: z.boolean(),
    isDefault: z.boolean(),
    tokenizer: z.string(),
    createdAt: timestamp,
    card: cardSummary,
    customer,
    cardEnrichment: z.object({ funding: cardFunding, segment: cardSegment }),
    processorTokens: z.array(
      z.object({
        processorId: z.string(),
        processorType: z.string(),
        token: z.string(),
        status: z.string(),
        createdAt: timestamp,
      }),
    ),
  })
  .meta({ id: 'PaymentInstrument' })
export type PaymentInstrument = z.infer<typeof paymentInstrument>

export const createdPaymentInstrument = z.object({ paymentInstrument, customer: createdCustomer })
