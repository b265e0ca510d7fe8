import { Stripe } from 'stripe'

/** How old a signature may be, in seconds. Source: Stripe, "Verify webhook signatures". */
const TOLERANCE_S = 300

/** What came in, as Stripe has signed it. */
export interface SignedEvent {
  body: Buffer
  /** The header `stripe-signature`. */
  signature: string
}

/** The event that was signed with a secret, or `null` when it was not, or too long ago. */
export function readStripeEvent(
  { body, signature }: SignedEvent,
  { client, secret, nowMs }: { client: Stripe; secret: string; nowMs: number },
): Stripe.Event | null {
  try {
    return client.webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, nowMs)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null
    throw error
  }
}
