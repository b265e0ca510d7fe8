import type { EventProperties, EventType } from '@tillwright/contract'
import type { Call, Write } from '../call.ts'
import { countEvent } from './count-events.ts'

/** What an event is about. `draft` marks a preview's. */
export interface EventSubject {
  storeId?: string | null
  customerId?: string | null
  draft?: boolean
}

/**
 * The part of a call that an event needs, so that workers can emit too. `newId` makes ids of the time `nowMs`: events are
 * found by it.
 */
export type Emitter = Pick<Call, 'nowMs' | 'newId'> & { caller: EmittingCaller }

/** Whose events they are. Those of a preview are drafts, whatever they are about. */
interface EmittingCaller {
  accountId: string
  isPreview?: boolean
}

/**
 * The statements that record an event, count it, and record one delivery for each webhook endpoint that wants it. They
 * belong into the unit of the rows that they tell of, so that neither exists without the other.
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
  const event = [accountId, id, storeId, customerId, type, JSON.stringify(properties), Number(draft), nowMs]
  return [
    { sql: insertDeliveries, params: [accountId, id, nowMs, nowMs, accountId, Number(draft), `"${type}"`, storeId] },
    { sql: insertEvent, params: [...event, accountId, id, nowMs] },
    countEvent({ accountId, id, storeId, eventType: type, draft, createdMs: nowMs }),
  ]
}

/**
 * An endpoint that wants drafts gets them beside the others, one of a store that store's events alone. `event_types` is
 * `*` or a JSON array of names; a name is looked for with `replace`, which both engines have: SQLite would compile a LIKE
 * anew for each value.
 */
const insertDeliveries = `INSERT INTO webhook_deliveries
  (account_id, event_id, endpoint_id, state, attempts, next_attempt_at, created_at)
  SELECT ?, ?, id, 'pending', 0, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM webhook_endpoints
  WHERE account_id = ? AND enabled = 1 AND drafts >= ? AND (event_types = '*' OR event_types <> replace(event_types, ?, ''))
    AND (store_id IS NULL OR store_id = ?)`

/** After the deliveries, because an event that nobody waits for counts as processed at once. */
const insertEvent = `INSERT INTO events
  (account_id, id, store_id, customer_id, event_type, properties, draft, created_at, processed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, CASE WHEN NOT EXISTS (
    SELECT 1 FROM webhook_deliveries WHERE account_id = ? AND event_id = ?) THEN CAST(? AS BIGINT) END)`
