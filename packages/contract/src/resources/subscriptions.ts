import { z } from 'zod'
import { idOf, referenceTo } from '../ids.ts'
import { amount } from '../money.ts'
import { timestamp } from '../text.ts'
import { billingTiming, interval } from './products.ts'

/** Where a subscription stands. Terminal: canceled. */
export const subscriptionStatus = z.enum(['trialing', 'active', 'past_due', 'canceled'])
export type SubscriptionStatus = z.output<typeof subscriptionStatus>

/** How often something is paid. */
const period = {
  interval: interval.meta({ description: 'The unit of a period.', examples: ['month'] }),
  intervalCount: z.int().meta({ description: 'How many intervals one period has.', examples: [1] }),
  billingTiming: billingTiming.meta({
    description: 'Whether a period is paid before it begins, or when it is over.',
    examples: ['in_advance'],
  }),
  trialDays: z
    .int()
    .meta({ description: 'How many days cost nothing before the first period; 0 for none.', examples: [14] }),
}

/** What recurs of a line of an order. */
export const recurrence = z.object(period).meta({ id: 'Recurrence' })
export type Recurrence = z.output<typeof recurrence>

const status = subscriptionStatus.meta({ examples: ['active'] })
const periodStart = timestamp.meta({ description: 'When the period begins.' })
const periodEnd = timestamp.meta({ description: 'When the period ends, and the next one begins.' })

/** What a payment does for a subscription, once it has succeeded. */
export const paymentSubscription = z
  .object({
    subscriptionId: idOf('subscription', 'The subscription.'),
    occasion: z.enum(['first', 'renewal', 'last']).meta({
      description: '`first` begins it, `renewal` leads to its next period, `last` pays what is owed when it ends.',
      examples: ['renewal'],
    }),
    period: z.int().meta({
      description: 'The number of the period that the subscription is in once it is paid; a trial is 0.',
      examples: [1],
    }),
    periodStart,
    periodEnd,
    status: status.meta({ description: 'Where the subscription stands once it is paid.' }),
    tries: z
      .int()
      .meta({ description: 'How many tries to be paid for this period were declined before.', examples: [0] }),
  })
  .meta({ id: 'PaymentSubscription' })
export type PaymentSubscription = z.output<typeof paymentSubscription>

export const subscription = z
  .object({
    id: idOf('subscription', 'The id of the subscription.'),
    accountId: idOf('account', 'The account that the subscription belongs to.'),
    storeId: idOf('store', 'The store that sells.'),
    customerId: idOf('customer', 'The customer who pays.'),
    orderId: idOf('order', 'The order that it began with.'),
    paymentInstrumentId: idOf('paymentInstrument', 'What is charged for each period.'),
    paymentFlowId: idOf('paymentFlow', 'The flow that picks the processor.'),
    productId: idOf('product', 'The product.'),
    variantId: idOf('variant', 'The variant that is delivered.'),
    priceId: idOf('price', 'The price it was bought at.'),
    name: z.string().meta({ description: 'What was bought, as it was called then.', examples: ['Coffee club'] }),
    quantity: z.int().meta({ description: 'How many units.', examples: [1] }),
    unitAmount: amount.meta({
      description:
        'What one unit costs for a period, in minor units of `currency`; later changes of the price are not followed.',
      examples: [1_500],
    }),
    currency: z.string().meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
    ...period,
    status: status.meta({
      description:
        '`trialing`: nothing was paid yet; `past_due`: a period is not paid and is tried again; `canceled`: over, and final.',
    }),
    currentPeriodStart: periodStart,
    currentPeriodEnd: periodEnd,
    nextPaymentAt: timestamp.nullable().meta({
      description: 'When it is renewed, or a payment that was declined is tried again; null for one that is canceled.',
    }),
    cancelAtPeriodEnd: z.boolean().meta({
      description: 'Whether it ends with the current period.',
      examples: [false],
    }),
    canceledAt: timestamp.nullable().meta({ description: 'When it ended; null until then.', examples: [null] }),
    createdAt: timestamp.meta({ description: 'When it was bought.' }),
    updatedAt: timestamp.meta({ description: 'When it last changed.' }),
  })
  .meta({ id: 'Subscription', description: 'A recurring price that a customer has bought.' })
export type Subscription = z.output<typeof subscription>

/** The body of `POST /api/payments/v1/subscriptions/{subscriptionId}/cancel`. */
export const subscriptionCancellation = z.object({
  atPeriodEnd: z
    .boolean()
    .default(true)
    .meta({
      description:
        'Whether it goes on until the end of the period; `false` ends it at once. A period that is over already ends at once too.',
      examples: [true],
    }),
})

/** The body of `POST /api/payments/v1/subscriptions/{subscriptionId}/update`. */
export const subscriptionUpdate = z.object({
  paymentInstrumentId: referenceTo(
    'paymentInstrument',
    'What is charged from now on: an active instrument of the same customer and store.',
  ),
})
