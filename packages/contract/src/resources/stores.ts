import { z } from 'zod'
import { ownId, reference } from '../ids.ts'
import { currency, currencyList } from '../money.ts'
import { anyTimestamp, label, name, text, timestamp } from '../text.ts'

/** Fields of a store that are plain strings and come back as they were sent. */
const plainFields = {
  type: label.nullish(),
  syncLocale: label.nullish(),
  experimentalFeatures: text.nullish(),
  customThankYouUrl: text.nullish(),
  rebillSettings: text.nullish(),
  creditSettings: text.nullish(),
  config: text.nullish(),
}

/** The body of `POST /stores/create`. Source: reference, "POST /stores/create". */
export const newStore = z.object({
  id: ownId.optional(),
  accountId: reference.optional(),
  name,
  presentmentCurrencies: currencyList.nullish(),
  chargeCurrencies: currencyList.nullish(),
  baseCurrency: currency.nullish(),
  credentials: text.nullish(),
  selectedPaymentFlowId: reference.nullish(),
  ...plainFields,
  createdAt: anyTimestamp.optional(),
  updatedAt: anyTimestamp.optional(),
  flaggedForDeletionAt: anyTimestamp.nullish(),
  lastTimeFlaggedForDeletionAt: anyTimestamp.nullish(),
  walletSubscriptionEnabled: z.boolean().default(false),
  multipleSubscriptionsPerCustomerEnabled: z.boolean().default(false),
  createDemoProducts: z.boolean().default(false),
})
export type NewStore = z.output<typeof newStore>

/** A store. `credentials` are kept encrypted and never returned. */
export const store = z
  .object({
    id: z.string(),
    accountId: z.string(),
    name: z.string(),
    presentmentCurrencies: z.string().nullable(),
    chargeCurrencies: z.string().nullable(),
    baseCurrency: z.string().nullable(),
    selectedPaymentFlowId: z.string().nullable(),
    type: z.string().nullable(),
    syncLocale: z.string().nullable(),
    experimentalFeatures: z.string().nullable(),
    customThankYouUrl: z.string().nullable(),
    rebillSettings: z.string().nullable(),
    creditSettings: z.string().nullable(),
    config: z.string().nullable(),
    walletSubscriptionEnabled: z.boolean(),
    multipleSubscriptionsPerCustomerEnabled: z.boolean(),
    flaggedForDeletionAt: timestamp.nullable(),
    lastTimeFlaggedForDeletionAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Store' })
export type Store = z.infer<typeof store>
