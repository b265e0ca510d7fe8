import { type EventProperties, type EventType, namedEventTypes } from '@tillwright/contract'
import type { RequestContext, Services, Write } from '../request-context.ts'
import { newId } from '../runtime/index.ts'
import { traceparent } from '../telemetry/index.ts'
import { countEvent } from './counts.ts'

/** References of an event. `draft` marks a preview's event. */
export interface EventSubject {
  storeId?: string | null
  customerId?: string | null
  draft?: boolean
}

/**
 * The part of a request context that events need, so that workers can emit too. `newId` must create ids for the time
 * `nowMs`, because events are found by it.
 */
export type Emitter = Pick<RequestContext, 'nowMs' | 'newId'> & { caller: EmittingCaller }

/** The account of the events. A preview's events are always drafts. */
interface EmittingCaller {
  accountId: string
  isPreview?: boolean
}

/**
 * Returns the statements that record an event, count it, and create a delivery for each webhook endpoint that wants it.
 * They belong to the transaction that changes the rows concerned, so that neither is committed without the other. All
 * are shared: each runs once, however many events are committed together.
 */
export function emit<Type extends EventType>(
  type: Type,
  { properties, ...subject }: EventSubject & { properties: EventProperties<Type> },
  emitter: Emitter,
): Write[] {
  const { accountId, isPreview = false } = emitter.caller
  const { storeId = null, customerId = null, draft = isPreview } = subject
  const { nowMs } = emitter
  const id = emitter.newId('evt')
  const isDraft = Number(draft)
  const about = [accountId, id, storeId, customerId, type, JSON.stringify(properties)]
  return [
    {
      sql: insertDeliveries,
      params: [JSON.stringify([accountId, id, storeId, `"${type}"`, isDraft, nowMs])],
      shared: true,
    },
    { sql: insertEvents, params: [...about, isDraft, nowMs, traceparent()], shared: true },
    countEvent({ accountId, id, storeId, eventType: type, draft, createdMs: nowMs }),
  ]
}

/**
 * The SQL condition that a JSON array of event types names one of them. It uses `replace`, which both engines have:
 * SQLite would recompile a LIKE for each value.
 *
 * @param quotedType The name in double quotes.
 */
export function namesType(types: string, quotedType: string): string {
  return `${types} <> replace(${types}, ${quotedType}, '')`
}

/** In double quotes, as the condition below has types. */
const named = namedEventTypes.map((type) => `'"${type}"'`).join(', ')

/**
 * The SQL condition that a webhook endpoint, as `w`, wants an event. One that wants drafts gets them in addition, and one
 * of a store gets that store's events only. `w.event_types` is `*` or a JSON array of names; what is about the account and
 * who may act for it is for those that name it.
 */
function wants(event: { accountId: string; storeId: string; quotedType: string; draft: string }): string {
  return `w.account_id = ${event.accountId} AND w.enabled = 1 AND w.drafts >= ${event.draft}
    AND ((w.event_types = '*' AND ${event.quotedType} NOT IN (${named}))
      OR ${namesType('w.event_types', event.quotedType)})
    AND (w.store_id IS NULL OR w.store_id = ${event.storeId})`
}

/** The same condition for a recorded event, as `e`. It is checked again before each try and before a replay. */
export const wantsEvent = wants({
  accountId: 'e.account_id',
  storeId: 'e.store_id',
  quotedType: `'"' || e.event_type || '"'`,
  draft: 'e.draft',
})

const insertDeliveries = `INSERT INTO webhook_deliveries
  (account_id, event_id, endpoint_id, state, attempts, next_attempt_at, created_at)
  SELECT w.account_id, item.value ->> 1, w.id, 'pending', 0,
    CAST(item.value ->> 5 AS BIGINT), CAST(item.value ->> 5 AS BIGINT)
  FROM {items} CROSS JOIN webhook_endpoints w
  WHERE ${wants({
    accountId: 'item.value ->> 0',
    storeId: 'item.value ->> 2',
    quotedType: 'item.value ->> 3',
    draft: 'CAST(item.value ->> 4 AS BIGINT)',
  })}`

/**
 * Runs after the deliveries are created, because an event without any counts as processed immediately. A sub-select,
 * because a planner that has not seen the table grow would read all of it for an EXISTS.
 */
const insertEvents = `INSERT INTO events
  (account_id, id, store_id, customer_id, event_type, properties, draft, created_at, processed_at, traceparent)
  SELECT item.value ->> 0, item.value ->> 1, item.value ->> 2, item.value ->> 3, item.value ->> 4, item.value ->> 5,
    CAST(item.value ->> 6 AS BIGINT), CAST(item.value ->> 7 AS BIGINT),
    CASE WHEN (SELECT 1 FROM webhook_deliveries d
      WHERE d.account_id = item.value ->> 0 AND d.event_id = item.value ->> 1 LIMIT 1) IS NULL
    THEN CAST(item.value ->> 7 AS BIGINT) END, item.value ->> 8
  FROM {each}`

/** Emits events at the current time: for workers, or requests that have waited since they arrived. */
export function emitterAt(accountId: string, { clock, randomness }: Pick<Services, 'clock' | 'randomness'>): Emitter {
  const nowMs = clock.now()
  return { nowMs, caller: { accountId }, newId: (prefix) => newId(prefix, nowMs, randomness) }
}
