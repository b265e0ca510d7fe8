import { z } from 'zod'
import { archived, changeOf, revised } from '../changes.ts'
import { idOf, ownId, referenceTo } from '../ids.ts'
import { currency, currencyList } from '../money.ts'
import { anyTimestamp, label, name, text, timestamp, webAddress } from '../text.ts'

/** Descriptions of the fields of a store in requests and responses. */
const meaning = {
  name: { description: 'The store’s name.', examples: ['Harbour Goods'] },
  presentmentCurrencies: {
    description:
      'The currencies that a page may show prices in, ISO 4217 codes separated by commas: it can switch a session to these only. Without them those of `chargeCurrencies`, or any.',
    examples: ['USD,EUR'],
  },
  chargeCurrencies: {
    description:
      'The currencies that cards are charged in, ISO 4217 codes separated by commas: a quote or a payment in any other is a 400. Without them any currency that the prices have. Subscriptions go on in the currency they were bought in.',
    examples: ['USD'],
  },
  baseCurrency: {
    description:
      'The store’s main currency, an ISO 4217 code: that of a session whose page names none, if pages may show it; otherwise the first one that they may.',
    examples: ['USD'],
  },
  type: {
    description: 'The category of the store, in your own words. Kept only: your reports group stores by it.',
    examples: ['retail'],
  },
  syncLocale: {
    description: 'The language of product texts: pages of the store get it as their `locale`.',
    examples: ['en-US'],
  },
  experimentalFeatures: {
    description:
      'Experimental features of this store. Kept only: the platform has none to switch by store, so it is for pages and servers of your own.',
    examples: ['new-receipt'],
  },
  customThankYouUrl: {
    description:
      'Your own page for buyers who have paid: pages of plugins send them there instead of to the funnel’s thank-you step, with the paid orders as `orderId` in the query. Must be an `https:` address without a password; `local` accepts `http:` too. Empty for none.',
    examples: ['https://shop.example/thanks'],
  },
  rebillSettings: {
    description:
      'When a declined renewal is tried again, as JSON: `retryDays`, the days from each try to the next (at most 10, each 1 to 60), or `retries`, how many tries of the default `[1,2,2,2]` (0 to 10; further ones after 2 days each). After the last one the subscription is canceled. It applies to subscriptions bought from then on. Any other text is kept and has no effect.',
    examples: ['{"retryDays":[1,3,7]}'],
  },
  creditSettings: {
    description:
      'The store credit policy. Kept only: the platform grants no store credit, so it is for a server of your own.',
    examples: ['{"enabled":false}'],
  },
  config: {
    description: 'Further settings of your own. Kept only: they are for pages and servers of your own.',
    examples: ['{"theme":"light"}'],
  },
  walletSubscriptionEnabled: {
    description: 'Whether subscriptions may be paid with a wallet. Kept only: every subscription is charged to a card.',
    examples: [false],
  },
  multipleSubscriptionsPerCustomerEnabled: {
    description:
      'Whether a customer may have several subscriptions of the store at once. If not, an order that would start a second one is a 409 until the first is canceled.',
    examples: [true],
  },
  createdAt: { description: 'When the store was created.' },
  updatedAt: { description: 'When the store was last changed.' },
  flaggedForDeletionAt: {
    description:
      'When the store was marked for deletion. Kept only: the platform deletes no store, so it is for a clean-up of your own.',
  },
  lastTimeFlaggedForDeletionAt: {
    description: 'When the store was last marked for deletion. Kept only, like `flaggedForDeletionAt`.',
  },
}

/** The days from each declined try of a renewal to the next, if a store says nothing else. */
const DEFAULT_RETRY_DAYS: readonly number[] = [1, 2, 2, 2]
const FURTHER_RETRY_DAYS = 2
const RETRIES_MAX = 10

const rebillJson = z.object({
  retries: z.int().min(0).max(RETRIES_MAX).optional(),
  retryDays: z.array(z.int().min(1).max(60)).max(RETRIES_MAX).optional(),
})
const REBILL_RULE =
  'must have "retries" from 0 to 10, or "retryDays" with at most 10 whole numbers from 1 to 60, such as {"retryDays":[1,3,7]}'

function rebillPolicy(settings: string): z.output<typeof rebillJson> | 'invalid' {
  try {
    const sent: unknown = JSON.parse(settings)
    const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
    return isObject ? (rebillJson.safeParse(sent).data ?? 'invalid') : {}
  } catch {
    return {} // a text of the store's own
  }
}

/**
 * The days from each declined try of a renewal to the next one; after as many tries the subscription is canceled.
 *
 * @param settings A store's `rebillSettings`.
 */
export function retryDaysOf({ rebillSettings }: Pick<Store, 'rebillSettings'>): readonly number[] {
  const policy = rebillSettings === null ? {} : rebillPolicy(rebillSettings)
  if (policy === 'invalid') return DEFAULT_RETRY_DAYS
  const { retryDays, retries = DEFAULT_RETRY_DAYS.length } = policy
  return retryDays ?? Array.from({ length: retries }, (_, index) => DEFAULT_RETRY_DAYS[index] ?? FURTHER_RETRY_DAYS)
}

const thankYouUrl = z
  .string()
  .max(2_048)
  .refine(
    (sent) => sent === '' || webAddress.safeParse(sent).success,
    'must be an absolute https: address, such as "https://shop.example/thanks"',
  )
  .meta({ pattern: String.raw`^$|^\s*[hH][tT][tT][pP][sS]?://`, examples: ['https://shop.example/thanks'] })

/** String fields of a store, returned as they were sent. */
const plainFields = {
  type: label.nullish().meta(meaning.type),
  syncLocale: label.nullish().meta(meaning.syncLocale),
  experimentalFeatures: text.nullish().meta(meaning.experimentalFeatures),
  customThankYouUrl: thankYouUrl.nullish().meta(meaning.customThankYouUrl),
  rebillSettings: text
    .refine((sent) => rebillPolicy(sent) !== 'invalid', REBILL_RULE)
    .nullish()
    .meta(meaning.rebillSettings),
  creditSettings: text.nullish().meta(meaning.creditSettings),
  config: text.nullish().meta(meaning.config),
}

/** The body of `POST /stores/create`. Source: reference, "POST /stores/create". */
export const newStore = z.object({
  id: ownId.optional().meta({ description: 'Your own id; generated if left out.', examples: ['harbour-goods'] }),
  accountId: referenceTo('account', 'The account of the key; any other account is not found.').optional(),
  name: name.meta(meaning.name),
  presentmentCurrencies: currencyList.nullish().meta(meaning.presentmentCurrencies),
  chargeCurrencies: currencyList.nullish().meta(meaning.chargeCurrencies),
  baseCurrency: currency.nullish().meta(meaning.baseCurrency),
  credentials: text.nullish().meta({
    description:
      'Secrets of the store, encrypted and never returned. Kept only: they are for integrations that the operator adds to the platform.',
    examples: ['{"erpToken":"kept-encrypted"}'],
  }),
  selectedPaymentFlowId: referenceTo('paymentFlow', 'The default payment flow.').nullish(),
  ...plainFields,
  createdAt: anyTimestamp.optional().meta({ description: 'When the store was created; now by default.' }),
  updatedAt: anyTimestamp.optional().meta({ description: 'When the store was last changed; now by default.' }),
  flaggedForDeletionAt: anyTimestamp.nullish().meta(meaning.flaggedForDeletionAt),
  lastTimeFlaggedForDeletionAt: anyTimestamp.nullish().meta(meaning.lastTimeFlaggedForDeletionAt),
  walletSubscriptionEnabled: z.boolean().default(false).meta(meaning.walletSubscriptionEnabled),
  multipleSubscriptionsPerCustomerEnabled: z
    .boolean()
    .default(true)
    .meta(meaning.multipleSubscriptionsPerCustomerEnabled),
  createDemoProducts: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to create sample products in the store.' }),
})
export type NewStore = z.output<typeof newStore>

/** The fields of a store that an update can change. */
export const storeChange = changeOf({
  name: name.meta(meaning.name),
  presentmentCurrencies: currencyList.nullable().meta(meaning.presentmentCurrencies),
  chargeCurrencies: currencyList.nullable().meta(meaning.chargeCurrencies),
  baseCurrency: currency.nullable().meta(meaning.baseCurrency),
  credentials: newStore.shape.credentials,
  selectedPaymentFlowId: referenceTo('paymentFlow', 'The default payment flow.').nullable(),
  ...plainFields,
  flaggedForDeletionAt: anyTimestamp.nullable().meta(meaning.flaggedForDeletionAt),
  lastTimeFlaggedForDeletionAt: anyTimestamp.nullable().meta(meaning.lastTimeFlaggedForDeletionAt),
  walletSubscriptionEnabled: z.boolean().meta(meaning.walletSubscriptionEnabled),
  multipleSubscriptionsPerCustomerEnabled: z.boolean().meta(meaning.multipleSubscriptionsPerCustomerEnabled),
})

/** A store. `credentials` are kept encrypted and never returned. */
export const store = z
  .object({
    id: idOf('store', 'The id of the store.'),
    accountId: idOf('account', 'The account that the store belongs to.'),
    name: z.string().meta(meaning.name),
    presentmentCurrencies: z.string().nullable().meta(meaning.presentmentCurrencies),
    chargeCurrencies: z.string().nullable().meta(meaning.chargeCurrencies),
    baseCurrency: z.string().nullable().meta(meaning.baseCurrency),
    selectedPaymentFlowId: idOf('paymentFlow', 'The default payment flow.').nullable(),
    type: z.string().nullable().meta(meaning.type),
    syncLocale: z.string().nullable().meta(meaning.syncLocale),
    experimentalFeatures: z.string().nullable().meta(meaning.experimentalFeatures),
    customThankYouUrl: z.string().nullable().meta(meaning.customThankYouUrl),
    rebillSettings: z.string().nullable().meta(meaning.rebillSettings),
    creditSettings: z.string().nullable().meta(meaning.creditSettings),
    config: z.string().nullable().meta(meaning.config),
    walletSubscriptionEnabled: z.boolean().meta(meaning.walletSubscriptionEnabled),
    multipleSubscriptionsPerCustomerEnabled: z.boolean().meta(meaning.multipleSubscriptionsPerCustomerEnabled),
    flaggedForDeletionAt: timestamp.nullable().meta(meaning.flaggedForDeletionAt),
    lastTimeFlaggedForDeletionAt: timestamp.nullable().meta(meaning.lastTimeFlaggedForDeletionAt),
    createdAt: timestamp.meta(meaning.createdAt),
    archived,
    ...revised,
  })
  .meta({ id: 'Store', description: 'A shop with products and a payment flow.' })
export type Store = z.infer<typeof store>
