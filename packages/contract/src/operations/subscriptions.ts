import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import type { Operation } from '../operation.ts'
import { pageOf, pageQuery } from '../pagination.ts'
import { subscription, subscriptionCancellation, subscriptionUpdate } from '../resources/subscriptions.ts'

const ofSubscription = z.object({ subscriptionId: referenceTo('subscription', 'The id of the subscription.') })

/** Beside the public API: what customers pay again and again. */
export const subscriptions = {
  list: {
    method: 'GET',
    path: '/api/payments/v1/subscriptions',
    audience: 'key',
    scope: 'subscriptions:read',
    summary: 'List the subscriptions of a customer, newest first',
    description: 'While `hasMore` is true, `nextCursor` as `after` asks for the next page.',
    query: pageQuery.extend({ customerId: referenceTo('customer', 'Whose subscriptions.') }),
    status: 200,
    response: pageOf(subscription),
    errors: ['resource_missing'],
  },
  get: {
    method: 'GET',
    path: '/api/payments/v1/subscriptions/{subscriptionId}',
    audience: 'key',
    scope: 'subscriptions:read',
    summary: 'Read a subscription',
    description: 'It begins when an order with a recurring price is paid.',
    params: ofSubscription,
    status: 200,
    response: subscription,
    errors: ['resource_missing'],
  },
  cancel: {
    method: 'POST',
    path: '/api/payments/v1/subscriptions/{subscriptionId}/cancel',
    audience: 'key',
    scope: 'subscriptions:write',
    summary: 'End a subscription, with its period or at once',
    description:
      'Nothing is given back. One that is paid in arrears pays its last period when that is over, unless it ends at once. While a renewal is under way the answer is a 409: try again in a moment.',
    params: ofSubscription,
    body: subscriptionCancellation,
    status: 200,
    response: subscription,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_subscription_canceled'],
    idempotent: 'unit',
  },
  update: {
    method: 'POST',
    path: '/api/payments/v1/subscriptions/{subscriptionId}/update',
    audience: 'key',
    scope: 'subscriptions:write',
    summary: 'Charge a subscription to another payment instrument',
    description: 'One that is past due is tried at once with it.',
    params: ofSubscription,
    body: subscriptionUpdate,
    status: 200,
    response: subscription,
    errors: ['resource_missing', 'state_conflict'],
    idempotent: 'unit',
  },
} as const satisfies Record<string, Operation>
