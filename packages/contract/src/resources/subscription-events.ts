import { z } from 'zod'
import { updatedProperties } from '../changes.ts'
import { idOf } from '../ids.ts'
import { timestamp } from '../text.ts'
import { subscriptionStatus } from './subscriptions.ts'

const orderId = idOf('order', 'The id of the order.')
const paymentId = idOf('payment', 'The id of the payment.')
const ofSubscription = {
  subscriptionId: idOf('subscription', 'The subscription.'),
  status: subscriptionStatus.meta({
    description: 'The status of the subscription after this event.',
    examples: ['active'],
  }),
}
const inPeriod = {
  ...ofSubscription,
  orderId,
  paymentId,
  paymentInstrumentId: idOf(
    'paymentInstrument',
    'The payment instrument of that payment. What a buyer pays with by a recovery link is charged for later periods as well.',
  ),
  currentPeriodStart: timestamp.meta({ description: 'When its period started.' }),
  currentPeriodEnd: timestamp.meta({ description: 'When its period ends.', examples: ['2026-12-20T09:30:00.000Z'] }),
}

/** Event types of subscriptions: part of `eventTypes`. */
export const subscriptionEvents = {
  s_subscription_created: z
    .object(inPeriod)
    .meta({ description: 'An order with a recurring price was paid and its subscription started.' }),
  s_subscription_renewed: z.object(inPeriod).meta({ description: 'The next period of a subscription started.' }),
  s_subscription_postponed: z
    .object({
      ...ofSubscription,
      reason: z.enum(['no_eligible_processor', 'tax_unanswered', 'retry_too_early']).meta({
        description:
          'Why: no processor of its flow can be asked, the store’s `tax` hook gave no answer, or the card’s network asks to wait.',
        examples: ['tax_unanswered'],
      }),
      nextPaymentAt: timestamp.meta({ description: 'When it is tried again.' }),
    })
    .meta({
      description:
        'A period is over, and its renewal could not begin. It is tried again, every hour or when the network allows it; this event comes once a period.',
    }),
  s_subscription_past_due: z
    .object({
      ...ofSubscription,
      paymentId: paymentId.meta({ description: 'The declined payment.' }),
      nextPaymentAt: timestamp.meta({ description: 'When the payment is tried again.' }),
    })
    .meta({
      description:
        'A payment for a subscription period was declined for the first time; it is retried on the days of the store’s `rebillSettings`.',
    }),
  s_subscription_action_required: z
    .object({
      ...ofSubscription,
      paymentId: paymentId.meta({ description: 'The declined payment.' }),
      recoveryUrl: z.url().meta({
        description:
          'A page where the buyer authenticates or enters another card, and pays. Whoever has it can pay for the subscription: send it to the buyer alone.',
        examples: ['https://api.example.com/recover/acc_0VbVJlYt4mEnCp6E5iE3RR/store_0VbVJlYt4mEnCp6E5iE3RR#WyJhY2Mi'],
      }),
      expiresAt: timestamp.meta({
        description: 'Until when the page works, unless the period is paid before.',
        examples: ['2026-12-20T09:30:00.000Z'],
      }),
    })
    .meta({ description: 'A subscription period was declined, and its buyer can pay it by a link.' }),
  s_subscription_updated: z
    .object({
      ...ofSubscription,
      changed: updatedProperties.changed.meta({ examples: [['paymentInstrumentId']] }),
    })
    .meta({
      description:
        'On your request a subscription is charged to another card, goes on with another price or quantity, ends with its period, or no longer does. A card that its buyer pays with by a recovery link is told by `s_subscription_renewed`.',
    }),
  s_subscription_paused: z
    .object({
      ...ofSubscription,
      pausedAt: timestamp.meta({ description: 'Since when it is paused.' }),
    })
    .meta({ description: 'A subscription was paused: nothing is charged until it is resumed.' }),
  s_subscription_resumed: z
    .object({
      ...ofSubscription,
      currentPeriodStart: timestamp.meta({ description: 'When its period started.' }),
      currentPeriodEnd: timestamp.meta({
        description: 'When its period ends, later by the length of the pause.',
        examples: ['2026-12-27T09:30:00.000Z'],
      }),
      nextPaymentAt: timestamp.meta({
        description: 'When it renews, or a declined payment is retried.',
        examples: ['2026-12-27T09:30:00.000Z'],
      }),
    })
    .meta({ description: 'A paused subscription goes on.' }),
  s_subscription_canceled: z
    .object({
      ...ofSubscription,
      reason: z.enum(['requested', 'unpaid']).meta({
        description: 'Whether the subscription was canceled on request or because a period stayed unpaid.',
        examples: ['requested'],
      }),
    })
    .meta({ description: 'A subscription ended.' }),
} as const
