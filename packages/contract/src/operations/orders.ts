import { z } from 'zod'
import { changeErrors, howToChange } from '../changes.ts'
import { decidedElsewhere } from '../decided-elsewhere.ts'
import { referenceTo } from '../ids.ts'
import { amountBetween, createdBetween, howToList, listOf, metadataFilter, ofResource, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { pricingHookErrors } from '../resources/hook-answers.ts'
import { newQuote, order, orderChange, orderStatus, quote } from '../resources/orders.ts'

/** Not in the reference: what buyers bought. An order is made by its first payment. */
export const orders = {
  get: {
    method: 'GET',
    path: '/api/payments/v1/orders/{orderId}',
    audience: 'key',
    scope: 'orders:read',
    summary: 'Read an order',
    description: 'Returns the order with its lines, prices and payment status.',
    params: z.object({ orderId: referenceTo('order', 'The id of the order.') }),
    status: 200,
    response: order,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/orders',
    audience: 'key',
    scope: 'orders:read',
    summary: 'List and search orders',
    description: howToList,
    ...listOf(order, {
      status: orderStatus.optional().meta({ description: 'Only orders of this status.', examples: ['paid'] }),
      storeId: ofResource('store', 'Only orders of this store.'),
      customerId: ofResource('customer', 'Only orders of this customer.'),
      metadata: metadataFilter,
      ...createdBetween,
      ...amountBetween,
      q: searchFor(
        'an e-mail address, a name, an amount such as 19.99, or the beginning of the id of an order or a customer',
        'ada@example.com',
      ),
    }),
    status: 200,
    errors: ['currency_unsupported'],
  },
  update: {
    method: 'PATCH',
    path: '/api/payments/v1/orders/{orderId}',
    audience: 'key',
    scope: 'orders:write',
    summary: 'Update an order’s metadata',
    description: `What was sold and paid cannot be changed. A change of status keeps the revision. ${howToChange}`,
    params: z.object({ orderId: referenceTo('order', 'The id of the order.') }),
    body: orderChange,
    decided: decidedElsewhere.order,
    status: 200,
    response: order,
    errors: changeErrors,
    emits: ['s_order_updated'],
    idempotent: 'transaction',
  },
  quote: {
    method: 'POST',
    path: '/api/payments/v1/orders/quote',
    audience: 'key',
    scope: 'orders:read',
    summary: 'Price an order',
    description:
      'Calculates what the order costs with its promotions, exactly as a payment would, without creating anything. `promotions` lists the promotions that apply, and those that do not with the field that ruled them out.',
    body: newQuote,
    status: 200,
    response: quote,
    errors: ['resource_missing', 'currency_unsupported', 'amount_invalid', ...pricingHookErrors],
  },
} as const satisfies Record<string, Operation>
