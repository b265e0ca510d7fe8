import { Stripe } from 'stripe'
import type { ProcessorEvent, ProcessorReport } from '../processor-driver.ts'
import { ATTEMPT } from './create-intent.ts'
import { askDispute } from './reported-dispute.ts'
import { askRefunds } from './reported-refunds.ts'

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
): ProcessorEvent | null {
  try {
    const event = client.webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, nowMs)
    return { id: event.id, type: event.type, report: () => reportOf(event, client) }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError) return null
    throw error
  }
}

/** Stripe sends what its account is set to; what is not named here is nothing to us. */
async function reportOf(event: Stripe.Event, client: Stripe): Promise<ProcessorReport | null> {
  if (isOneOf(event, disputed)) {
    const dispute = await askDispute(event.data.object.id, client)
    return dispute && { about: 'dispute', dispute }
  }
  if (event.type === 'charge.refunded') {
    const intent = event.data.object.payment_intent
    const intentId = typeof intent === 'string' ? intent : intent?.id
    const refunds = intentId === undefined ? null : await askRefunds(intentId, client)
    return refunds && { about: 'refunds', refunds }
  }
  if (!isOneOf(event, moved)) return null
  const attemptId = event.data.object.metadata[ATTEMPT]
  return attemptId === undefined ? null : { about: 'attempt', attemptId }
}

const disputed = ['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed'] as const
const moved = [
  'payment_intent.succeeded',
  'payment_intent.amount_capturable_updated',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
] as const

function isOneOf<Type extends Stripe.Event.Type>(
  event: Stripe.Event,
  types: readonly Type[],
): event is Extract<Stripe.Event, { type: Type }> {
  return types.some((type) => type === event.type)
}
