import { z } from 'zod'
import { idOf } from './ids.ts'
import { subscriptionStatus } from './resources/subscriptions.ts'
import { timestamp } from './text.ts'

const orderId = idOf('order', 'The id of the order.')
const paymentId = idOf('payment', 'The id of the payment.')
const ofSubscription = {
  subscriptionId: idOf('subscription', 'The subscription.'),
  status: subscriptionStatus.meta({
    description: 'Where the subscription stands after this event.',
    examples: ['active'],
  }),
}
const inPeriod = {
  ...ofSubscription,
  orderId,
  paymentId,
  currentPeriodStart: timestamp.meta({ description: 'When its period began.' }),
  currentPeriodEnd: timestamp.meta({ description: 'When its period ends.' }),
}

/** What happens to subscriptions: a part of `eventTypes`. */
export const subscriptionEvents = {
  s_subscription_created: z
    .object(inPeriod)
    .meta({ description: 'An order with a recurring price was paid: its subscription has begun.' }),
  s_subscription_renewed: z.object(inPeriod).meta({ description: 'The next period of a subscription has begun.' }),
  s_subscription_past_due: z
    .object({
      ...ofSubscription,
      paymentId: paymentId.meta({ description: 'The payment that was declined.' }),
      nextPaymentAt: timestamp.meta({ description: 'When it is tried again.' }),
    })
    .meta({ description: 'A period of a subscription could not be paid, and is tried again for a week.' }),
  s_subscription_canceled: z
    .object({
      ...ofSubscription,
      reason: z
        .enum(['requested', 'unpaid'])
        .meta({ description: 'Whether somebody asked for it, or a period stayed unpaid.', examples: ['requested'] }),
    })
    .meta({ description: 'A subscription is over.' }),
} as const
