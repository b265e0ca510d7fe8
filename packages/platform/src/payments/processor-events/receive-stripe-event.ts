import type { Stripe } from 'stripe'
import type { Parts } from '../../call.ts'
import { openProcessorSecret, openWebhookSecret } from '../processors/processor-secret.ts'
import { readProcessorSettings } from '../processors/processor-settings.ts'
import { ATTEMPT } from '../processors/stripe/create-intent.ts'
import { askDispute } from '../processors/stripe/reported-dispute.ts'
import { askRefunds } from '../processors/stripe/reported-refunds.ts'
import { stripeClient } from '../processors/stripe/stripe-client.ts'
import { readStripeEvent, type SignedEvent } from '../processors/stripe/stripe-events.ts'
import { hurryRecovery } from './hurry-recovery.ts'
import { paymentOfAttempt } from './payment-of-attempt.ts'
import { syncDispute } from './sync-dispute.ts'
import { syncRefunds } from './sync-refunds.ts'

/** Whose processor an event came for. */
export interface EventDoor {
  accountId: string
  processorId: string
}

/**
 * What became of an event. `unknown`: no processor takes events here. `unsigned`: its secret has not signed this. `later`:
 * it came too early, or Stripe could not be asked; it is worth sending again.
 */
export type ReceivedEvent = 'taken' | 'unknown' | 'unsigned' | 'later'

/**
 * Receives what Stripe tells by itself. An event is taken as a hint: how things stand Stripe is asked, so that events may
 * come twice, late and in any order.
 */
export async function receiveStripeEvent(sent: SignedEvent, door: EventDoor, parts: Parts): Promise<ReceivedEvent> {
  const opened = await openDoor(door, parts)
  if (opened === null) return 'unknown'
  const { client, secret } = opened
  const event = readStripeEvent(sent, { client, secret, nowMs: parts.clock.now() })
  if (event === null) return 'unsigned'
  try {
    return (await act(event, { door, client, parts })) ? 'taken' : 'later'
  } catch (error) {
    parts.log.warn({ err: error, eventId: event.id, eventType: event.type }, 'an event of Stripe could not be acted on')
    return 'later'
  }
}

async function openDoor({ accountId, processorId }: EventDoor, parts: Parts) {
  const [row] = await parts.db.read(
    `SELECT config, sealed_secret, sealed_webhook_secret FROM processors
      WHERE account_id = ? AND id = ? AND driver = 'stripe' AND sealed_webhook_secret IS NOT NULL`,
    [accountId, processorId],
  )
  if (row === undefined) return null
  const { apiUrl } = readProcessorSettings(row['config'])
  const secretKey = openProcessorSecret(String(row['sealed_secret']), processorId, parts)
  const secret = openWebhookSecret(String(row['sealed_webhook_secret']), processorId, parts)
  return { client: stripeClient({ secretKey, ...(apiUrl !== null && { apiUrl }) }), secret }
}

interface Acting {
  door: EventDoor
  client: Stripe
  parts: Parts
}

/**
 * Stripe sends what its account is set to; what is not named here is nothing to us.
 *
 * @returns `false` for what is worth trying again.
 */
async function act(event: Stripe.Event, acting: Acting): Promise<boolean> {
  if (isOneOf(event, disputed)) return noteDispute(event.data.object.id, acting)
  if (event.type === 'charge.refunded') return noteRefunds(event.data.object.payment_intent, acting)
  if (isOneOf(event, moved)) return noteIntent(event.data.object.metadata[ATTEMPT], acting)
  return true
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

async function noteDispute(disputeId: string, { door, client, parts }: Acting): Promise<boolean> {
  const reported = await askDispute(disputeId, client)
  if (reported === null) return true
  const payment = await paymentOfAttempt({ ...door, attemptId: reported.attemptId }, parts)
  if (payment === null) return true
  const isThere = await syncDispute(reported, payment, parts)
  if (!isThere) parts.log.warn({ paymentId: payment.id, disputeId }, 'a dispute at Stripe cannot be recorded yet')
  return isThere
}

async function noteRefunds(intent: Stripe.Charge['payment_intent'], { door, client, parts }: Acting): Promise<boolean> {
  const intentId = typeof intent === 'string' ? intent : intent?.id
  const reported = intentId === undefined ? null : await askRefunds(intentId, client)
  if (reported === null) return true
  const payment = await paymentOfAttempt({ ...door, attemptId: reported.attemptId }, parts)
  if (payment === null) return true
  const areThere = await syncRefunds(reported.refunds, { payment, processorId: door.processorId }, parts)
  if (!areThere) parts.log.warn({ paymentId: payment.id }, 'a refund at Stripe cannot be recorded yet')
  return areThere
}

async function noteIntent(attemptId: string | undefined, { door, parts }: Acting): Promise<boolean> {
  if (attemptId !== undefined) await parts.db.write([hurryRecovery({ ...door, attemptId })])
  return true
}
