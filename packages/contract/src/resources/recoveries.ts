import { z } from 'zod'
import { idOf } from '../ids.ts'
import { amount } from '../money.ts'
import { timestamp } from '../text.ts'
import { sessionPayment } from './buyer-sessions.ts'
import { cardSummary } from './payment-instruments.ts'

/** The token of a recovery link, as it stands in the fragment of its address. */
export const recoveryToken = z
  .string()
  .min(1)
  .max(1_024)
  .meta({
    description: 'The token from the link, in the fragment of its address.',
    examples: ['WyJhY2NfMFZiVkpsIiwic3ViXzBWYlZKbCJd.q4nJ0cXhR2y8oV5wT1uK7mZ3bL9dF6sA0eG2iN4pH8c'],
  })

/** A link by which a buyer pays an unpaid period of a subscription. */
export const recoveryLink = z
  .object({
    url: z.url().meta({
      description: 'The address of the page. Whoever has it can pay for the subscription: send it to the buyer alone.',
      examples: [
        'https://api.example.com/recover/acc_0VbVJlYt4mEnCp6E5iE3RR/store_0VbVJlYt4mEnCp6E5iE3RR#WyJhY2NfMFZiVkpsIl0.q4nJ0cXhR2y8oV5wT1uK7mZ3bL9dF6sA0eG2iN4pH8c',
      ],
    }),
    expiresAt: timestamp.meta({
      description: 'Until when it works. It ends before that when the period is paid.',
      examples: ['2026-12-20T09:30:00.000Z'],
    }),
  })
  .meta({ id: 'RecoveryLink', description: 'A link by which a buyer pays an unpaid period of a subscription.' })

/** Data of a recovery link's page. */
export const recovery = z
  .object({
    subscriptionId: idOf('subscription', 'The subscription.'),
    state: z.enum(['open', 'waiting', 'processing', 'paid', 'paused', 'ended']).meta({
      description:
        '`open`: to be paid. `waiting`: a payment waits for the buyer to authenticate. `processing`: a payment is under way. `paid`: there is nothing to pay any more. `paused`: nothing is paid until the subscription goes on. `ended`: the subscription has ended.',
      examples: ['open'],
    }),
    shop: z.string().meta({ description: 'The name of the store.', examples: ['Acme Coffee'] }),
    name: z.string().meta({ description: 'Name of the product that was subscribed to.', examples: ['Coffee club'] }),
    amount: amount.meta({
      description: 'What is paid for the unpaid period, with tax, in minor units of `currency`; 0 where nothing is.',
    }),
    currency: z.string().meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
    card: cardSummary
      .nullable()
      .meta({ description: 'The card that can be authenticated; null where only another one will do.' }),
    payment: sessionPayment
      .nullable()
      .meta({ description: 'The latest payment of the page, or null.', examples: [null] }),
  })
  .meta({ id: 'Recovery', description: 'An unpaid period of a subscription, as its buyer sees it.' })
export type Recovery = z.infer<typeof recovery>
