import type { Stripe } from 'stripe'
import { type PostAuthorizationOutcome, type Refund, refused } from '../driver.ts'

/** The metadata key of a refund that holds our id of it. One that was made at Stripe has none. */
export const REFUND = 'refund'

/** Stripe's own limit of one page; a payment has no more refunds here than that. */
export const REFUNDS_MAX = 100

/**
 * Refunds, unless it was done under this id: that is looked for first, because a refund may be pending for longer than Stripe
 * keeps keys.
 *
 * @param amount As Stripe writes it.
 */
export async function refund(
  { id, reference }: Pick<Refund, 'id' | 'reference'>,
  amount: number,
  { paymentIntents, refunds }: Stripe,
): Promise<PostAuthorizationOutcome> {
  const [{ amount_received: captured }, { data }] = await Promise.all([
    paymentIntents.retrieve(reference),
    refunds.list({ payment_intent: reference, limit: REFUNDS_MAX }),
  ])
  const made = data.find(({ metadata }) => metadata?.[REFUND] === id)
  if (made !== undefined) return outcomeOfRefund(made)
  // Stripe takes the refund of what was not captured for a void.
  if (captured === 0) return refused('wrong_state')
  const wanted = { payment_intent: reference, amount, metadata: { [REFUND]: id } }
  return outcomeOfRefund(await refunds.create(wanted, { idempotencyKey: id }))
}

/**
 * A refund is pending while the balance at Stripe does not cover it, and may fail after it has succeeded, as when the card was
 * closed. Source: Stripe, "The Refund object", status, and "Failed refunds".
 */
export function outcomeOfRefund({
  id: reference,
  status,
}: Pick<Stripe.Refund, 'id' | 'status'>): PostAuthorizationOutcome {
  if (status === 'succeeded') return { outcome: 'succeeded', reference }
  return hasFailed({ status }) ? refused('reversed') : { outcome: 'pending', reference }
}

/** Whether a refund has come to nothing. */
export function hasFailed({ status }: Pick<Stripe.Refund, 'status'>): boolean {
  return status === 'failed' || status === 'canceled'
}
