import { z } from 'zod'
import { referenceTo } from '../ids.ts'
import { createdBetween, flagFilter, howToList, listOf, ofResource, searchFor } from '../lists.ts'
import type { Operation } from '../operation.ts'
import { pageOf, pageQuery } from '../pagination.ts'
import { cardRefusals } from '../resources/payment-attempts.ts'
import { payment } from '../resources/payments.ts'
import { recoveryLink } from '../resources/recoveries.ts'
import {
  newUsageRecord,
  subscription,
  subscriptionCancellation,
  subscriptionStatus,
  subscriptionUpdate,
  usageRecord,
} from '../resources/subscriptions.ts'
import { anyTimestamp } from '../text.ts'

const ofSubscription = z.object({ subscriptionId: referenceTo('subscription', 'The id of the subscription.') })

/** Not in the reference: subscriptions and their management. */
export const subscriptions = {
  list: {
    method: 'GET',
    path: '/api/payments/v1/subscriptions',
    audience: 'key',
    scope: 'subscriptions:read',
    summary: 'List subscriptions',
    description: howToList,
    ...listOf(subscription, {
      status: subscriptionStatus
        .optional()
        .meta({ description: 'Only subscriptions of this status.', examples: ['active'] }),
      storeId: ofResource('store', 'Only subscriptions of this store.'),
      customerId: ofResource('customer', 'Only subscriptions of this customer.'),
      nextPaymentFrom: anyTimestamp.optional().meta({
        description: 'Only subscriptions whose `nextPaymentAt` is this time or later.',
        examples: ['2026-12-01T00:00:00Z'],
      }),
      nextPaymentBefore: anyTimestamp.optional().meta({
        description: 'Only subscriptions whose `nextPaymentAt` is before this time.',
        examples: ['2026-12-08T00:00:00Z'],
      }),
      cancelAtPeriodEnd: flagFilter('Only subscriptions that end with their period, or only those that do not.'),
      ...createdBetween,
      q: searchFor(
        'an e-mail address, a name, or the beginning of the id of a subscription or a customer',
        'ada@example.com',
      ),
    }),
    status: 200,
    errors: [],
  },
  get: {
    method: 'GET',
    path: '/api/payments/v1/subscriptions/{subscriptionId}',
    audience: 'key',
    scope: 'subscriptions:read',
    summary: 'Read a subscription',
    description: 'A subscription starts when an order with a recurring price is paid.',
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
    summary: 'Cancel a subscription',
    description:
      'At the end of its period, or at once. Nothing is refunded. A subscription paid in arrears is charged for its last period when that ends, unless it is cancelled at once. While a renewal is in progress, the end of the period is that of the one which the renewal begins; to end at once, it returns 409: try again in a moment.',
    params: ofSubscription,
    body: subscriptionCancellation,
    status: 200,
    response: subscription,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_subscription_updated', 's_subscription_canceled'],
    idempotent: 'transaction',
  },
  update: {
    method: 'POST',
    path: '/api/payments/v1/subscriptions/{subscriptionId}/update',
    audience: 'key',
    scope: 'subscriptions:write',
    summary: 'Update a subscription',
    description:
      'Charges it to another payment instrument, has it go on with another price or quantity, or takes back a cancellation at the end of its period; what is left out stays as it is. A price or quantity counts from the next period, also for what is charged for that one: `pendingChange` shows it until then, and the present ones take it back. The discount of the order, where the first period is yet to be paid, does not go along. A past-due subscription is charged to another instrument at once; naming the one that it has changes nothing, and `/retry` charges that. A decline of that is not counted among the automatic retries, which come at their times. Returns 409 for a subscription that has ended, for a cancellation while the last period is being charged, for a price or quantity while any period is, or of one that ends with its period, and for a card while the last automatic retry is.',
    params: ofSubscription,
    body: subscriptionUpdate,
    status: 200,
    response: subscription,
    errors: ['resource_missing', 'state_conflict', 'currency_unsupported', 'amount_invalid'],
    emits: ['s_subscription_updated'],
    idempotent: 'transaction',
  },
  pause: {
    method: 'POST',
    path: '/api/payments/v1/subscriptions/{subscriptionId}/pause',
    audience: 'key',
    scope: 'subscriptions:write',
    summary: 'Pause a subscription',
    description:
      'At once, until it is resumed. Nothing is renewed, retried or charged meanwhile, and the rest of its period or trial is kept for later. Deliver nothing while it is paused: what the customer has paid for is not lost. Returns 409 while a renewal is in progress: try again in a moment.',
    params: ofSubscription,
    status: 200,
    response: subscription,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_subscription_paused'],
    idempotent: 'transaction',
  },
  resume: {
    method: 'POST',
    path: '/api/payments/v1/subscriptions/{subscriptionId}/resume',
    audience: 'key',
    scope: 'subscriptions:write',
    summary: 'Resume a paused subscription',
    description:
      'It goes on where it was paused, with the status that it had: its period, its trial, or the time until a declined renewal is retried, ends later by the length of the pause. Nothing is charged for the pause.',
    params: ofSubscription,
    status: 200,
    response: subscription,
    errors: ['resource_missing', 'state_conflict'],
    emits: ['s_subscription_resumed'],
    idempotent: 'transaction',
  },
  retry: {
    method: 'POST',
    path: '/api/payments/v1/subscriptions/{subscriptionId}/retry',
    audience: 'key',
    scope: 'subscriptions:write',
    summary: 'Retry a past-due subscription’s charge',
    description:
      'Charges the unpaid period to the subscription’s payment instrument now, without a buyer, and returns the payment. Once it succeeds, the subscription goes on. A declined card returns a 402 with the payment’s id: the subscription stays `past_due`, its automatic retries come at their times, and this one is not counted among them. If the outcome is not known after eight seconds, the payment is `processing` and goes on; its webhook tells the end. Returns 409 for a subscription that is not `past_due`, while a charge of it is in progress, and for a card that was deleted, is not active, or that its issuer refuses for good: set another with `/update`, which is charged at once. Repeating the request with the same `Idempotency-Key` charges the card only once.',
    params: ofSubscription,
    status: 200,
    response: payment,
    errors: [...cardRefusals, 'resource_missing', 'state_conflict', 'tax_unanswered'],
    emits: [
      's_order_created',
      's_payment_created',
      's_payment_succeeded',
      's_order_paid',
      's_subscription_renewed',
      's_subscription_canceled',
      's_payment_failed',
      's_payment_instrument_renewed',
    ],
    idempotent: 'lease',
  },
  createRecoveryLink: {
    method: 'POST',
    path: '/api/payments/v1/subscriptions/{subscriptionId}/recovery-link',
    audience: 'key',
    scope: 'subscriptions:write',
    summary: 'Create a recovery link',
    description:
      'A page of the platform where the buyer authenticates, or enters another card, and pays the unpaid period of a `past_due` subscription; `s_subscription_action_required` brings one by itself. It works until the period is paid, and for 30 days at most. The schedule of automatic retries stays as it was.',
    params: ofSubscription,
    status: 200,
    response: recoveryLink,
    errors: ['resource_missing', 'state_conflict'],
    idempotent: 'transaction',
    secretAnswer: true,
  },
  createUsageRecord: {
    method: 'POST',
    path: '/api/payments/v1/subscriptions/{subscriptionId}/usage-records',
    audience: 'key',
    scope: 'subscriptions:write',
    summary: 'Report usage',
    description:
      'For a subscription whose price has the `billingTiming` `usage`. At the end of each period the sum of its usage times the unit price is charged. A record sent again with the same `id`, or the same `Idempotency-Key`, is counted once; the `id` with another quantity or time is a 409.',
    params: ofSubscription,
    body: newUsageRecord,
    status: 201,
    response: usageRecord,
    errors: ['resource_missing', 'resource_exists', 'state_conflict'],
    idempotent: 'transaction',
  },
  listUsageRecords: {
    method: 'GET',
    path: '/api/payments/v1/subscriptions/{subscriptionId}/usage-records',
    audience: 'key',
    scope: 'subscriptions:read',
    summary: 'List reported usage',
    description: 'Newest first. While `hasMore` is true, pass `nextCursor` as `after` to get the next page.',
    params: ofSubscription,
    query: pageQuery,
    status: 200,
    response: pageOf(usageRecord),
    errors: ['resource_missing', 'state_conflict'],
  },
} as const satisfies Record<string, Operation>
