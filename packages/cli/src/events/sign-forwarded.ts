import { createHmac } from 'node:crypto'
import { WEBHOOK_DATA_MAX_BYTES, type Environment, type Event, type WebhookPayload } from '@tillwright/contract'

/** How what is forwarded is signed. */
export interface ForwardSigning {
  environment: Environment
  /** `whsec_...`. */
  secret: string
  /** The time of this try, Unix time in milliseconds. */
  nowMs: number
}

/**
 * An event as the platform would send it: the same body and headers, byte for byte, which a test holds it to. It is made
 * here because the platform need not be installed where events are forwarded. Source: Standard Webhooks 1.0.0.
 */
export function signForwarded(
  event: Event,
  { environment, secret, nowMs }: ForwardSigning,
): { body: string; headers: Record<string, string> } {
  const body = payloadText(event, environment)
  const timestamp = String(Math.floor(nowMs / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64')
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Tillwright-Webhooks/1',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  }
}

function payloadText({ customer: _, store: __, ...event }: Event, environment: Environment): string {
  const { id, eventType: type, createdAt: timestamp, accountId, storeId } = event
  const payload: WebhookPayload = { id, type, timestamp, environment, accountId, storeId, data: event }
  const text = JSON.stringify(payload)
  return Buffer.byteLength(text) <= WEBHOOK_DATA_MAX_BYTES ? text : JSON.stringify({ ...payload, data: { id } })
}
