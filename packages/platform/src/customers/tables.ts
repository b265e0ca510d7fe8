import { type CustomerRecord, type PaymentInstrument, processorTokenStatus } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, oneOf, text } from '../storage/index.ts'

export const customersTable = defineTable('customers', {
  account_id: text,
  id: text,
  store_id: text,
  email: text,
  email_key: nullable(text),
  first_name: text,
  last_name: text,
  details: json<Partial<Pick<CustomerRecord, 'phone' | 'billingAddress' | 'shippingAddress'>>>(),
  metadata: json<CustomerRecord['metadata']>(),
  archived: flag,
  revision: int,
  created_at: int,
  updated_at: int,
  /** When the erasure of the customer began; nothing new may be stored of them from then on. */
  erased_at: nullable(int),
})

/** Later charges of a card that its buyer agreed to, as they are stored. */
export interface Consent extends Pick<ShownConsent, 'usage' | 'paymentId' | 'networkTransactionId'> {
  agreedMs: number
}

type ShownConsent = NonNullable<PaymentInstrument['consent']>

/** The card that an issuer has given out in the place of one that is on file, whose number is at a processor alone. */
export type Replacement = NonNullable<PaymentInstrument['replacement']>

export const paymentInstrumentsTable = defineTable('payment_instruments', {
  account_id: text,
  id: text,
  store_id: text,
  customer_id: text,
  card_id: text,
  is_active: flag,
  is_default: flag,
  is_customer_proven: flag,
  /** The later charges that the buyer agreed to; NULL for none. */
  consent: nullable(json<Consent>()),
  /** The card that the issuer has given out in its place; NULL for none. */
  replacement: nullable(json<Replacement>()),
  /** Whether the issuer has told that the buyer keeps the merchant on their list of trusted beneficiaries. */
  is_trusted: flag,
  revision: int,
  created_at: int,
  updated_at: int,
})

/** Processors' tokens for a card, by the latest payment that each has authorized with it. */
export const processorTokensTable = defineTable('processor_tokens', {
  account_id: text,
  payment_instrument_id: text,
  processor_id: text,
  processor_type: text,
  token: text,
  status: oneOf(processorTokenStatus.options),
  created_at: int,
})
