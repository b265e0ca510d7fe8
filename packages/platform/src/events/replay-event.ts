import { ApiError, missing } from '../ambient/api-error.ts'
import type { Database, Statement } from '../storage/database.ts'
import { lockEvent } from './lock-events.ts'
import { requireEndpoint } from './require-endpoint.ts'
import { wantsEvent } from './subscription.ts'

/** What a replay sends again, and to whom. */
export interface EventReplay {
  accountId: string
  eventId: string
  /** To this endpoint alone; without it to every one that wants the event now. */
  endpointId?: string
}

/**
 * Sends an event again under the same `webhook-id`, with all tries before it. An endpoint that was made after the event
 * gets it too. `processedAt` stays what it is: it tells when all had acknowledged the first time.
 *
 * @returns The endpoints it is sent to, none where nobody wants it.
 * @throws {ApiError} When the event or the named endpoint does not exist, or that endpoint does not want it.
 * @throws {DatabaseUnavailable}
 */
export async function replayEvent(db: Database, replay: EventReplay, nowMs: number): Promise<string[]> {
  const { accountId, eventId, endpointId = null } = replay
  await checkReplay(db, replay)
  const outcome = await db.write(replayStatements(db.engine, { accountId, eventId, endpointId }, nowMs))
  // No statement has a guard, and the insert gives way to what is there.
  if (outcome.outcome === 'refused') throw new Error('A replay cannot be refused.')
  const endpoints = (outcome.returned.at(-1) ?? []).map((row) => String(row['endpoint_id']))
  if (endpointId !== null && endpoints.length === 0) throw unwanted(endpointId, eventId)
  return endpoints
}

/** The statements of a replay; the last returns the endpoints that the event is sent to. */
export function replayStatements(
  engine: Database['engine'],
  { accountId, eventId, endpointId }: { accountId: string; eventId: string; endpointId: string | null },
  nowMs: number,
): Statement[] {
  const key = [accountId, eventId]
  const locks: Statement[] = engine === 'postgres' ? [{ sql: lockEvent, params: key }] : []
  return [...locks, { sql: replayOne, params: [nowMs, nowMs, ...key, endpointId, endpointId] }]
}

/** The beginning of a replay: what is there is sent anew from the first try, what is not is made. */
export const insertReplays = `INSERT INTO webhook_deliveries
    (account_id, event_id, endpoint_id, state, attempts, next_attempt_at, created_at)
    SELECT e.account_id, e.id, w.id, 'pending', 0, CAST(? AS BIGINT), CAST(? AS BIGINT)
    FROM events e JOIN webhook_endpoints w ON ${wantsEvent}`

/** And its end. */
export const orReplayed = `ON CONFLICT (account_id, event_id, endpoint_id) DO UPDATE
    SET state = 'pending', attempts = 0, next_attempt_at = excluded.next_attempt_at
    RETURNING endpoint_id`

const replayOne = `${insertReplays}
    WHERE e.account_id = ? AND e.id = ? AND (CAST(? AS TEXT) IS NULL OR w.id = ?)
    ${orReplayed}`

async function checkReplay(db: Database, { accountId, eventId, endpointId }: EventReplay): Promise<void> {
  const [event] = await db.read('SELECT id FROM events WHERE account_id = ? AND id = ?', [accountId, eventId])
  if (event === undefined) throw missing('event', eventId, 'eventId')
  if (endpointId !== undefined) await requireEndpoint(db, accountId, endpointId)
}

function unwanted(endpointId: string, eventId: string): ApiError {
  const message = `The webhook endpoint '${endpointId}' does not want the event '${eventId}': enable it, or let it ask for that type, store or draft.`
  return new ApiError('state_conflict', message, { param: 'endpointId' })
}
