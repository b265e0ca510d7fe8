import { z } from 'zod'
import {
  archivedFilter,
  changeErrors,
  howToAdd,
  howToArchive,
  howToChange,
  revisionOnly,
  changeOf,
} from '../changes.ts'
import { decidedElsewhere } from '../decided-elsewhere.ts'
import { idOf, referenceTo } from '../ids.ts'
import { byTime, createdBetween, flagFilter, howToList, listOf, ofResource, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import {
  newProduct,
  product,
  billingTiming,
  interval,
  meaning,
  newPrice,
  newVariant,
  priceAmount,
} from '../resources/products.ts'
import { TRIAL_DAYS_MAX } from '../limits.ts'
import { currency } from '../money.ts'
import { label, name, text, webAddress } from '../text.ts'

const becomesDefault = z.literal(true).meta({
  description: 'Makes this the default, in place of the one that is.',
  examples: [true],
})

/** The fields of a product that an update can change; variants and prices have operations of their own. */
const productChange = changeOf({
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
const addedVariant = newVariant.safeExtend(revisionOnly.shape)

/** The fields of a variant that an update can change. */
const variantChange = changeOf({
  name: name.meta(meaning.variantName),
  description: text.meta(meaning.variantDescription),
  sku: label.nullable().meta(meaning.sku),
  grams: z.number().min(0).max(1e9).meta(meaning.grams),
  active: z.boolean().meta(meaning.variantActive),
  default: becomesDefault,
  imageUrl: webAddress.nullable().meta(meaning.imageUrl),
})

/** The body that adds a price to a variant. */
const addedPrice = newPrice
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
const priceChange = changeOf({
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

/** The parts of every change of a product, its variants and its prices. */
const productChanged = {
  audience: 'key',
  scope: 'products:write',
  response: product,
  emits: ['s_product_updated'],
  idempotent: 'transaction',
} as const

const answersProduct = 'The answer is the product, whose `revision` covers its variants and prices.'

/** Source: reference, "POST /products/create" and "GET /products/{productId}"; the list is not in the reference. */
export const products = {
  create: {
    method: 'POST',
    path: '/api/public/v1/products/create',
    audience: 'key',
    scope: 'products:write',
    summary: 'Create a product with its variants and prices',
    description:
      'One variant is the default, and each variant has one default price: the first unless you mark another. Everything is created, or nothing.',
    body: newProduct,
    status: 201,
    response: z.object({
      success: z.literal(true).meta({ description: 'The product was created.' }),
      message: z
        .string()
        .meta({ description: 'A confirmation to show to people.', examples: ['The product was created.'] }),
      productId: idOf('product', 'The id of the new product.'),
    }),
    errors: ['resource_exists', 'resource_missing', 'amount_invalid', 'currency_unsupported'],
    emits: ['s_product_created'],
    idempotent: 'transaction',
  },
  get: {
    method: 'GET',
    path: '/api/public/v1/products/{productId}',
    audience: 'key',
    scope: 'products:read',
    summary: 'Read a product',
    description: 'Returns the product with its variants and their prices.',
    params: z.object({ productId: referenceTo('product', 'The id of the product.') }),
    status: 200,
    response: product,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/catalog/v1/products',
    audience: 'key',
    scope: 'products:read',
    summary: 'List products',
    description: howToList,
    ...listOf(product, {
      ...byTime,
      storeId: ofResource('store', 'Only products of this store.'),
      active: flagFilter('Only products that are sold, or only those that are not.'),
      ...archivedFilter,
      ...createdBetween,
      q: searchFor('a name, a sku, or the beginning of an id', 'mug'),
    }),
    status: 200,
    errors: [],
  },
  update: {
    ...productChanged,
    method: 'PATCH',
    path: '/api/catalog/v1/products/{productId}',
    summary: 'Update a product',
    description: `Orders keep what they were made with. ${howToChange}`,
    params: z.object({ productId: referenceTo('product', 'The id of the product.') }),
    body: productChange,
    decided: decidedElsewhere.product,
    status: 200,
    errors: changeErrors,
  },
  archive: {
    ...productChanged,
    method: 'POST',
    path: '/api/catalog/v1/products/{productId}/archive',
    summary: 'Archive a product',
    description: `It is not sold any more; orders and subscriptions go on. ${howToArchive}`,
    params: z.object({ productId: referenceTo('product', 'The id of the product.') }),
    body: revisionOnly,
    status: 200,
    errors: changeErrors,
  },
  unarchive: {
    ...productChanged,
    method: 'POST',
    path: '/api/catalog/v1/products/{productId}/unarchive',
    summary: 'Unarchive a product',
    description: `It is sold again if it is active. ${howToArchive}`,
    params: z.object({ productId: referenceTo('product', 'The id of the product.') }),
    body: revisionOnly,
    status: 200,
    errors: changeErrors,
  },
} as const satisfies Record<string, Operation>

const ofProduct = z.object({ productId: referenceTo('product', 'The id of the product.') })
const ofVariant = ofProduct.extend({ variantId: referenceTo('variant', 'The variant of the product.') })
const ofPrice = ofVariant.extend({ priceId: referenceTo('price', 'The price of the variant.') })

/** Not in the reference. Variants belong to their product, and are changed by its revision. */
export const variants = {
  create: {
    ...productChanged,
    method: 'POST',
    path: '/api/catalog/v1/products/{productId}/variants',
    summary: 'Add a variant to a product',
    description: `${answersProduct} ${howToAdd}`,
    params: ofProduct,
    body: addedVariant,
    status: 201,
    errors: [...changeErrors, 'resource_exists', 'state_conflict', 'amount_invalid', 'currency_unsupported'],
  },
  update: {
    ...productChanged,
    method: 'PATCH',
    path: '/api/catalog/v1/products/{productId}/variants/{variantId}',
    summary: 'Update a variant',
    description: `${answersProduct} ${howToChange}`,
    params: ofVariant,
    body: variantChange,
    decided: decidedElsewhere.variant,
    status: 200,
    errors: [...changeErrors, 'resource_exists', 'state_conflict'],
  },
  archive: {
    ...productChanged,
    method: 'POST',
    path: '/api/catalog/v1/products/{productId}/variants/{variantId}/archive',
    summary: 'Archive a variant',
    description: `${answersProduct} It is not sold any more and keeps its sku. The default variant cannot be archived: make another one the default first.`,
    params: ofVariant,
    body: revisionOnly,
    status: 200,
    errors: [...changeErrors, 'state_conflict'],
  },
  unarchive: {
    ...productChanged,
    method: 'POST',
    path: '/api/catalog/v1/products/{productId}/variants/{variantId}/unarchive',
    summary: 'Unarchive a variant',
    description: `${answersProduct} It is sold again if it is active.`,
    params: ofVariant,
    body: revisionOnly,
    status: 200,
    errors: changeErrors,
  },
} as const satisfies Record<string, Operation>

/** Not in the reference. A price that was sold keeps its terms; a new one takes its place. */
export const prices = {
  create: {
    ...productChanged,
    method: 'POST',
    path: '/api/catalog/v1/products/{productId}/variants/{variantId}/prices',
    summary: 'Add a price to a variant',
    description: `${answersProduct} With \`replaces\` the new price takes the place of another one, which is archived by the same request; subscriptions to that one go on at its terms. ${howToAdd}`,
    params: ofVariant,
    body: addedPrice,
    status: 201,
    errors: [...changeErrors, 'resource_exists', 'state_conflict', 'amount_invalid', 'currency_unsupported'],
  },
  update: {
    ...productChanged,
    method: 'PATCH',
    path: '/api/catalog/v1/products/{productId}/variants/{variantId}/prices/{priceId}',
    summary: 'Update a price',
    description: `${answersProduct} A price that an order has named keeps its terms: only \`default\` and \`offeredToPages\` can change then. ${howToChange}`,
    params: ofPrice,
    body: priceChange,
    decided: decidedElsewhere.price,
    status: 200,
    errors: [...changeErrors, 'state_conflict', 'amount_invalid', 'currency_unsupported'],
  },
  archive: {
    ...productChanged,
    method: 'POST',
    path: '/api/catalog/v1/products/{productId}/variants/{variantId}/prices/{priceId}/archive',
    summary: 'Archive a price',
    description: `${answersProduct} It is not sold any more; subscriptions to it go on. The default price cannot be archived: make another one the default first.`,
    params: ofPrice,
    body: revisionOnly,
    status: 200,
    errors: [...changeErrors, 'state_conflict'],
  },
  unarchive: {
    ...productChanged,
    method: 'POST',
    path: '/api/catalog/v1/products/{productId}/variants/{variantId}/prices/{priceId}/unarchive',
    summary: 'Unarchive a price',
    description: `${answersProduct} It is sold again.`,
    params: ofPrice,
    body: revisionOnly,
    status: 200,
    errors: changeErrors,
  },
} as const satisfies Record<string, Operation>
