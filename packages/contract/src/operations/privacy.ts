import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import { createdBetween, howToList, listOf, ofResource } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { begunErasure, customerErasure, customerExport, erasureStatus, newErasure } from '../resources/privacy.ts'

/** Operations for a person's rights to access and erasure: part of those of customers. */
export const customerPrivacy = {
  erase: {
    method: 'POST',
    path: '/api/payments/v1/customers/{customerId}/erase',
    audience: 'key',
    scope: 'privacy:write',
    summary: 'Erase a customer',
    description:
      'Removes or replaces the person in everything that is stored: the customer, cards, orders, sessions, authentications, events, search, the audit log and stored answers. What tax and accounting laws require stays, without the person, and the receipt says what and why. With `dryRun` nothing is erased, and the receipt says what would be. A customer is erased once: repeating the request answers with the same erasure. It is `pending` until everything is erased, which the event `s_customer_erased` tells, and refused while a payment is under way or a subscription runs.',
    params: z.object({ customerId: referenceTo('customer', 'The id of the customer.') }),
    body: newErasure,
    status: 201,
    existingStatus: 200,
    response: begunErasure,
    errors: ['resource_missing', 'state_conflict'],
    idempotent: 'transaction',
  },
  export: {
    method: 'GET',
    path: '/api/payments/v1/customers/{customerId}/export',
    audience: 'key',
    scope: 'privacy:read',
    summary: 'Export a customer',
    description:
      'Everything that is known of a customer as one JSON file, for an answer to a request for access. Cards are shown by brand and last four digits only.',
    params: z.object({ customerId: referenceTo('customer', 'The id of the customer.') }),
    status: 200,
    response: customerExport,
    errors: ['resource_missing'],
    streamed: true,
  },
} as const satisfies Record<string, Operation>

/** Not in the reference: the receipts of erased customers. */
export const erasures = {
  get: {
    method: 'GET',
    path: '/api/payments/v1/erasures/{erasureId}',
    audience: 'key',
    scope: 'privacy:read',
    summary: 'Read an erasure',
    description: 'How far the erasure of a customer has come, and what it has erased and kept.',
    params: z.object({ erasureId: referenceTo('erasure', 'The id of the erasure.') }),
    status: 200,
    response: customerErasure,
    errors: ['resource_missing'],
  },
  list: {
    method: 'GET',
    path: '/api/payments/v1/erasures',
    audience: 'key',
    scope: 'privacy:read',
    summary: 'List erasures',
    description: howToList,
    ...listOf(customerErasure, {
      customerId: ofResource('customer', 'Only the erasure of this customer.'),
      status: erasureStatus
        .optional()
        .meta({ description: 'Only erasures with this status.', examples: ['succeeded'] }),
      ...createdBetween,
    }),
    status: 200,
    errors: [],
  },
} as const satisfies Record<string, Operation>
