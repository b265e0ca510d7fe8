import { z } from 'zod'
import { reference } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { newProduct, product } from '../resources/products.ts'
import { newStore, store } from '../resources/stores.ts'

/** Source: reference, "POST /stores/create". */
export const stores = {
  create: {
    method: 'POST',
    path: '/api/public/v1/stores/create',
    audience: 'key',
    scope: 'stores:write',
    summary: 'Create a store',
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
    body: newProduct,
    status: 201,
    response: z.object({ success: z.literal(true), message: z.string(), productId: z.string() }),
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
    params: z.object({ productId: reference }),
    status: 200,
    response: product,
    errors: ['resource_missing'],
  },
} as const satisfies Record<string, Operation>
