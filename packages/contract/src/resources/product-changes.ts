import { z } from 'zod'
import { changeOf, revisionOnly } from '../changes.ts'
import { referenceTo } from '../ids.ts'
import { TRIAL_DAYS_MAX } from '../limits.ts'
import { currency } from '../money.ts'
import { label, name, text, webAddress } from '../text.ts'
import { billingTiming, interval, meaning, newPrice, newVariant, priceAmount } from './products.ts'

const becomesDefault = z.literal(true).meta({
  description: 'Makes this the default, in place of the one that is.',
  examples: [true],
})

/** The fields of a product that an update can change; variants and prices have operations of their own. */
export const productChange = changeOf({
  name: name.meta(meaning.name),
  description: text.nullable().meta(meaning.description),
  unitLabel: label.nullable().meta(meaning.unitLabel),
  accountingCode: label.nullable().meta(meaning.accountingCode),
  taxCategory: label.nullable().meta(meaning.taxCategory),
  active: z.boolean().meta(meaning.active),
  isShippable: z.boolean().meta(meaning.isShippable),
  isTaxable: z.boolean().meta(meaning.isTaxable),
  autoSync: z.boolean().meta(meaning.autoSync),
})

/** The body that adds a variant to a product. */
export const addedVariant = newVariant.safeExtend(revisionOnly.shape)

/** The fields of a variant that an update can change. */
export const variantChange = changeOf({
  name: name.meta(meaning.variantName),
  description: text.meta(meaning.variantDescription),
  sku: label.nullable().meta(meaning.sku),
  grams: z.number().min(0).max(1e9).meta(meaning.grams),
  active: z.boolean().meta(meaning.variantActive),
  default: becomesDefault,
  imageUrl: webAddress.nullable().meta(meaning.imageUrl),
})

/** The body that adds a price to a variant. */
export const addedPrice = newPrice
  .safeExtend({
    ...revisionOnly.shape,
    replaces: referenceTo(
      'price',
      'A price of the variant that the new one takes the place of: it is archived, and the new one is the default if it was.',
    ).optional(),
  })
  .meta({
    examples: [
      {
        currencyOptions: { USD: { amount: 2_499, currency: 'USD' } },
        recurring: true,
        billingTiming: 'in_advance',
        interval: 'month',
        intervalCount: 1,
        default: true,
        revision: 1,
      },
    ],
  })

/** The fields of a price that an update can change; the terms only until an order has named it. */
export const priceChange = changeOf({
  currencyOptions: z.record(currency, z.strictObject({ amount: priceAmount }).nullable()).meta({
    description: 'Amounts to set, by ISO 4217 code; null removes a currency.',
    examples: [{ USD: { amount: 2_499 } }],
  }),
  recurring: z.boolean().meta(meaning.recurring),
  billingTiming: billingTiming.meta(meaning.billingTiming),
  interval: interval.nullable().meta(meaning.interval),
  intervalCount: z.int().min(1).max(1_000).meta(meaning.intervalCount),
  trialDays: z.int().min(0).max(TRIAL_DAYS_MAX).meta(meaning.trialDays),
  offeredToPages: z.boolean().meta(meaning.offeredToPages),
  default: becomesDefault,
})
