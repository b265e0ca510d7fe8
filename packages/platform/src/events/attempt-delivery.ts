import { type Environment, WEBHOOK_DATA_MAX_BYTES, type WebhookPayload } from '@tillwright/contract'
import type { Services } from '../request-context.ts'
import { fraction } from '../runtime/index.ts'
import { pick, type RowOf, rowReader } from '../storage/index.ts'
import { type OpenSpan, secondsSince, traceparent } from '../telemetry/index.ts'
import type { Claim } from './claim-deliveries.ts'
import type { CountedEvent } from './counts.ts'
import { deliveryTry } from './deliveries.ts'
import type { Answer, Deliver, Message } from './egress.ts'
import { wantsEvent } from './emit.ts'
import { type BareEvent, eventColumns, eventFromRow, eventRow } from './events.ts'
import { openSecrets, signedHeaders, type Signing } from './signing.ts'
import { type DeliveryTry, eventsTable, webhookEndpointsTable } from './tables.ts'

/**
 * The outcome of a claim. `unwanted`: the endpoint was deleted or disabled, or no longer accepts such events.
 * `released`: the delivery was not attempted, or the attempt was aborted by a shutdown.
 */
export type Outcome = TriedDelivery | { kind: 'unwanted'; claim: Claim } | { kind: 'released'; claim: Claim }

/** An attempt with its answer and verdict. */
export interface TriedDelivery {
  kind: 'tried'
  claim: Claim
  event: CountedEvent
  verdict: Verdict
  answer: Answer
  logged: DeliveryTry
  /** Since when the endpoint had failed; `null` where it had not. */
  failingSinceMs: number | null
}

/**
 * Tries a delivery once, after another look at its subscription.
 *
 * @param options `signal` breaks the try off.
 * @throws {DatabaseUnavailable}
 */
export async function attemptDelivery(claim: Claim, services: Sending, options: SendingOptions): Promise<Outcome> {
  const key = [claim.accountId, claim.eventId, claim.endpointId]
  const [subscription] = readSubscriptions(await services.db.read(selectSubscription, key))
  if (subscription === undefined) return { kind: 'unwanted', claim }
  const { traceparent: link, event_type: type } = subscription
  const attributes = {
    'tillwright.account.id': claim.accountId,
    'tillwright.event.id': claim.eventId,
    'tillwright.event.type': type,
    'tillwright.webhook.endpoint.id': claim.endpointId,
    'tillwright.attempt.number': claim.attempts + 1,
  }
  const { telemetry } = services
  const startedAt = performance.now()
  const outcome = await telemetry.span(
    'webhook delivery',
    { begins: true, kind: 'client', link, attributes },
    async (span) => {
      const tried = await tryDelivery({ claim, subscription }, services, options)
      span.set({ 'tillwright.webhook.outcome': outcomeName(tried), ...statusOf(tried) })
      if (tried.kind === 'tried' && tried.verdict.outcome !== 'delivered') span.fail('delivery_failed')
      return tried
    },
  )
  telemetry.record('tillwright.webhook.delivery.duration', secondsSince(startedAt), {
    'tillwright.webhook.outcome': outcomeName(outcome),
  })
  return outcome
}

type Sending = Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment' | 'telemetry'>

type SendingOptions = { deliver: Deliver; signal: AbortSignal }

function outcomeName(outcome: Outcome): string {
  return outcome.kind === 'tried' ? outcome.verdict.outcome : outcome.kind
}

function statusOf(outcome: Outcome): Parameters<OpenSpan['set']>[0] {
  if (outcome.kind !== 'tried' || !('status' in outcome.answer)) return {}
  return { 'http.response.status_code': outcome.answer.status }
}

async function tryDelivery(
  { claim, subscription }: { claim: Claim; subscription: SubscriptionRow },
  services: Sending,
  options: SendingOptions,
): Promise<Outcome> {
  const startMs = services.clock.now()
  const answer = await send(subscription, services, options)
  if (options.signal.aborted && 'failure' in answer) return { kind: 'released', claim }
  const nowMs = services.clock.now()
  return {
    kind: 'tried',
    claim,
    event: countedEvent(subscription),
    verdict: afterAttempt(claim.attempts + 1, answer, { nowMs, random: fraction(services.randomness) }),
    answer,
    logged: deliveryTry(answer, { startMs, endMs: nowMs }),
    failingSinceMs: subscription.failing_since,
  }
}

/** The event with the endpoint, if that still wants it. */
const selectSubscription = `SELECT ${eventColumns}, e.traceparent, w.id AS endpoint_id, w.url, w.secrets, w.failing_since
  FROM events e JOIN webhook_endpoints w ON ${wantsEvent}
  WHERE e.account_id = ? AND e.id = ? AND w.id = ?`

const subscriptionColumns = {
  ...eventRow,
  traceparent: eventsTable.traceparent,
  endpoint_id: webhookEndpointsTable.id,
  ...pick(webhookEndpointsTable, 'url', 'secrets', 'failing_since'),
}

const readSubscriptions = rowReader(subscriptionColumns)

type SubscriptionRow = RowOf<typeof subscriptionColumns>

function countedEvent(row: SubscriptionRow): CountedEvent {
  return {
    accountId: row.event_account_id,
    id: row.event_id,
    storeId: row.store_id,
    eventType: row.event_type,
    draft: row.draft,
    createdMs: row.created_at,
  }
}

async function send(
  row: SubscriptionRow,
  { clock, secrets: box, environment, telemetry }: Sending,
  { deliver, signal }: { deliver: Deliver; signal: AbortSignal },
): Promise<Answer> {
  const nowMs = clock.now()
  let secrets: string[]
  try {
    secrets = openSecrets(row.endpoint_id, box, { sealed: row.secrets, nowMs })
  } catch {
    return { failure: 'The secret cannot be opened with the key that the platform was started with.' }
  }
  const { body, headers } = signDelivery(eventFromRow(row), { environment, secrets, nowMs: clock.machineNow() })
  const trace = telemetry.webhookTraces ? traceparent() : null
  return deliver(row.url, { body, headers: { ...headers, ...(trace !== null && { traceparent: trace }) } }, signal)
}

/**
 * Builds the webhook message of an event: the body, and headers that sign exactly these bytes. `webhook-id` is the
 * event's id in every attempt, so that receivers can detect repetitions. Source: Standard Webhooks 1.0.0.
 */
export function signDelivery(event: BareEvent, { environment, secrets, nowMs }: Signing): Message {
  const body = payloadText(event, environment)
  const headers = signedHeaders({ id: event.id, body }, { secrets, nowMs })
  return { body, headers: { ...headers, 'user-agent': 'Tillwright-Webhooks/1' } }
}

/**
 * Every attempt has the same bytes: when an event was processed, which comes to be known meanwhile, is not among them. If the
 * body would be too large, only the event's id is sent, so that the receiver can fetch it.
 */
function payloadText({ processedAt: _, ...event }: BareEvent, environment: Environment): string {
  const payload: WebhookPayload = {
    id: event.id,
    type: event.eventType,
    timestamp: event.createdAt,
    environment,
    accountId: event.accountId,
    ...(event.storeId !== undefined && { storeId: event.storeId }),
    data: event,
  }
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) <= WEBHOOK_DATA_MAX_BYTES) return text
  return JSON.stringify({ ...payload, data: { id: event.id } } satisfies WebhookPayload)
}

const SECOND_MS = 1_000

const MINUTE_MS = 60 * SECOND_MS

const HOUR_MS = 60 * MINUTE_MS

/** The wait before each try of a delivery. Source: Standard Webhooks 1.0.0, "Deliverability and reliability". */
export const RETRY_WAITS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]

/** An endpoint that has not acknowledged anything for this long since its first failure is disabled. */
export const ENDPOINT_PATIENCE_MS = 5 * 24 * HOUR_MS

/** How far a wait may be from the schedule, either way, so that the retries of an outage do not come all at once. */
const JITTER = 0.2

/** The longest wait that a receiver can ask for. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS

/** How a delivery continues: `gone` gives it up and disables its endpoint. */
export type Verdict =
  | { outcome: 'delivered' }
  | { outcome: 'retry'; atMs: number }
  | { outcome: 'failed' }
  | { outcome: 'gone' }

/**
 * Decides what follows from the answer to a try. Only 2xx acknowledges; a redirect is a failure.
 *
 * @param attempts How many tries there have been, this one included.
 * @param moment `random` in [0, 1) picks the jitter.
 */
export function afterAttempt(attempts: number, answer: Answer, moment: { nowMs: number; random: number }): Verdict {
  const status = 'status' in answer ? answer.status : null
  if (status !== null && status >= 200 && status < 300) return { outcome: 'delivered' }
  if (status === 410) return { outcome: 'gone' }
  const waitMs = RETRY_WAITS_MS[attempts]
  if (waitMs === undefined) return { outcome: 'failed' }
  const jitteredMs = Math.round(waitMs * (1 - JITTER + 2 * JITTER * moment.random))
  const askedMs = 'status' in answer ? retryAfterMs(answer.retryAfter, moment.nowMs) : 0
  return { outcome: 'retry', atMs: moment.nowMs + Math.max(jitteredMs, askedMs) }
}

/**
 * How long a `Retry-After` header asks to wait: seconds or an HTTP date (RFC 9110, section 10.2.3). It can put a try
 * off, for at most a day, but not bring it forward: ten tries shall span days, whatever the receiver says.
 */
function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return 0
  const waitMs = /^\d+$/.test(header) ? Number(header) * SECOND_MS : Date.parse(header) - nowMs
  return Number.isNaN(waitMs) ? 0 : Math.min(waitMs, RETRY_AFTER_MAX_MS)
}
