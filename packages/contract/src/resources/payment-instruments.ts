import { z } from 'zod'
import { changeOf, revised } from '../changes.ts'
import { exampleId, idOf, referenceTo } from '../ids.ts'
import { timestamp } from '../text.ts'
import { createdCustomer, customer, customerData } from './customers.ts'

/** The details of a card that may be displayed. */
export const cardSummary = z
  .object({
    last4: z.string().meta({ description: 'The last four digits of the number.', examples: ['4242'] }),
    brand: z.string().meta({
      description: 'The card network; `unknown` if it cannot be derived from the number.',
      examples: ['visa'],
    }),
    expYear: z.int().meta({ description: 'The year of expiry, four digits.', examples: [2030] }),
    expMonth: z.int().meta({ description: 'The month of expiry, 1 to 12.', examples: [12] }),
  })
  .meta({ id: 'CardSummary', description: 'The details of a card that may be displayed.' })

export const cardFunding = z.enum(['credit', 'debit', 'prepaid', 'unknown'])
export const cardSegment = z.enum(['consumer', 'commercial', 'unknown'])

/** The wallets of browsers. */
export const walletName = z.enum(['apple_pay', 'google_pay'])
export type WalletName = z.output<typeof walletName>

/** The body of `POST /payment-instruments/create-from-token`. `serviceToken` comes from the card frame. */
export const instrumentFromToken = z.object({
  serviceToken: z
    .string()
    .min(1)
    .max(8_192)
    .meta({
      description:
        'The token from `card.tokenize()` in the page: single-use, valid for 15 minutes. In `local` and `development`, test tokens such as `tok_visa` are accepted, too.',
      examples: ['tok_visa'],
    }),
  storeId: referenceTo('store', 'The store in which the card will be charged.'),
  customerId: referenceTo('customer', 'The customer of the store that the card belongs to.').optional(),
  customerData: customerData.optional().meta({
    description: 'Without `customerId`: the store’s customer with this `email`, or a new one.',
  }),
})
export type InstrumentFromToken = z.output<typeof instrumentFromToken>

export const processorTokenStatus = z.enum(['active', 'used'])

/** Later charges of a card that its buyer agrees to. Source: Stripe, "setup_future_usage". */
export const futureUsage = z.enum(['on_session', 'off_session'])

const processorToken = z.object({
  processorId: idOf('processor', 'The processor that holds the card.'),
  processorType: z.string().meta({ description: 'The kind of processor.', examples: ['simulator'] }),
  token: z.string().meta({ description: 'The processor’s name for the card, masked.', examples: ['pm_****9f3a'] }),
  status: processorTokenStatus.meta({
    description:
      'Whether the processor can charge the card again by it: `active`, or `used` if it keeps the card for the payment only. The platform charges the card itself each time, not the token.',
    examples: ['used'],
  }),
  createdAt: timestamp.meta({ description: 'When the processor was last given the card.' }),
})

/** The fields of a payment instrument that an update can change. */
export const paymentInstrumentChange = changeOf({
  isActive: z.boolean().meta({
    description: 'Whether it can be charged. One that is not active is no default, and renewals with it are declined.',
    examples: [false],
  }),
  isDefault: z.boolean().meta({
    description: 'Whether it is the customer’s default: with `true`, the former default is none any more.',
    examples: [true],
  }),
})

export const paymentInstrument = z
  .object({
    id: idOf('paymentInstrument', 'The id of the payment instrument.'),
    type: z.literal('card').meta({ description: 'The type of the instrument.' }),
    customerId: idOf('customer', 'The customer that the card belongs to.'),
    accountId: idOf('account', 'The account that the instrument belongs to.'),
    isActive: z.boolean().meta({ description: 'Whether it can be charged.', examples: [true] }),
    isDefault: z.boolean().meta({ description: 'Whether it is the customer’s default.', examples: [true] }),
    tokenizer: z.string().meta({ description: 'Where the card number is stored.', examples: ['tillwright_vault'] }),
    createdAt: timestamp.meta({ description: 'When the instrument was created.' }),
    card: cardSummary.meta({ description: 'The card’s display details.' }),
    wallet: walletName.nullable().meta({
      description:
        'The wallet that the card came from; null for one that was typed. Unless it is a plain number out of Google Pay, the digits in `card` are those of a number that stands for the buyer’s device.',
      examples: ['apple_pay'],
    }),
    customer: customer.meta({ description: 'The customer that the card belongs to.' }),
    cardEnrichment: z
      .object({
        funding: cardFunding.meta({ description: 'The card’s funding type.' }),
        segment: cardSegment.meta({ description: 'The cardholder category the card was issued for.' }),
      })
      .meta({ description: 'Card details derived from the first digits of the number.' }),
    processorTokens: z.array(processorToken).meta({
      description:
        'Tokens of the card at processors: one entry for each processor that has authorized a payment with it, with its latest token. Empty before, and for processors that keep no card.',
    }),
    consent: z
      .object({
        usage: futureUsage.meta({
          description:
            '`on_session`: the buyer agreed to pay with the card again. `off_session`: to be charged in their absence as well.',
          examples: ['off_session'],
        }),
        paymentId: idOf('payment', 'The payment with which the buyer agreed.'),
        agreedAt: timestamp.meta({ description: 'When that payment was authorized.' }),
        networkTransactionId: z
          .string()
          .nullable()
          .meta({
            description:
              'The card network’s own id of that payment, which every later charge refers to; null where the processor tells none.',
            examples: ['016153570198200'],
          }),
      })
      .nullable()
      .meta({ description: 'The later charges of the card that the buyer agreed to; null for none.' }),
    replacement: cardSummary.omit({ brand: true }).nullable().meta({
      description:
        'The card that the issuer has given out in the place of this one, as a processor’s account updater has told with a payment. Its number is at that processor, which charges it in the place of the number in the vault; another processor is sent the former one. Null for none.',
    }),
    ...revised,
  })
  .meta({ id: 'PaymentInstrument', description: 'A card that can be charged.' })
export type PaymentInstrument = z.infer<typeof paymentInstrument>

/** The response to the deletion of a card. */
export const deletedPaymentInstrument = z.object({
  id: idOf('paymentInstrument', 'The id of the deleted payment instrument.'),
  deleted: z.literal(true).meta({ description: 'The card is gone.', examples: [true] }),
  subscriptionIds: z.array(z.string()).meta({
    description: 'Subscriptions that were charged to the card, at most 100: they need another one before they renew.',
    examples: [[exampleId('subscription')]],
  }),
})

/** The response of `POST /payment-instruments/create-from-token`. */
export const createdPaymentInstrument = z.object({
  paymentInstrument: paymentInstrument
    .extend({ customer: createdCustomer.meta({ description: 'The customer that the card belongs to.' }) })
    .meta({ id: 'CreatedPaymentInstrument', description: 'The new instrument.' }),
  customer: createdCustomer.meta({
    description: 'The customer that the instrument belongs to: given, found or created.',
  }),
})
export type CreatedPaymentInstrument = z.infer<typeof createdPaymentInstrument>
