import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import { createdBetween, howToList, listOf, ofResource, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { customerRecord } from '../resources/customers.ts'

/** Not in the reference: the customers that payments and orders belong to. */
export const customers = {
  get: {
    method: 'GET',
    path: '/api/payments/v1/customers/{customerId}',
    audience: 'key',
    scope: 'customers:read',
    summary: 'Read a customer',
    description: 'A customer is made by a first payment instrument, or by the session in which a buyer pays.',
    params: z.object({ customerId: referenceTo('customer', 'The id of the customer.') }),
    status: 200,
    response: customerRecord,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/customers',
    audience: 'key',
    scope: 'customers:read',
    summary: 'List and search customers',
    description: howToList,
    ...listOf(customerRecord, {
      storeId: ofResource('store', 'Only customers of this store.'),
      ...createdBetween,
      q: searchFor('an e-mail address, a name, or the beginning of an id', 'ada@example.com'),
    }),
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>
