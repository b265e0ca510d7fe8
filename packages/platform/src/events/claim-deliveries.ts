import type { Database, Row } from '../storage/database.ts'

/** For how long a claimed delivery is nobody else's. A process that dies gives it back by then. */
export const LEASE_MS = 60_000

/** A delivery that is ours to try until `leaseUntilMs`. */
export interface Claim {
  accountId: string
  eventId: string
  endpointId: string
  /** How many tries there were before. */
  attempts: number
  leaseUntilMs: number
}

/**
 * Claims deliveries that are due, the longest due first. A claim moves `next_attempt_at` to the end of its lease, so
 * claimed deliveries leave the front of the index, and the value tells whether a claim still stands.
 *
 * @param options `except`: endpoints to leave out.
 */
export async function claimDeliveries(
  db: Database,
  { nowMs, limit, except }: { nowMs: number; limit: number; except: readonly string[] },
): Promise<Claim[]> {
  const leaseUntilMs = nowMs + LEASE_MS
  const sql = db.engine === 'postgres' ? claimSkippingLocked : claim
  const outcome = await db.write([{ sql, params: [nowMs, except.join(' '), limit, leaseUntilMs] }])
  // The only statement has no guard and changes no key.
  if (outcome.outcome === 'refused') throw new Error('A claim on deliveries cannot be refused.')
  return (outcome.returned[0] ?? []).map((row) => fromRow(row, leaseUntilMs))
}

/** When the next delivery after `nowMs` is due, claimed ones by the end of their lease; `null` if there is none. */
export async function nextDueMs(db: Database, nowMs: number): Promise<number | null> {
  const [row] = await db.read(selectNext, [nowMs])
  const due = row?.['due'] ?? null
  return due === null ? null : Number(due)
}

/** The endpoints to leave out come as one parameter, so that the statement's text is always the same. */
const due = (locking: string): string => `SELECT account_id, event_id, endpoint_id FROM webhook_deliveries
    WHERE state = 'pending' AND next_attempt_at <= ? AND ? NOT LIKE '%' || endpoint_id || '%'
    ORDER BY next_attempt_at LIMIT ? ${locking}`

/** Materialised, because a planner that runs the inner query twice would claim more than the limit. */
const claimWith = (locking: string): string => `WITH due AS MATERIALIZED (${due(locking)})
  UPDATE webhook_deliveries SET next_attempt_at = ?
  WHERE (account_id, event_id, endpoint_id) IN (SELECT account_id, event_id, endpoint_id FROM due)
  RETURNING account_id, event_id, endpoint_id, attempts`

const claim = claimWith('')
const claimSkippingLocked = claimWith('FOR UPDATE SKIP LOCKED')

const selectNext = `SELECT min(next_attempt_at) AS due FROM webhook_deliveries
  WHERE state = 'pending' AND next_attempt_at > ?`

function fromRow(row: Row, leaseUntilMs: number): Claim {
  return {
    accountId: String(row['account_id']),
    eventId: String(row['event_id']),
    endpointId: String(row['endpoint_id']),
    attempts: Number(row['attempts']),
    leaseUntilMs,
  }
}
