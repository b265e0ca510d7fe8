import { z } from 'zod'
import { idOf, ownId, referenceTo } from '../ids.ts'
import { LINE_QUANTITY_MAX } from '../limits.ts'
import { amount } from '../money.ts'
import { anyTimestamp, timestamp } from '../text.ts'
import { billingTiming, interval } from './products.ts'

/** The status of a subscription. Terminal: canceled. */
export const subscriptionStatus = z.enum(['trialing', 'active', 'past_due', 'paused', 'canceled'])
export type SubscriptionStatus = z.output<typeof subscriptionStatus>

/** The period of a recurring price. */
const period = {
  interval: interval.meta({ description: 'The unit of a period.', examples: ['month'] }),
  intervalCount: z.int().meta({ description: 'The number of intervals in one period.', examples: [1] }),
  billingTiming: billingTiming.meta({
    description: 'Whether a period is paid in advance, in arrears, or by the usage reported in it.',
    examples: ['in_advance'],
  }),
  trialDays: z.int().meta({ description: 'The length of the free trial in days; 0 for none.', examples: [14] }),
}

/** The recurring part of an order line. */
export const recurrence = z.object(period).meta({ id: 'Recurrence' })
export type Recurrence = z.output<typeof recurrence>

const status = subscriptionStatus.meta({ examples: ['active'] })
const periodStart = timestamp.meta({ description: 'When the period starts.' })
const periodEnd = timestamp.meta({
  description: 'When the period ends and the next one starts. Pauses in it make it longer.',
})

/** The effect of a payment on a subscription once it succeeds. */
export const paymentSubscription = z
  .object({
    subscriptionId: idOf('subscription', 'The subscription.'),
    occasion: z.enum(['first', 'renewal', 'last']).meta({
      description: '`first` starts it, `renewal` begins its next period, `last` pays what is owed when it ends.',
      examples: ['renewal'],
    }),
    period: z.int().meta({
      description: 'The number of the subscription’s period once the payment succeeds; a trial is 0.',
      examples: [1],
    }),
    periodStart,
    periodEnd,
    status: status.meta({ description: 'The status of the subscription once the payment succeeds.' }),
    tries: z.int().meta({ description: 'The number of declined attempts for this period so far.', examples: [0] }),
    retryAfterDays: z
      .int()
      .nullable()
      .meta({
        description:
          'Days until the period is charged again if this payment is declined; null if the subscription is canceled then, for `first`, and if it was `requested`.',
        examples: [1],
      }),
    requested: z.boolean().meta({
      description:
        'Whether somebody asked for it, with `subscriptions.retry` or by setting another payment instrument. If it is declined, the automatic retries stay as they are.',
      examples: [false],
    }),
  })
  .meta({ id: 'PaymentSubscription' })
export type PaymentSubscription = z.output<typeof paymentSubscription>

/** An item that a subscription goes on with. */
const pendingChange = z
  .object({
    productId: idOf('product', 'The product.'),
    variantId: idOf('variant', 'The variant.'),
    priceId: idOf('price', 'The price.'),
    name: z
      .string()
      .meta({ description: 'The name of the item when it was chosen.', examples: ['Coffee club, large'] }),
    quantity: z.int().meta({ description: 'The quantity.', examples: [2] }),
    unitAmount: amount.meta({
      description: 'The price of one unit per period, or of one unit of usage, in minor units.',
      examples: [2_000],
    }),
    effectiveAt: timestamp.meta({ description: 'When the period starts that is the first with it.' }),
  })
  .meta({ id: 'PendingSubscriptionChange' })

export const subscription = z
  .object({
    id: idOf('subscription', 'The id of the subscription.'),
    accountId: idOf('account', 'The account that the subscription belongs to.'),
    storeId: idOf('store', 'The store that sells.'),
    customerId: idOf('customer', 'The customer who pays.'),
    orderId: idOf('order', 'The order that it started with.'),
    paymentInstrumentId: idOf('paymentInstrument', 'The payment instrument charged each period.'),
    paymentFlowId: idOf('paymentFlow', 'The flow that picks the processor.'),
    productId: idOf('product', 'The product.'),
    variantId: idOf('variant', 'The subscribed variant.'),
    priceId: idOf('price', 'The subscribed price.'),
    name: z.string().meta({ description: 'The name of the item when it was bought.', examples: ['Coffee club'] }),
    quantity: z.int().meta({ description: 'The quantity.', examples: [1] }),
    unitAmount: amount.meta({
      description:
        'The price of one unit per period, or of one unit of usage, in minor units of `currency`. Later changes of the price do not apply.',
      examples: [1_500],
    }),
    currency: z.string().meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
    ...period,
    status: status.meta({
      description:
        '`trialing`: nothing is paid yet; `past_due`: a period is unpaid and is retried; `paused`: time stands still, and nothing is charged; `canceled`: ended for good.',
    }),
    currentPeriodStart: periodStart,
    currentPeriodEnd: periodEnd,
    nextPaymentAt: timestamp.nullable().meta({
      description: 'When it renews, or a declined payment is retried; null while paused and once canceled.',
    }),
    nextPaymentAmount: amount.nullable().meta({
      description:
        'Amount that is charged then, before tax, in minor units of `currency`; by usage, for what was reported so far. 0 if it ends without a charge; null when `nextPaymentAt` is.',
      examples: [1_500],
    }),
    pendingChange: pendingChange.nullable().meta({
      description: 'What it goes on with from its next period, as you updated it; null if that stays as it is.',
    }),
    usageQuantity: z
      .int()
      .nullable()
      .meta({
        description: 'The usage reported for the current period; null unless `billingTiming` is `usage`.',
        examples: [null],
      }),
    cancelAtPeriodEnd: z.boolean().meta({
      description: 'Whether it ends with the current period.',
      examples: [false],
    }),
    pausedAt: timestamp
      .nullable()
      .meta({ description: 'Since when it is paused; null if it is not.', examples: [null] }),
    canceledAt: timestamp.nullable().meta({ description: 'When it ended; null before that.', examples: [null] }),
    createdAt: timestamp.meta({ description: 'When it was bought.' }),
    updatedAt: timestamp.meta({ description: 'When it last changed.' }),
  })
  .meta({ id: 'Subscription', description: 'A customer’s subscription to a recurring price.' })
export type Subscription = z.output<typeof subscription>

/** The body of `POST /api/payments/v1/subscriptions/{subscriptionId}/cancel`. */
export const subscriptionCancellation = z.strictObject({
  atPeriodEnd: z
    .boolean()
    .default(true)
    .meta({
      description:
        'Whether it continues until the end of the period, or of the one that a renewal in progress begins; `false` ends it at once. If the period is already over and nothing is owed for it, or the subscription is paused, it ends at once.',
      examples: [true],
    }),
})

/** The body of `POST /api/payments/v1/subscriptions/{subscriptionId}/update`. */
export const subscriptionUpdate = z
  .strictObject({
    paymentInstrumentId: referenceTo(
      'paymentInstrument',
      'The payment instrument to charge from now on: an active one of the same customer and store.',
    ).optional(),
    priceId: referenceTo(
      'price',
      'The price to go on with from the next period: one of the same store, in the same currency, that is paid as often and at the same time.',
    ).optional(),
    quantity: z
      .int()
      .min(1)
      .max(LINE_QUANTITY_MAX)
      .optional()
      .meta({ description: 'The quantity to go on with from the next period.', examples: [2] }),
    cancelAtPeriodEnd: z
      .literal(false, { error: 'must be false, which takes a cancellation back; end a subscription with /cancel' })
      .optional()
      .meta({
        description:
          '`false` takes a cancellation back: a subscription that was to end with its period goes on, and is charged for the next one.',
        examples: [false],
      }),
  })
  .refine((update) => Object.values(update).some((field) => field !== undefined), {
    error: 'must have paymentInstrumentId, priceId, quantity or cancelAtPeriodEnd',
  })
export type SubscriptionUpdate = z.output<typeof subscriptionUpdate>

/** The most that one usage record reports. */
const USAGE_MAX = 1_000_000_000

const usageQuantity = {
  description:
    'The units that were used, in whole numbers. A negative number corrects what was reported before; a period whose sum is below 0 costs nothing.',
  examples: [120],
}

/** The body of `POST /api/payments/v1/subscriptions/{subscriptionId}/usage-records`. */
export const newUsageRecord = z.object({
  id: ownId.optional().meta({
    description:
      'Your own id, unique in the subscription; generated if left out. The same record sent again under its id is counted once.',
    examples: ['meter-7-2030-01-05'],
  }),
  quantity: z
    .int()
    .min(-USAGE_MAX)
    .max(USAGE_MAX)
    .refine((quantity) => quantity !== 0, 'must not be 0')
    .meta(usageQuantity),
  occurredAt: anyTimestamp.optional().meta({
    description:
      'When it was used, now by default: not before the subscription started and not in the future. Usage of a period that has been billed counts for the current one.',
  }),
})
export type NewUsageRecord = z.output<typeof newUsageRecord>

/** Usage of a subscription that is billed by it. */
export const usageRecord = z
  .object({
    id: idOf('usageRecord', 'The id of the record, unique in its subscription.'),
    subscriptionId: idOf('subscription', 'The subscription.'),
    quantity: z.int().meta(usageQuantity),
    occurredAt: timestamp.meta({ description: 'When it was used.' }),
    periodStart: timestamp.meta({ description: 'When the period starts that it is billed with.' }),
    periodEnd: timestamp.meta({ description: 'When that period ends, and the usage is billed.' }),
    createdAt: timestamp.meta({ description: 'When it was reported.' }),
  })
  .meta({ id: 'UsageRecord', description: 'Usage of a subscription, billed when its period ends.' })
export type UsageRecord = z.output<typeof usageRecord>
