import { WEBHOOK_DATA_MAX_BYTES, type Environment, type WebhookPayload } from '@tillwright/contract'
import { Webhook } from 'standardwebhooks'
import type { Message } from './egress.ts'
import type { BareEvent } from './event-row.ts'

/** The part of a signature that changes from one try to the next. */
export interface Signing {
  environment: Environment
  /** `whsec_...`, each of which signs: the first of them first. */
  secrets: readonly string[]
  /** The time of this try by the machine: receivers refuse one that is older than five minutes. */
  nowMs: number
}

/**
 * The message that tells an endpoint of an event: the body, and headers that sign exactly these bytes. `webhook-id` is
 * the event's id at every try, so that a receiver can tell a repetition. Source: Standard Webhooks 1.0.0.
 */
export function signDelivery(event: BareEvent, { environment, secrets, nowMs }: Signing): Message {
  const body = payloadText(event, environment)
  const sentAt = new Date(nowMs)
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event.id, sentAt, body))
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Tillwright-Webhooks/1',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(nowMs / 1_000)),
      'webhook-signature': signatures.join(' '),
    },
  }
}

/** An event that would make the body too large is sent as its id, to be fetched. */
function payloadText(event: BareEvent, environment: Environment): string {
  const payload: WebhookPayload = {
    id: event.id,
    type: event.eventType,
    timestamp: event.createdAt,
    environment,
    accountId: event.accountId,
    storeId: event.storeId,
    data: event,
  }
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) <= WEBHOOK_DATA_MAX_BYTES) return text
  return JSON.stringify({ ...payload, data: { id: event.id } } satisfies WebhookPayload)
}
