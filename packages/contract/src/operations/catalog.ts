import { z } from 'zod'
import { idOf, referenceTo } from '../ids.ts'
import { createdBetween, flagFilter, howToList, listOf, ofResource, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { newProduct, product } from '../resources/products.ts'
import { newPromotion, promotion, promotionChange, promotionSummary } from '../resources/promotions.ts'
import { newShippingOptions, shippingOptions as storeShippingOptions } from '../resources/shipping-options.ts'
import { newStore, store } from '../resources/stores.ts'

/** Source: reference, "POST /stores/create". */
export const stores = {
  create: {
    method: 'POST',
    path: '/api/public/v1/stores/create',
    audience: 'key',
    scope: 'stores:write',
    summary: 'Create a store',
    description:
      'The store can take payments once it has a payment flow. `credentials` are stored encrypted and never returned.',
    body: newStore,
    status: 201,
    response: store,
    errors: ['resource_exists', 'resource_missing', 'currency_unsupported'],
    emits: ['s_store_created', 's_product_created'],
    idempotent: 'unit',
  },
  get: {
    method: 'GET',
    path: '/api/catalog/v1/stores/{storeId}',
    audience: 'key',
    scope: 'stores:read',
    summary: 'Read a store',
    description: 'Its `credentials` are never returned.',
    params: z.object({ storeId: referenceTo('store', 'The id of the store.') }),
    status: 200,
    response: store,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/catalog/v1/stores',
    audience: 'key',
    scope: 'stores:read',
    summary: 'List stores',
    description: howToList,
    ...listOf(store, { ...createdBetween, q: searchFor('a name or the beginning of an id', 'tea') }),
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>

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
    idempotent: 'unit',
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
      storeId: ofResource('store', 'Only products of this store.'),
      active: flagFilter('Only products that are sold, or only those that are not.'),
      ...createdBetween,
      q: searchFor('a name, a sku, or the beginning of an id', 'mug'),
    }),
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>

const ofStore = z.object({ storeId: referenceTo('store', 'The store.') })

/** Not in the reference: the shipping options a store offers for orders that are built in the buyer's page. */
export const shippingOptions = {
  list: {
    method: 'GET',
    path: '/api/payments/v1/stores/{storeId}/shipping-options',
    audience: 'key',
    scope: 'stores:read',
    summary: 'List shipping options',
    description: 'Returns all shipping options of a store, in the order in which buyers see them.',
    params: ofStore,
    status: 200,
    response: storeShippingOptions,
    errors: ['resource_missing'],
  },
  set: {
    method: 'POST',
    path: '/api/payments/v1/stores/{storeId}/shipping-options',
    audience: 'key',
    scope: 'stores:write',
    summary: 'Set shipping options',
    description:
      'Replaces all shipping options of the store. A buyer’s page shows those that fit the order’s currency and destination, and the chosen one sets the shipping price. Without a matching option, goods that need shipping cannot be paid for in a page.',
    params: ofStore,
    body: newShippingOptions,
    status: 200,
    response: storeShippingOptions,
    errors: ['resource_missing', 'amount_invalid', 'currency_unsupported'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>

const promotionId = referenceTo('promotion', 'The promotion.')

/** Source: reference, "POST /promotions/create", "POST /promotions/update" and "POST /promotions/getById". */
export const promotions = {
  create: {
    method: 'POST',
    path: '/api/public/v1/promotions/create',
    audience: 'key',
    scope: 'promotions:write',
    summary: 'Create a promotion',
    description:
      'Creates a promotion with its rules and actions. A code is unique among the active promotions of its store, ignoring case. A promotion without rules always applies.',
    body: newPromotion,
    status: 201,
    response: promotionSummary,
    errors: ['resource_exists', 'resource_missing', 'amount_invalid', 'currency_unsupported'],
    emits: ['s_promotion_created'],
    idempotent: 'unit',
  },
  update: {
    method: 'POST',
    path: '/api/public/v1/promotions/update',
    audience: 'key',
    scope: 'promotions:write',
    summary: 'Update a promotion',
    description:
      'Orders that are being paid keep the price they were given. An update that changes nothing leaves `updatedAt` as it is and emits no event.',
    body: z.object({
      id: promotionId,
      data: promotionChange.meta({
        description:
          'The fields to change. Fields you leave out stay as they are, null clears a field, and a list replaces the previous one.',
        examples: [{ enabled: false }],
      }),
    }),
    status: 200,
    response: promotionSummary,
    errors: ['resource_exists', 'resource_missing', 'state_conflict', 'amount_invalid', 'currency_unsupported'],
    emits: ['s_promotion_updated'],
    idempotent: 'unit',
  },
  getById: {
    method: 'POST',
    path: '/api/public/v1/promotions/getById',
    audience: 'key',
    scope: 'promotions:read',
    summary: 'Read a promotion',
    description:
      'Returns the promotion with its rules and actions. `usageCount` is the number of paid orders that it discounted.',
    body: z.object({
      id: promotionId,
      storeId: referenceTo('store', 'The store that the promotion belongs to.'),
    }),
    status: 200,
    response: promotion,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/catalog/v1/promotions',
    audience: 'key',
    scope: 'promotions:read',
    summary: 'List promotions',
    description: howToList,
    ...listOf(promotion, {
      storeId: ofResource('store', 'Only promotions of this store.'),
      enabled: flagFilter('Only promotions that are enabled, or only those that are not.'),
      ...createdBetween,
      q: searchFor('a name, a code, or the beginning of an id', 'welcome10'),
    }),
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>
