import { idsFrom } from '@tillwright/contract'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, pick, type Query, rowReader, type Statement } from '../storage/index.ts'
import { lockEvent, lockEventsBetween } from './claim-deliveries.ts'
import { wantsEvent } from './emit.ts'
import { eventsTable, webhookDeliveriesTable, webhookEndpointsTable } from './tables.ts'

/** The event to replay, and its endpoints. */
export interface EventReplay {
  accountId: string
  eventId: string
  /** Limits the replay to this endpoint; otherwise every endpoint currently subscribed to the event gets it. */
  endpointId?: string
}

/**
 * Sends an event again under the same `webhook-id`, with all tries before it. An endpoint that was made after the event
 * gets it too. `processedAt` is unchanged: it is the time when all had first acknowledged.
 *
 * @returns The endpoints it is sent to, empty if none wants it.
 * @throws {ApiError} When the event or the named endpoint does not exist, or that endpoint does not want it.
 * @throws {DatabaseUnavailable}
 */
export async function replayEvent(db: Database, replay: EventReplay, nowMs: number): Promise<string[]> {
  const { accountId, eventId, endpointId = null } = replay
  await checkReplay(db, replay)
  const outcome = await db.write(replayStatements(db.engine, { accountId, eventId, endpointId }, nowMs))
  // No statement has a guard, and the insert gives way to what is there.
  if (outcome.outcome === 'refused') throw new Error('A replay cannot be refused.')
  const endpoints = readReplayed(outcome.returned.at(-1) ?? []).map((row) => row.endpoint_id)
  if (endpointId !== null && endpoints.length === 0) throw unwanted(endpointId, eventId)
  return endpoints
}

/**
 * The statements that replay an event to one endpoint, for a transaction with others.
 *
 * @throws {ApiError} As `replayEvent`.
 */
export async function planReplay(
  db: Database,
  { accountId, eventId, endpointId }: Required<EventReplay>,
  nowMs: number,
): Promise<Statement[]> {
  await checkReplay(db, { accountId, eventId, endpointId })
  const wanted = await db.read(selectWanted, [accountId, eventId, eventId, endpointId])
  if (wanted.length === 0) throw unwanted(endpointId, eventId)
  return replayStatements(db.engine, { accountId, eventId, endpointId }, nowMs)
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

/** First half of a replay: existing deliveries restart from the first attempt, missing ones are created. */
const insertReplays = `INSERT INTO webhook_deliveries
    (account_id, event_id, endpoint_id, state, attempts, next_attempt_at, created_at)
    SELECT e.account_id, e.id, w.id, 'pending', 0, CAST(? AS BIGINT), CAST(? AS BIGINT)
    FROM events e JOIN webhook_endpoints w ON ${wantsEvent}`

/** Second half. */
const orReplayed = `ON CONFLICT (account_id, event_id, endpoint_id) DO UPDATE
    SET state = 'pending', attempts = 0, next_attempt_at = excluded.next_attempt_at
    RETURNING endpoint_id`
const readReplayed = rowReader(pick(webhookDeliveriesTable, 'endpoint_id'))

const replayOne = `${insertReplays}
    WHERE e.account_id = ? AND e.id = ? AND (CAST(? AS TEXT) IS NULL OR w.id = ?)
    ${orReplayed}`

async function checkReplay(db: Database, { accountId, eventId, endpointId }: EventReplay): Promise<void> {
  const [event] = await db.read('SELECT id FROM events WHERE account_id = ? AND id = ?', [accountId, eventId])
  if (event === undefined) throw missing('event', eventId, 'eventId')
  if (endpointId !== undefined) await requireEndpoint(db, accountId, endpointId)
}

function unwanted(endpointId: string, eventId: string): ApiError {
  const message = `The webhook endpoint '${endpointId}' does not subscribe to the event '${eventId}': enable it, or subscribe it to that type, store or draft.`
  return new ApiError('state_conflict', message, { param: 'endpointId' })
}

/** Events per transaction: larger ones would hold locks for too long. */
const PAGE_EVENTS = 500

/** A range of events to deliver to an endpoint again: all that it subscribes to, or only the failed ones. */
export interface RangeReplay {
  accountId: string
  endpointId: string
  which: 'all' | 'failed'
  /** Unix time in milliseconds: of the first event, inclusive, and of the last, exclusive. */
  fromMs: number
  toMs: number
  /** Resume after this event: `after` of the last page that an interrupted replay reported. */
  after?: string
}

/** How far a replay has come. */
export interface ReplayedPage {
  /** How many deliveries of this page are sent again. */
  replayed: number
  /** The last event of the page. */
  after: string
}

/**
 * Replays the events of a period page by page, oldest first, each page in its own transaction. Stops when the caller
 * stops reading, and resumes with `after`.
 *
 * @param now Returns the current time, for each page.
 * @throws {ApiError} If the endpoint does not exist or is disabled.
 * @throws {DatabaseUnavailable}
 */
export async function* replayRange(
  db: Database,
  range: RangeReplay,
  now: () => number,
): AsyncGenerator<ReplayedPage, void, void> {
  let after = range.after
  for (;;) {
    const page = await planReplayPage(db, { ...range, ...(after !== undefined && { after }) }, now())
    if (page === null) return
    const outcome = await db.write(page.statements)
    // No statement has a guard, and the insert gives way to what is there.
    if (outcome.outcome === 'refused') throw new Error('A replay cannot be refused.')
    after = page.after
    yield { replayed: outcome.returned.at(-1)?.length ?? 0, after }
  }
}

/** A page of a replay that is about to be committed. */
export interface PlannedPage {
  statements: Statement[]
  first: string
  /** The last event of the page. */
  after: string
}

/**
 * Plans the next page of a period.
 *
 * @returns `null` behind the last page.
 * @throws {ApiError} If the endpoint does not exist or is disabled, or the period is none.
 * @throws {DatabaseUnavailable}
 */
export async function planReplayPage(db: Database, range: RangeReplay, nowMs: number): Promise<PlannedPage | null> {
  checkPeriod(range)
  await checkEndpoint(db, range)
  const page = await nextPage(db, range, range.after ?? idsFrom('evt', range.fromMs))
  const [first, last] = [page.at(0), page.at(-1)]
  if (first === undefined || last === undefined) return null
  return { statements: pageStatements(db.engine, range, { first, last, nowMs }), first, after: last }
}

/** How many events of a page an endpoint is sent again. */
export async function countReplayed(
  db: Database,
  { accountId, endpointId, which }: RangeReplay,
  { first, after }: PlannedPage,
): Promise<number> {
  const sql = which === 'all' ? selectWanted : `${selectWanted} ${andFailed}`
  return (await db.read(sql, [accountId, first, after, endpointId])).length
}

/** An event's id, as a replay reports it. */
const CURSOR = /^evt_[0-9A-Za-z]{22}$/

/** @throws {ApiError} `parameter_invalid` for a period that ends before it begins, or another period's cursor. */
export function checkPeriod({ fromMs, toMs, after }: Pick<RangeReplay, 'fromMs' | 'toMs' | 'after'>): void {
  if (fromMs >= toMs) {
    throw new ApiError('parameter_invalid', 'must be later than `from`; exchange the two, or choose a later one.', {
      param: 'to',
    })
  }
  if (after === undefined || (CURSOR.test(after) && after >= idsFrom('evt', fromMs))) return
  const message =
    'must be what the interrupted replay of the same time printed, evt_...; without it the replay begins at `from`.'
  throw new ApiError('parameter_invalid', message, { param: 'after' })
}

/** Returns the ids of the next events. `after` may be an event's id or the lower bound of a time. */
async function nextPage(db: Database, range: RangeReplay, after: string): Promise<string[]> {
  const { accountId, endpointId, toMs } = range
  const end = idsFrom('evt', toMs)
  const query: Query =
    range.which === 'all'
      ? { sql: selectEvents, params: [accountId, after, end] }
      : { sql: selectFailed, params: [accountId, after, end, endpointId] }
  return readIds(await db.read(query.sql, query.params)).map(({ id }) => id)
}

const readIds = rowReader(pick(eventsTable, 'id'))

const selectEvents = `SELECT id FROM events WHERE account_id = ? AND id > ? AND id < ?
  ORDER BY id LIMIT ${PAGE_EVENTS}`

const selectFailed = `SELECT event_id AS id FROM webhook_deliveries
  WHERE account_id = ? AND event_id > ? AND event_id < ? AND endpoint_id = ? AND state = 'failed'
  ORDER BY event_id LIMIT ${PAGE_EVENTS}`

/** The statements that replay a page; the last returns a row for each delivery that is sent again. */
function pageStatements(
  engine: Database['engine'],
  { accountId, endpointId, which }: RangeReplay,
  { first, last, nowMs }: { first: string; last: string; nowMs: number },
): Statement[] {
  const events = [accountId, first, last]
  const locks: Statement[] = engine === 'postgres' ? [{ sql: lockEventsBetween, params: events }] : []
  const sql = which === 'all' ? replayAll : replayFailed
  return [...locks, { sql, params: [nowMs, nowMs, ...events, endpointId] }]
}

const replayAll = `${insertReplays}
  WHERE e.account_id = ? AND e.id >= ? AND e.id <= ? AND w.id = ? ${orReplayed}`

const andFailed = `AND EXISTS (
    SELECT 1 FROM webhook_deliveries d
    WHERE d.account_id = e.account_id AND d.event_id = e.id AND d.endpoint_id = w.id AND d.state = 'failed')`

const replayFailed = `${insertReplays}
  WHERE e.account_id = ? AND e.id >= ? AND e.id <= ? AND w.id = ? ${andFailed} ${orReplayed}`

/** The events, from one to another, that an endpoint subscribes to now. */
const selectWanted = `SELECT e.id FROM events e JOIN webhook_endpoints w ON ${wantsEvent}
  WHERE e.account_id = ? AND e.id >= ? AND e.id <= ? AND w.id = ?`

async function checkEndpoint(db: Database, { accountId, endpointId }: RangeReplay): Promise<void> {
  const { enabled } = await requireEndpoint(db, accountId, endpointId)
  if (enabled) return
  const message = `The webhook endpoint '${endpointId}' is disabled: enable it, then replay.`
  throw new ApiError('state_conflict', message, { param: 'endpointId' })
}

/**
 * Finds the endpoint that a replay names.
 *
 * @throws {ApiError} When the account has none of that id.
 * @throws {DatabaseUnavailable}
 */
async function requireEndpoint(db: Database, accountId: string, id: string): Promise<{ enabled: boolean }> {
  const sql = 'SELECT enabled FROM webhook_endpoints WHERE account_id = ? AND id = ?'
  const [row] = readEndpoints(await db.read(sql, [accountId, id]))
  if (row === undefined) throw missing('webhook endpoint', id, 'endpointId')
  return row
}

const readEndpoints = rowReader(pick(webhookEndpointsTable, 'enabled'))
