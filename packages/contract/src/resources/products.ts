import { z } from 'zod'
import { archived, revised } from '../changes.ts'
import { idOf, ownId, referenceTo } from '../ids.ts'
import { PRICES_MAX, TRIAL_DAYS_MAX, VARIANTS_MAX } from '../limits.ts'
import { amount, currency } from '../money.ts'
import { label, name, text, timestamp, webAddress } from '../text.ts'

/** When a recurring price is charged. */
export const billingTiming = z.enum(['usage', 'in_advance', 'in_arrears'])
/** The unit of a recurring price's period. */
export const interval = z.enum(['day', 'week', 'month', 'year'])

/** Descriptions of fields that product, variant and price have in requests and responses. */
export const meaning = {
  name: { description: 'The product’s name.', examples: ['Tote bag'] },
  description: {
    description: 'The product’s description. Kept only: it is for pages and receipts of your own.',
    examples: ['A bag of heavy cotton.'],
  },
  unitLabel: { description: 'The name of one unit. Kept only: it is for receipts of your own.', examples: ['bag'] },
  accountingCode: {
    description: 'The product’s account in your bookkeeping. Kept only: your bookkeeping reads it with the product.',
    examples: ['4000-100'],
  },
  taxCategory: {
    description:
      'The product’s tax category, in the terms of your tax software. The store’s `tax` hook is told it; without one it has no effect on prices.',
    examples: ['accessories'],
  },
  active: { description: 'Whether the product is on sale.', examples: [true] },
  isShippable: {
    description:
      'Whether the product has to be shipped. A page’s order with such a product needs an address that the store ships to and pays one of its shipping options, or of the rates that its `shipping_rates` hook answers; any other order has no shipping.',
    examples: [true],
  },
  isTaxable: {
    description:
      'Whether the product is taxable. The store’s `tax` hook may tax it, and nothing else; without such a hook, prices are charged as they are, including any tax.',
    examples: [true],
  },
  autoSync: {
    description:
      'Whether changes are synced to other systems. Kept only: the platform syncs with none, so it is for a connector of your own.',
    examples: [false],
  },
  variantName: { description: 'The variant’s name, which distinguishes it from the others.', examples: ['Natural'] },
  variantDescription: {
    description: 'The variant’s description. Kept only: it is for pages and receipts of your own.',
    examples: ['Undyed cotton.'],
  },
  sku: { description: 'Stock keeping unit, unique in the store.', examples: ['TOTE-NAT'] },
  grams: {
    description:
      'Weight of one unit, in grams. The store’s hooks are told it, such as `shipping_rates`; shipping options themselves are priced by order.',
    examples: [180],
  },
  variantActive: { description: 'Whether the variant is on sale.', examples: [true] },
  imageUrl: {
    description: 'The address of an image. Kept only: it is for pages of your own.',
    examples: ['https://shop.example/tote.png'],
  },
  currencyOptions: {
    description: 'The amount in each currency, by ISO 4217 code.',
    examples: [{ USD: { amount: 1999, currency: 'USD' } }],
  },
  recurring: { description: 'Whether the price is charged repeatedly.', examples: [false] },
  billingTiming: {
    description:
      'When a recurring price is charged: `in_advance` before each period, `in_arrears` after it, `usage` after it for each unit of usage that was reported. No effect on a price that does not recur.',
    examples: ['in_advance'],
  },
  interval: { description: 'The unit of the period; null unless the price recurs.', examples: [null, 'month'] },
  intervalCount: { description: 'How many intervals one period has.', examples: [1] },
  trialDays: {
    description: 'The free trial of a recurring price, in days; 0 for none.',
    examples: [0, 14],
  },
  offeredToPages: {
    description:
      'Whether a buyer’s page may choose this price. The default price of a variant is always available; any other price is reserved for your server unless you set this. A price that is offered is so to every buyer, at each step of a funnel.',
    examples: [false, true],
  },
}
const isDefault = 'Whether this is the default; the first one if none is marked.'
/** An amount of a price. */
export const priceAmount = amount.meta({ description: 'The amount, in minor units of the currency that is its key.' })
const repeatedCode = 'The currency of the amount, repeated.'

const currencyOptions = z
  .record(
    currency,
    z.object({
      amount: priceAmount,
      currency: currency.optional().meta({ description: repeatedCode }),
    }),
  )
  .superRefine((options, context) => {
    if (Object.keys(options).length === 0) {
      context.addIssue({ code: 'custom', message: 'must have at least one currency, such as {"USD":{"amount":1999}}' })
    }
    for (const [code, option] of Object.entries(options)) {
      if (option.currency !== undefined && option.currency !== code) {
        const message = `must be "${code}", its key, or be left out`
        context.addIssue({ code: 'custom', path: [code, 'currency'], message })
      }
    }
  })
  .meta({ minProperties: 1 })

/** A price to create. `interval` is required if `recurring` is true, and not allowed otherwise. */
export const newPrice = z
  .object({
    id: ownId.optional().meta({
      description: 'Your own id, unique in the account; generated if left out.',
      examples: ['tote-once'],
    }),
    currencyOptions: currencyOptions.meta(meaning.currencyOptions),
    recurring: z.boolean().default(false).meta(meaning.recurring),
    billingTiming: billingTiming.default('in_advance').meta(meaning.billingTiming),
    interval: interval.nullable().default(null).meta(meaning.interval),
    intervalCount: z.int().min(1).max(1_000).default(1).meta(meaning.intervalCount),
    trialDays: z.int().min(0).max(TRIAL_DAYS_MAX).default(0).meta(meaning.trialDays),
    offeredToPages: z.boolean().default(false).meta(meaning.offeredToPages),
    default: z
      .boolean()
      .optional()
      .meta({ description: isDefault, examples: [true] }),
  })
  .refine((price) => price.recurring === (price.interval !== null), {
    path: ['interval'],
    error: 'is required for a recurring price and must be null or left out for any other',
  })
  .refine((price) => price.recurring || price.trialDays === 0, {
    path: ['trialDays'],
    error: 'must be 0 or left out unless the price recurs',
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

/** A variant to create, with at least one price; the first is the default unless another is marked. */
export const newVariant = z.object({
  id: ownId.optional().meta({ description: 'Your own id; generated if left out.', examples: ['tote-natural'] }),
  name: name.meta(meaning.variantName),
  description: text.default('').meta(meaning.variantDescription),
  sku: label.nullable().default(null).meta(meaning.sku),
  grams: z.number().min(0).max(1e9).default(0).meta(meaning.grams),
  active: z.boolean().default(true).meta(meaning.variantActive),
  default: z
    .boolean()
    .optional()
    .meta({ description: isDefault, examples: [true] }),
  imageUrl: webAddress.nullable().default(null).meta(meaning.imageUrl),
  prices: z
    .array(newPrice)
    .min(1)
    .max(PRICES_MAX)
    .superRefine(oneDefault)
    .meta({ description: 'The prices of one unit; at most one is the default.' }),
})

/** The body of `POST /products/create`. Source: reference, "POST /products/create". */
export const newProduct = z.object({
  id: ownId.optional().meta({ description: 'Your own id; generated if left out.', examples: ['tote-bag'] }),
  storeId: referenceTo('store', 'The store that sells the product.'),
  name: name.meta(meaning.name),
  description: text.nullish().meta(meaning.description),
  unitLabel: label.nullish().meta(meaning.unitLabel),
  accountingCode: label.nullish().meta(meaning.accountingCode),
  taxCategory: label.nullish().meta(meaning.taxCategory),
  active: z.boolean().default(true).meta(meaning.active),
  isShippable: z.boolean().default(false).meta(meaning.isShippable),
  isTaxable: z.boolean().default(false).meta(meaning.isTaxable),
  autoSync: z.boolean().default(false).meta(meaning.autoSync),
  variants: z
    .array(newVariant)
    .min(1)
    .max(VARIANTS_MAX)
    .superRefine(oneDefault)
    .superRefine(distinctSkus)
    .meta({ description: 'The variants of the product; at most one is the default.' }),
})
export type NewProduct = z.output<typeof newProduct>
/** A product as callers send it, before defaults are filled in. */
export type NewProductInput = z.input<typeof newProduct>

const readCurrencyOptions = z.record(
  z.string(),
  z.object({
    amount: priceAmount,
    currency: z.string().meta({ description: repeatedCode, examples: ['USD'] }),
  }),
)

/** A price of a variant; amounts are in minor units. */
export const price = z
  .object({
    id: idOf('price', 'The id of the price.'),
    currencyOptions: readCurrencyOptions.meta(meaning.currencyOptions),
    recurring: z.boolean().meta(meaning.recurring),
    billingTiming: billingTiming.meta(meaning.billingTiming),
    interval: interval.nullable().meta(meaning.interval),
    intervalCount: z.int().meta(meaning.intervalCount),
    trialDays: z.int().meta(meaning.trialDays),
    offeredToPages: z.boolean().meta(meaning.offeredToPages),
    default: z.boolean().meta({ description: 'Whether it is the default price.', examples: [true] }),
    archived,
  })
  .meta({ id: 'Price', description: 'The price of one unit of a variant.' })
export type Price = z.infer<typeof price>

export const variant = z
  .object({
    id: idOf('variant', 'The id of the variant.'),
    name: z.string().meta(meaning.variantName),
    description: z.string().meta(meaning.variantDescription),
    sku: z.string().optional().meta(meaning.sku),
    grams: z.number().meta(meaning.grams),
    active: z.boolean().meta(meaning.variantActive),
    default: z.boolean().meta({ description: 'Whether it is the default variant.', examples: [true] }),
    archived,
    imageUrl: z.string().optional().meta(meaning.imageUrl),
    prices: z.array(price).meta({ description: 'The prices of one unit.' }),
  })
  .meta({ id: 'Variant', description: 'A variant of a product.' })
export type Variant = z.infer<typeof variant>

export const product = z
  .object({
    id: idOf('product', 'The id of the product.'),
    storeId: idOf('store', 'The store that sells the product.'),
    name: z.string().meta(meaning.name),
    description: z.string().nullable().meta(meaning.description),
    unitLabel: z.string().nullable().meta(meaning.unitLabel),
    accountingCode: z.string().nullable().meta(meaning.accountingCode),
    taxCategory: z.string().nullable().meta(meaning.taxCategory),
    active: z.boolean().meta(meaning.active),
    isShippable: z.boolean().meta(meaning.isShippable),
    isTaxable: z.boolean().meta(meaning.isTaxable),
    autoSync: z.boolean().meta(meaning.autoSync),
    variants: z.array(variant).meta({ description: 'The variants of the product.' }),
    archived,
    createdAt: timestamp.meta({ description: 'When the product was created.' }),
    ...revised,
  })
  .meta({ id: 'Product', description: 'A product of a store.' })
export type Product = z.infer<typeof product>

function oneDefault(entries: readonly { default?: boolean | undefined }[], context: z.RefinementCtx) {
  const marked = entries.flatMap((entry, index) => (entry.default === true ? [index] : []))
  for (const index of marked.slice(1)) {
    context.addIssue({ code: 'custom', path: [index, 'default'], message: 'must be true for at most one entry' })
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
