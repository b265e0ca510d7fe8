import { z } from 'zod'
import { exampleId, referenceTo } from '../ids.ts'
import { createdBetween, howToList, listOf, ofResource, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { payment } from '../resources/payments.ts'
import {
  newRefundLimit,
  refundLimits as limits,
  refundRequest,
  refundRequestStatus,
} from '../resources/refund-approvals.ts'

/** Not in the reference. Above which sum a refund needs a second person; there is no limit unless an owner sets one. */
export const refundLimits = {
  get: {
    method: 'GET',
    path: '/api/payments/v1/refund-limits',
    audience: 'key',
    scope: 'refunds:read',
    summary: 'Read the refund limits',
    status: 200,
    response: limits,
    errors: [],
  },
  set: {
    method: 'POST',
    path: '/api/payments/v1/refund-limits/set',
    audience: 'console',
    scope: 'members:write',
    summary: 'Set a refund limit',
    description: 'Owners alone set, raise and remove limits; the audit log shows it. It holds from the next refund on.',
    body: newRefundLimit,
    status: 200,
    response: limits,
    errors: ['currency_unsupported', 'amount_invalid'],
    emits: ['s_account_updated'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>

const ofRequest = z.object({ refundRequestId: referenceTo('refundRequest', 'The id of the request.') })

/** Not in the reference. Refunds above the limit, which wait for a second person. */
export const refundRequests = {
  list: {
    method: 'GET',
    path: '/api/payments/v1/refund-requests',
    audience: 'key',
    scope: 'refunds:read',
    summary: 'List refunds that wait for a second person',
    description: howToList,
    ...listOf(refundRequest, {
      status: refundRequestStatus
        .optional()
        .meta({ description: 'Only requests of this status.', examples: ['pending'] }),
      storeId: ofResource('store', 'Only requests of this store.'),
      paymentId: ofResource('payment', 'Only requests of this payment.'),
      ...createdBetween,
      q: searchFor('the beginning of the id of a request or a payment', exampleId('refundRequest')),
    }),
    status: 200,
    errors: [],
  },
  get: {
    method: 'GET',
    path: '/api/payments/v1/refund-requests/{refundRequestId}',
    audience: 'key',
    scope: 'refunds:read',
    summary: 'Read a refund that waits for a second person',
    params: ofRequest,
    status: 200,
    response: refundRequest,
    errors: ['resource_missing'],
  },
  approve: {
    method: 'POST',
    path: '/api/payments/v1/refund-requests/{refundRequestId}/approve',
    audience: 'console',
    scope: 'refunds:write',
    summary: 'Approve a refund',
    description:
      'Refunds the payment, once, as `payments.refund` does. A member approves what another member or a key has requested, if the payment was not refunded in the meantime.',
    params: ofRequest,
    status: 200,
    response: payment,
    errors: ['resource_missing', 'amount_invalid', 'state_conflict', 'upstream_failed'],
    emits: ['s_refund_request_approved', 's_payment_refunded', 's_order_refunded', 's_payment_refund_failed'],
    idempotent: 'lease',
  },
  decline: {
    method: 'POST',
    path: '/api/payments/v1/refund-requests/{refundRequestId}/decline',
    audience: 'console',
    scope: 'refunds:write',
    summary: 'Decline a refund',
    description: 'Nothing is refunded. Who has requested it can take it back so, too.',
    params: ofRequest,
    status: 200,
    response: refundRequest,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_refund_request_declined'],
    idempotent: 'transaction',
  },
} as const satisfies Record<string, Operation>
