import { z } from 'zod'
import { ownId, reference } from '../ids.ts'
import { PRICES_MAX, VARIANTS_MAX } from '../limits.ts'
import { amount, currency } from '../money.ts'
import { label, name, text, webAddress } from '../text.ts'

/** When a recurring price is charged. */
export const billingTiming = z.enum(['usage', 'in_advance', 'in_arrears'])
/** The unit of a recurring price's period. */
export const interval = z.enum(['day', 'week', 'month', 'year'])

const currencyOptions = z
  .record(currency, z.object({ amount, currency: currency.optional() }))
  .superRefine((options, context) => {
    if (Object.keys(options).length === 0) {
      context.addIssue({ code: 'custom', message: 'must have at least one currency, such as {"USD":{"amount":1999}}' })
    }
    for (const [code, option] of Object.entries(options)) {
      if (option.currency !== undefined && option.currency !== code) {
        const message = `must be "${code}", the currency it stands under, or be left out`
        context.addIssue({ code: 'custom', path: [code, 'currency'], message })
      }
    }
  })
  .meta({ minProperties: 1 })

/** A price to be made. `interval` is given exactly when `recurring` is true. */
export const newPrice = z
  .object({
    id: ownId.optional(),
    currencyOptions,
    recurring: z.boolean().default(false),
    billingTiming: billingTiming.default('in_advance'),
    interval: interval.nullable().default(null),
    intervalCount: z.int().min(1).max(1_000).default(1),
    default: z.boolean().optional(),
  })
  .refine((price) => price.recurring === (price.interval !== null), {
    path: ['interval'],
    error: 'must be given for a recurring price, and be null or left out for any other',
  })
  .meta({
    examples: [
      {
        currencyOptions: { USD: { amount: 1_999, currency: 'USD' } },
        recurring: true,
        billingTiming: 'in_advance',
        interval: 'month',
        intervalCount: 1,
        default: true,
      },
    ],
  })

/** A variant to be made: at least one price; the first is the default if none says so. */
export const newVariant = z.object({
  id: ownId.optional(),
  name,
  description: text.default(''),
  sku: label.nullable().default(null),
  grams: z.number().min(0).max(1e9).default(0),
  active: z.boolean().default(true),
  default: z.boolean().optional(),
  imageUrl: webAddress.nullable().default(null),
  prices: z.array(newPrice).min(1).max(PRICES_MAX).superRefine(oneDefault),
})

/** The body of `POST /products/create`. Source: reference, "POST /products/create". */
export const newProduct = z.object({
  id: ownId.optional(),
  storeId: reference,
  name,
  description: text.nullish(),
  unitLabel: label.nullish(),
  accountingCode: label.nullish(),
  taxCategory: label.nullish(),
  active: z.boolean().default(true),
  isShippable: z.boolean().default(false),
  isTaxable: z.boolean().default(false),
  autoSync: z.boolean().default(false),
  variants: z.array(newVariant).min(1).max(VARIANTS_MAX).superRefine(oneDefault).superRefine(distinctSkus),
})
export type NewProduct = z.output<typeof newProduct>
/** The same as a caller may send it, before defaults are filled in. */
export type NewProductInput = z.input<typeof newProduct>

/** A price of a variant; amounts are in minor units. */
export const price = z
  .object({
    id: z.string(),
    currencyOptions: z.record(z.string(), z.object({ amount, currency: z.string() })),
    recurring: z.boolean(),
    billingTiming,
    interval: interval.nullable(),
    intervalCount: z.int(),
    default: z.boolean(),
  })
  .meta({ id: 'Price' })
export type Price = z.infer<typeof price>

export const variant = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    sku: z.string().nullable(),
    grams: z.number(),
    active: z.boolean(),
    default: z.boolean(),
    imageUrl: z.string().nullable(),
    prices: z.array(price),
  })
  .meta({ id: 'Variant' })
export type Variant = z.infer<typeof variant>

export const product = z
  .object({
    id: z.string(),
    storeId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    unitLabel: z.string().nullable(),
    accountingCode: z.string().nullable(),
    taxCategory: z.string().nullable(),
    active: z.boolean(),
    isShippable: z.boolean(),
    isTaxable: z.boolean(),
    autoSync: z.boolean(),
    variants: z.array(variant),
  })
  .meta({ id: 'Product' })
export type Product = z.infer<typeof product>

function oneDefault(entries: readonly { default?: boolean | undefined }[], context: z.RefinementCtx) {
  const marked = entries.flatMap((entry, index) => (entry.default === true ? [index] : []))
  for (const index of marked.slice(1)) {
    context.addIssue({ code: 'custom', path: [index, 'default'], message: 'must be true for one entry at most' })
  }
}

function distinctSkus(variants: readonly { sku: string | null }[], context: z.RefinementCtx) {
  const seen = new Set<string>()
  for (const [index, { sku }] of variants.entries()) {
    if (sku === null) continue
    if (seen.has(sku))
      context.addIssue({ code: 'custom', path: [index, 'sku'], message: 'must be unique in its store' })
    seen.add(sku)
  }
}
