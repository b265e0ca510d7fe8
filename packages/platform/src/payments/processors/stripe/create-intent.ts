import type { Stripe } from 'stripe'
import type { AttemptFacts } from '../driver.ts'
import { stripeAmount } from './stripe-amount.ts'

/** What the attempt is called among an intent's metadata. */
export const ATTEMPT = 'attempt'

/**
 * The payment intent of an attempt, without a card. Whoever sends the same again, under the same key, is answered the
 * same intent as it was then.
 */
export function createIntent(facts: AttemptFacts, client: Stripe): Promise<Stripe.PaymentIntent> {
  const { attemptId, amount, currency, capture, descriptor } = facts
  return client.paymentIntents.create(
    {
      amount: stripeAmount(amount, currency) ?? amount,
      currency: currency.toLowerCase(),
      capture_method: capture === 'now' ? 'automatic' : 'manual',
      allowed_payment_method_types: ['card'],
      metadata: { [ATTEMPT]: attemptId },
      ...(descriptor !== null && { statement_descriptor_suffix: descriptor }),
    },
    { idempotencyKey: attemptId },
  )
}
