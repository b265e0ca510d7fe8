import type { EventType } from '@tillwright/contract'
import { type Column, defineTable, flag, int, json, nullable, oneOf, text } from '../storage/index.ts'

export const eventsTable = defineTable('events', {
  account_id: text,
  id: text,
  store_id: nullable(text),
  customer_id: nullable(text),
  event_type: text,
  properties: json<Record<string, unknown>>(),
  draft: flag,
  created_at: int,
  processed_at: nullable(int),
  /** The span that the event was emitted in, if it was recorded. */
  traceparent: nullable(text),
})

const listOfTypes = json<EventType[]>()

/** `*`, or the JSON of a list. */
const wantedTypes: Column<'*' | EventType[]> = {
  ...listOfTypes,
  parse: (value) => (value === '*' ? value : listOfTypes.parse(value)),
}

/** One of an endpoint's secrets, the newest first. The newest never expires. */
export interface SealedSecret {
  sealed: string
  /** Unix time in milliseconds. */
  expiresAt: number | null
}

export const webhookEndpointsTable = defineTable('webhook_endpoints', {
  account_id: text,
  id: text,
  store_id: nullable(text),
  url: text,
  event_types: wantedTypes,
  drafts: flag,
  secrets: json<SealedSecret[]>(),
  enabled: flag,
  failing_since: nullable(int),
  revision: int,
  updated_at: int,
  created_at: int,
})

/** `pending`: not acknowledged yet. `failed`: given up. */
export type DeliveryState = 'pending' | 'delivered' | 'failed'

/** One attempt of a delivery. Has either a `status` or a `failure`. */
export interface DeliveryTry {
  /** ISO 8601: when it began. */
  at: string
  /** How long it took, in milliseconds. */
  ms: number
  /** The status of the receiver's answer; `null` when there was none. */
  status: number | null
  /** Why there was no answer. */
  failure: string | null
}

export const deliveryCountsTable = defineTable('delivery_counts', {
  account_id: text,
  /** An hour or a day. */
  span_ms: int,
  starts_at: int,
  /** The connection that counted. */
  shard: int,
  delivered: int,
  failed: int,
})

export const webhookDeliveriesTable = defineTable('webhook_deliveries', {
  account_id: text,
  event_id: text,
  endpoint_id: text,
  state: oneOf<DeliveryState>({ pending: true, delivered: true, failed: true }),
  attempts: int,
  attempt_log: json<DeliveryTry[]>(),
  holder: nullable(text),
  next_attempt_at: int,
  last_status: nullable(int),
  last_response: nullable(text),
  created_at: int,
})
