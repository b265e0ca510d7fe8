import { z } from 'zod'
import { idOf, referenceTo } from '../ids.ts'
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
      'The store can take payments once it has a payment flow. `credentials` are kept encrypted and never returned.',
    body: newStore,
    status: 201,
    response: store,
    errors: ['resource_exists', 'resource_missing', 'currency_unsupported'],
    emits: ['s_store_created', 's_product_created'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>

/** Source: reference, "POST /products/create" and "GET /products/{productId}". */
export const products = {
  create: {
    method: 'POST',
    path: '/api/public/v1/products/create',
    audience: 'key',
    scope: 'products:write',
    summary: 'Create a product with its variants and prices',
    description:
      'One variant is the default, and one price of each variant: the first if none says so. All of it is created, or nothing.',
    body: newProduct,
    status: 201,
    response: z.object({
      success: z.literal(true).meta({ description: 'The product was created.' }),
      message: z.string().meta({ description: 'The same, for a person.', examples: ['The product was created.'] }),
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
    description: 'Its variants and their prices come with it.',
    params: z.object({ productId: referenceTo('product', 'The id of the product.') }),
    status: 200,
    response: product,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>

const ofStore = z.object({ storeId: referenceTo('store', 'The store.') })

/** Beside the public API: the ways in which a store ships, for orders that are put together in a buyer's page. */
export const shippingOptions = {
  list: {
    method: 'GET',
    path: '/api/payments/v1/stores/{storeId}/shipping-options',
    audience: 'key',
    scope: 'stores:read',
    summary: 'List the shipping options of a store',
    description: 'All of them, in the order in which buyers are shown them.',
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
    summary: 'Set the shipping options of a store',
    description:
      'Replaces all of them. A buyer’s page shows those that fit the order’s currency and destination, and the order costs what the chosen one says. Without an option that fits, goods that have to be shipped cannot be paid in a page.',
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
    summary: 'Create a promotion with its rules and actions',
    description:
      'A code is unique among the live promotions of its store, whatever its case. A promotion without rules always holds.',
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
    summary: 'Change fields of a promotion and leave the others as they are',
    description: 'Orders that are being paid keep the price that they were given.',
    body: z.object({
      id: promotionId,
      data: promotionChange.meta({
        description: 'What changes: what is absent stays, null clears, a list replaces the former one whole.',
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
    summary: 'Read a promotion with its rules and actions',
    description: '`usageCount` counts the paid orders that it has reduced.',
    body: z.object({
      id: promotionId,
      storeId: referenceTo('store', 'The store that the promotion belongs to.'),
    }),
    status: 200,
    response: promotion,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
