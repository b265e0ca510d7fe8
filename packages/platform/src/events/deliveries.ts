import { PAGE_DEFAULT, PAGE_MAX } from '@tillwright/contract'
import { ApiError } from '../runtime/index.ts'
import { type Database, type ListPage, pick, type RowOf, rowReader } from '../storage/index.ts'
import type { Answer } from './egress.ts'
import { type DeliveryState, type DeliveryTry, eventsTable, webhookDeliveriesTable } from './tables.ts'

/** An event on its way to an endpoint. */
export interface Delivery {
  eventId: string
  eventType: string
  endpointId: string
  state: DeliveryState
  /** How many tries there were since it was made or last replayed. */
  attempts: number
  /** ISO 8601: when a pending one is tried next; while it is being tried, when another process would take it over. */
  nextAttemptAt: string | null
  /** The status of the last answer; `null` when the last try got none, or there was none yet. */
  lastStatus: number | null
  /** The first 2 kB of the last answer, or why there was none. */
  lastResponse: string | null
  /** The last ten tries, the oldest first. */
  tries: DeliveryTry[]
  createdAt: string
}

/** The filters of an account's deliveries. */
export interface DeliveryFilter {
  accountId: string
  endpointId?: string
  eventId?: string
  /** `failed` are the dead letters. */
  state?: DeliveryState
  /** 1 to 100, 20 unless given. */
  limit?: number
  /** The `nextCursor` of the page before. */
  after?: string
}

/** A page of deliveries. */
export type DeliveryPage = ListPage<Delivery>

/** How many deliveries a page looks at in search of those that its filters let through: what is rare costs no more. */
const SCANNED_MAX = 2_000

/**
 * Lists deliveries, those of the newest events first. A page may have fewer than there is room for, and a cursor that goes on.
 *
 * @throws {ApiError} When `limit` or `after` is none.
 * @throws {DatabaseUnavailable}
 */
export async function listDeliveries(db: Database, filter: DeliveryFilter): Promise<DeliveryPage> {
  const limit = checkedLimit(filter.limit ?? PAGE_DEFAULT)
  const after = filter.after === undefined ? null : positionOf(filter.after)
  const { accountId, endpointId, eventId, state } = filter
  // The few failed deliveries have an index of their own, which is found by the literal.
  const failed = state === 'failed' ? " AND state = 'failed'" : ''
  const ofEvent = eventId === undefined ? '' : ' AND event_id = ?'
  const behind = after === null ? '' : ' AND (event_id, endpoint_id) < (?, ?)'
  const scanned = `FROM webhook_deliveries WHERE account_id = ?${failed}${ofEvent}${behind} ${newestEventFirst}`
  const params = [accountId, ...(eventId === undefined ? [] : [eventId]), ...(after ?? [])]
  const wanted = [
    ...(endpointId === undefined ? [] : [['endpoint_id = ?', endpointId] as const]),
    ...(state === undefined || state === 'failed' ? [] : [['state = ?', state] as const]),
  ]
  const sql = selectDeliveries(scanned, wanted.map(([condition]) => ` AND ${condition}`).join(''))
  const matches = wanted.map(([, value]) => value)
  const found = readDeliveries(await db.read(sql, [...params, ...matches, limit + 1, accountId]))
  const data = found.slice(0, limit).map(fromRow)
  const last = found.length > limit ? data.at(-1) : undefined
  const nextCursor = last === undefined ? await scannedTo(db, scanned, params) : `${last.eventId}/${last.endpointId}`
  return { data, hasMore: nextCursor !== null, nextCursor }
}

const newestEventFirst = 'ORDER BY event_id DESC, endpoint_id DESC'

function selectDeliveries(scanned: string, matches: string): string {
  return `SELECT d.event_id, e.event_type, d.endpoint_id, d.state, d.attempts, d.next_attempt_at, d.last_status,
      d.last_response, d.attempt_log, d.created_at
    FROM (SELECT event_id, endpoint_id FROM (SELECT event_id, endpoint_id, state ${scanned} LIMIT ${SCANNED_MAX}) AS scanned
        WHERE 1 = 1${matches} ${newestEventFirst} LIMIT ?) AS latest
      JOIN webhook_deliveries d
        ON d.account_id = ? AND d.event_id = latest.event_id AND d.endpoint_id = latest.endpoint_id
      JOIN events e ON e.account_id = d.account_id AND e.id = d.event_id
    ORDER BY latest.event_id DESC, latest.endpoint_id DESC`
}

/** The cursor of the last delivery that was looked at, if there may be others behind it. */
async function scannedTo(db: Database, scanned: string, params: readonly string[]): Promise<string | null> {
  const sql = `SELECT event_id, endpoint_id ${scanned} LIMIT 1 OFFSET ${SCANNED_MAX - 1}`
  const [row] = readPositions(await db.read(sql, params))
  return row === undefined ? null : `${row.event_id}/${row.endpoint_id}`
}

const readPositions = rowReader(pick(webhookDeliveriesTable, 'event_id', 'endpoint_id'))

function checkedLimit(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= PAGE_MAX) return limit
  throw new ApiError('parameter_invalid', `The limit must be a whole number from 1 to ${PAGE_MAX}.`, { param: 'limit' })
}

function positionOf(after: string): [string, string] {
  const [eventId, endpointId, ...more] = after.split('/')
  if (eventId !== undefined && endpointId !== undefined && more.length === 0) return [eventId, endpointId]
  throw new ApiError('parameter_invalid', 'The cursor must be the nextCursor of a page; start without one.', {
    param: 'after',
  })
}

const deliveryColumns = {
  ...pick(webhookDeliveriesTable, 'event_id', 'endpoint_id', 'state', 'attempts', 'next_attempt_at', 'last_status'),
  ...pick(webhookDeliveriesTable, 'last_response', 'attempt_log', 'created_at'),
  ...pick(eventsTable, 'event_type'),
}
const readDeliveries = rowReader(deliveryColumns)

function fromRow(row: RowOf<typeof deliveryColumns>): Delivery {
  const state = row.state // the worker writes no other
  return {
    eventId: row.event_id,
    eventType: row.event_type,
    endpointId: row.endpoint_id,
    state,
    attempts: row.attempts,
    nextAttemptAt: state === 'pending' ? toIso(row.next_attempt_at) : null,
    lastStatus: row.last_status,
    lastResponse: row.last_response,
    tries: row.attempt_log,
    createdAt: toIso(row.created_at),
  }
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** How many tries of a delivery are kept: as many as there are without a replay. */
const TRIES_KEPT = 10

/** A try as it is kept. */
export function deliveryTry(answer: Answer, { startMs, endMs }: { startMs: number; endMs: number }): DeliveryTry {
  const at = new Date(startMs).toISOString()
  const ms = endMs - startMs
  return 'status' in answer
    ? { at, ms, status: answer.status, failure: null }
    : { at, ms, status: null, failure: answer.failure }
}

/** The column `attempt_log` with one more try, and without those that are too many. */
export function withTry(tries: readonly DeliveryTry[], next: DeliveryTry): string {
  return JSON.stringify([...tries, next].slice(-TRIES_KEPT))
}
