import { Stripe } from 'stripe'
import type { ProcessorEvent, ProcessorReport, ReportedDispute, ReportedRefunds } from '../processor-driver.ts'
import { stripeAmounts } from './amounts.ts'
import { ATTEMPT } from './authorize.ts'
import { ask } from './errors.ts'
import { hasFailed, outcomeOfRefund, REFUND, REFUNDS_MAX } from './refunds.ts'

/** How old a signature may be, in seconds. Source: Stripe, "Verify webhook signatures". */
const TOLERANCE_S = 300

/** A received event, with Stripe's signature. */
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
  if (isOneOf(event, refundMoved)) return refundReport(event.data.object.id, client)
  if (!isOneOf(event, moved)) return null
  const attemptId = event.data.object.metadata[ATTEMPT]
  return attemptId === undefined ? null : { about: 'attempt', attemptId }
}

const disputed = ['charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed'] as const
const refundMoved = ['refund.updated', 'refund.failed'] as const
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

/** Asks Stripe how a dispute stands; `null` for one of a charge that is not ours. */
async function askDispute(disputeId: string, client: Stripe): Promise<ReportedDispute | null> {
  const dispute = await ask(client.disputes.retrieve(disputeId, { expand: ['payment_intent'] }))
  const { id: reference, reason, amount, payment_intent: intent } = dispute
  const currency = dispute.currency.toUpperCase()
  const status = statusOf(dispute.status)
  if (intent === null || typeof intent === 'string') return null
  const attemptId = intent.metadata[ATTEMPT]
  if (attemptId === undefined) return null
  const kind = status === 'prevented' || dispute.status.startsWith('warning_') ? 'inquiry' : 'chargeback'
  const { due_by: dueS } = dispute.evidence_details
  // Stripe has 0 where the bank takes no answer.
  const respondBy = dueS === null || dueS === 0 ? null : new Date(dueS * 1_000).toISOString()
  return {
    reference,
    attemptId,
    kind,
    status,
    reason,
    amount: stripeAmounts.read(amount, currency),
    currency,
    respondBy,
  }
}

/** Source: Stripe, "The Dispute object", status. An inquiry that is closed came to no chargeback. */
function statusOf(status: Stripe.Dispute.Status): ReportedDispute['status'] {
  if (status === 'prevented') return 'prevented'
  if (status === 'won' || status === 'warning_closed') return 'won'
  return status === 'lost' ? 'lost' : 'open'
}

/** How a refund stands that was pending or has failed: one of ours by its id, any other with all of its payment. */
async function refundReport(refundId: string, client: Stripe): Promise<ProcessorReport | null> {
  const refund = await ask(client.refunds.retrieve(refundId))
  const id = refund.metadata?.[REFUND]
  if (id !== undefined) return { about: 'post_authorization', id, outcome: outcomeOfRefund(refund) }
  const { payment_intent: intent } = refund
  const refunds = typeof intent === 'string' ? await askRefunds(intent, client) : null
  return refunds && { about: 'refunds', refunds }
}

/** Asks Stripe for the refunds of a payment intent; `null` for one that is not ours. */
async function askRefunds(intentId: string, client: Stripe): Promise<ReportedRefunds | null> {
  const { metadata } = await ask(client.paymentIntents.retrieve(intentId))
  const attemptId = metadata[ATTEMPT]
  if (attemptId === undefined) return null
  const { data } = await ask(client.refunds.list({ payment_intent: intentId, limit: REFUNDS_MAX }))
  const made = data.filter(({ status }) => status === 'succeeded')
  const refunds = made.map(({ id, amount, currency }) => {
    return { reference: id, amount: stripeAmounts.read(amount, currency.toUpperCase()) }
  })
  return { attemptId, refunds, reversed: data.filter(hasFailed).map(({ id }) => id) }
}
