import { BACKLOG_MAX, holderIsGone } from '../cluster/index.ts'
import { type Database, int, nullable, pick, type RowOf, rowReader, type Statement } from '../storage/index.ts'
import { type DeliveryTry, webhookDeliveriesTable } from './tables.ts'

/**
 * How long a claimed delivery is reserved for its process, in milliseconds. Claims of a process that dies are released
 * before.
 */
export const LEASE_MS = 60_000

/** A delivery that is ours to try until `leaseUntilMs`. */
export interface Claim {
  accountId: string
  eventId: string
  endpointId: string
  /** How many tries there were before. */
  attempts: number
  /** The tries so far. */
  attemptLog: readonly DeliveryTry[]
  leaseUntilMs: number
}

/** An endpoint that deliveries wait for. */
interface WaitingEndpoint {
  endpointId: string
  /** Empty unless asked for. */
  accountId: string
  /** When the first of them is due. */
  dueMs: number
}

/** What is claimed. */
interface Claiming {
  nowMs: number
  limit: number
  /** Endpoints to leave out. However much waits for them, it costs nothing. */
  except: readonly string[]
  /** Accounts to leave out with all of their endpoints; none unless given. */
  exceptAccounts?: readonly string[]
  /** The endpoint that had the last turn: those behind it come first. None unless given. */
  after?: string
  /** The process that claims; when it is gone, so are its claims. */
  holder: string
}

/**
 * Claims deliveries that are due, for each endpoint the longest due first and the same number at most. A claim moves
 * `next_attempt_at` to the end of its lease, so claimed deliveries leave the front of the index, and the value shows
 * whether a claim is still valid.
 */
export async function claimDeliveries(
  db: Database,
  { nowMs, limit, except, exceptAccounts = [], after = '', holder }: Claiming,
): Promise<Claim[]> {
  const all = await waitingEndpoints(db, exceptAccounts)
  const ready = all.filter(({ endpointId, dueMs }) => dueMs <= nowMs && !except.includes(endpointId))
  const isNext = ({ endpointId }: WaitingEndpoint) => endpointId > after
  const due = [...ready.filter(isNext), ...ready.filter((each) => !isNext(each))].slice(0, limit)
  if (due.length === 0) return []
  const leaseUntilMs = nowMs + LEASE_MS
  const sql = db.engine === 'postgres' ? claimSkippingLocked : claim
  const each = Math.floor(limit / due.length)
  const outcome = await db.write(
    due.map(({ endpointId }) => ({ sql, params: [endpointId, nowMs, each, leaseUntilMs, holder] })),
  )
  // No statement has a guard or changes a key.
  if (outcome.outcome === 'refused') throw new Error('A claim on deliveries cannot be refused.')
  return outcome.returned.flatMap((rows) => readClaims(rows).map((row) => fromRow(row, leaseUntilMs)))
}

/** Makes the claims of a process due again that end at one moment, and returns them. */
export function giveBackClaims(holder: string, claimedMs: number, nowMs: number): Statement {
  return {
    sql: `UPDATE webhook_deliveries SET next_attempt_at = ?, holder = NULL
      WHERE state = 'pending' AND holder = ? AND next_attempt_at = ? RETURNING event_id`,
    params: [nowMs, holder, claimedMs + LEASE_MS],
  }
}

/** When the next delivery after `nowMs` is due, claimed ones by the end of their lease; `null` if there is none. */
export async function nextDueMs(db: Database, nowMs: number): Promise<number | null> {
  const [row] = readNext(await db.read(selectNext, [nowMs]))
  return row?.due ?? null
}

/**
 * The deliveries that are not acknowledged, at most `BACKLOG_MAX`, and when the first of them is or was due whose endpoint answers.
 * What waits for one that fails is tried one at a time, and says nothing of the workers.
 */
export async function webhookBacklog(db: Database): Promise<{ pending: number; firstDueMs: number | null }> {
  const [counted, first] = await Promise.all([db.read(countPending, [BACKLOG_MAX]), db.read(selectFirst, [])])
  return { pending: readCount(counted)[0]?.pending ?? 0, firstDueMs: readNext(first)[0]?.due ?? null }
}

/** Makes claims due again whose process is gone. */
export function releaseDeliveries(nowMs: number): Statement {
  return {
    sql: `UPDATE webhook_deliveries SET next_attempt_at = ?, holder = NULL
      WHERE state = 'pending' AND holder IS NOT NULL AND ${holderIsGone('webhook_deliveries.holder')}`,
    params: [nowMs],
  }
}

/** What account an endpoint is of is read only where it matters: each answer is a row more. */
async function waitingEndpoints(db: Database, exceptAccounts: readonly string[]): Promise<WaitingEndpoint[]> {
  const rows = readWaiting(await db.read(exceptAccounts.length === 0 ? selectWaiting : selectWithAccounts, []))
  const all = rows.map((row) => ({ endpointId: row.id, accountId: row.account_id, dueMs: row.due }))
  return all.filter(({ accountId }) => !exceptAccounts.includes(accountId))
}

/** The endpoints with pending deliveries, each found by one step through the index, whatever lies between them. */
const waiting = `WITH RECURSIVE waiting (id) AS (
    SELECT min(endpoint_id) FROM webhook_deliveries WHERE state = 'pending'
    UNION ALL
    SELECT (SELECT min(d.endpoint_id) FROM webhook_deliveries d WHERE d.state = 'pending' AND d.endpoint_id > waiting.id)
    FROM waiting WHERE waiting.id IS NOT NULL)`

const firstDue = `SELECT min(d.next_attempt_at) FROM webhook_deliveries d
    WHERE d.state = 'pending' AND d.endpoint_id = waiting.id`

const account = `SELECT d.account_id FROM webhook_deliveries d
    WHERE d.state = 'pending' AND d.endpoint_id = waiting.id LIMIT 1`

const selectWaiting = `${waiting} SELECT id, '' AS account_id, (${firstDue}) AS due FROM waiting WHERE id IS NOT NULL`
const selectWithAccounts = `${waiting} SELECT id, (${account}) AS account_id, (${firstDue}) AS due FROM waiting
  WHERE id IS NOT NULL`
const readWaiting = rowReader({
  id: webhookDeliveriesTable.endpoint_id,
  account_id: webhookDeliveriesTable.account_id,
  due: webhookDeliveriesTable.next_attempt_at,
})

const selectNext = `${waiting} SELECT min(due) AS due FROM (
    SELECT (${firstDue} AND d.next_attempt_at > ?) AS due FROM waiting WHERE id IS NOT NULL) AS each_endpoint`
const readNext = rowReader({ due: nullable(int) })

/** Whether the endpoint has acknowledged what it was last sent, or was sent nothing yet. */
const answersLately = `EXISTS (SELECT 1 FROM webhook_endpoints w
    WHERE w.account_id = (${account})
      AND w.id = waiting.id AND w.failing_since IS NULL)`

const selectFirst = `${waiting} SELECT min(due) AS due FROM (
    SELECT (${firstDue}) AS due FROM waiting WHERE id IS NOT NULL AND ${answersLately}) AS each_endpoint`

/** Every id is greater than none, which makes it a search of the index. */
const countPending = `SELECT count(*) AS pending FROM (
    SELECT endpoint_id FROM webhook_deliveries WHERE state = 'pending' AND endpoint_id > '' LIMIT ?) AS counted`
const readCount = rowReader({ pending: int })

/** Materialised, because a planner that runs the inner query twice would claim more than the limit. */
const claimWith = (locking: string): string => `WITH due AS MATERIALIZED (
    SELECT account_id, event_id, endpoint_id FROM webhook_deliveries
    WHERE state = 'pending' AND endpoint_id = ? AND next_attempt_at <= ?
    ORDER BY next_attempt_at LIMIT ? ${locking})
  UPDATE webhook_deliveries SET next_attempt_at = ?, holder = ?
  WHERE (account_id, event_id, endpoint_id) IN (SELECT account_id, event_id, endpoint_id FROM due)
  RETURNING account_id, event_id, endpoint_id, attempts, attempt_log`

const claim = claimWith('')
const claimSkippingLocked = claimWith('FOR UPDATE SKIP LOCKED')

const claimColumns = pick(webhookDeliveriesTable, 'account_id', 'event_id', 'endpoint_id', 'attempts', 'attempt_log')
const readClaims = rowReader(claimColumns)

function fromRow(row: RowOf<typeof claimColumns>, leaseUntilMs: number): Claim {
  return {
    accountId: row.account_id,
    eventId: row.event_id,
    endpointId: row.endpoint_id,
    attempts: row.attempts,
    attemptLog: row.attempt_log,
    leaseUntilMs,
  }
}

/**
 * On PostgreSQL, anything that changes whether an event is processed locks the event's row first; SQLite's transactions
 * run one after another anyway.
 */
export const lockEvent = 'SELECT id FROM events WHERE account_id = ? AND id = ? FOR UPDATE'

/** The same of all events between two ids, both included. */
export const lockEventsBetween = `SELECT id FROM events WHERE account_id = ? AND id >= ? AND id <= ? ORDER BY id FOR UPDATE`
