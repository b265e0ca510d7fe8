import type { ThreedsAuthentication, ThreedsStatus } from '@tillwright/contract'
import { eciOf, shiftsLiability } from '@tillwright/emv-3ds'
import { holderIsGone } from '../cluster/index.ts'
import { emit, type Emitter } from '../events/index.ts'
import type { Reply, Services, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import type { Statement } from '../storage/index.ts'
import type { Authentication } from './provider.ts'
import { sessionEvent, type SessionRecord } from './session-records.ts'
import type { SessionResult } from './tables.ts'
import { expiryAfter, isDecoupled, isFinal, mayMove, statusOfOutcome } from './status.ts'

/** A provider's answer, and the brand of the card it was asked about. */
export interface Outcome {
  authentication: Authentication
  brand: string
}

/** Moves a session to its provider's answer: returns the writes and the answer for the caller. */
export function recordAnswer(
  session: SessionRecord,
  { authentication, brand }: Outcome,
  emitter: Emitter,
): { body: ThreedsAuthentication; writes: Write[] } {
  const { transStatus } = authentication
  const body: ThreedsAuthentication = {
    id: session.id,
    sessionId: session.id,
    status: statusOfOutcome(transStatus),
    liabilityShifted: shiftsLiability(brand, transStatus),
    ...authentication,
    eci: eciFor({ transStatus, eci: authentication.eci }, brand),
  }
  return { body, writes: recordOutcome(session, { body, result: null }, emitter) }
}

/**
 * The ECI of an outcome: that of the card's brand, and for a brand whose values are not known here what the directory has
 * told, so that its proof is of use. There is none while the buyer is still asked.
 */
export function eciFor(
  { transStatus, eci }: Pick<Authentication, 'transStatus' | 'eci'>,
  brand: string,
): string | null {
  return eciOf(brand, transStatus) ?? (isFinal(statusOfOutcome(transStatus)) ? eci : null)
}

/** An outcome as it is kept. */
export interface RecordedOutcome {
  body: ThreedsAuthentication
  result: SessionResult | null
}

/** The statements that move a session to an outcome, and tell of it. */
export function recordOutcome(session: SessionRecord, { body, result }: RecordedOutcome, emitter: Emitter): Write[] {
  const { accountId, id } = session
  const expiresAtMs = expiryAfter(body, session, emitter.nowMs)
  return [
    // While the bank authenticates the buyer out of band, the lease keeps others from asking again.
    moveSession(session, { to: body.status, leaseUntilMs: isDecoupled(body) ? expiresAtMs : 0 }, emitter.nowMs),
    {
      sql: 'UPDATE threeds_sessions SET outcome = ?, result = ?, expires_at = ? WHERE account_id = ? AND id = ?',
      params: [JSON.stringify(body), result && JSON.stringify(result), expiresAtMs, accountId, id],
      expect: 1,
    },
    ...(expiresAtMs === session.expiresAtMs ? [] : [waitLonger(session, expiresAtMs)]),
    ...outcomeEvent(session, body, emitter),
  ]
}

/**
 * The statement by which a payment waits for its session as much longer as that now lasts. A payment whose request is not
 * answered yet has a shorter lease, which stays.
 */
function waitLonger({ accountId, paymentId, id, expiresAtMs }: SessionRecord, nextMs: number): Write {
  return {
    sql: `UPDATE payments SET lease_until = lease_until + ?
      WHERE account_id = ? AND id = ? AND threeds_session_id = ? AND status = 'requires_action' AND lease_until >= ?`,
    params: [nextMs - expiresAtMs, accountId, paymentId, id, expiresAtMs],
  }
}

/** The statements that end a session without the word of a directory server. */
export function endSession(
  session: SessionRecord,
  status: 'expired' | 'cancelled' | 'unavailable',
  emitter: Emitter,
): Write[] {
  return [
    moveSession(session, { to: status, leaseUntilMs: 0 }, emitter.nowMs),
    ...outcomeEvent(session, { status, transStatus: null, eci: null, liabilityShifted: false }, emitter),
  ]
}

/** Ends a session whose time is over, for a caller that wanted to authenticate it. */
export function expireSession(session: SessionRecord, emitter: Emitter): Reply<never> {
  return {
    failure: sessionConflict(session.id, 'has expired; create another one'),
    writes: endSession(session, 'expired', emitter),
  }
}

/** An outcome as far as events tell of it. */
type ReportedOutcome = Pick<ThreedsAuthentication, 'status' | 'eci' | 'liabilityShifted'> & {
  transStatus: ThreedsAuthentication['transStatus'] | null
}

function outcomeEvent(session: SessionRecord, outcome: ReportedOutcome, emitter: Emitter): Write[] {
  const { id: sessionId, storeId, customerId, paymentInstrumentId, provider, isPreview: draft } = session
  const { status, transStatus, eci, liabilityShifted } = outcome
  const properties = { sessionId, paymentInstrumentId, provider, status, transStatus, eci, liabilityShifted }
  const type = sessionEvent(status)
  return type === null ? [] : emit(type, { storeId, customerId, draft, properties }, emitter)
}

/** Where a session goes, and until when it is being worked on there. */
export interface SessionMove {
  to: ThreedsStatus
  leaseUntilMs: number
}

/**
 * The one statement that changes a session's status. Its guard is what was seen of the session, status and lease, so
 * that of two that would move it at once one wins.
 *
 * @throws {RangeError} When the table of statuses has no such way: a bug of the caller.
 */
export function moveSession(session: SessionRecord, { to, leaseUntilMs }: SessionMove, nowMs: number): Write {
  const { accountId, id, status: from } = session
  if (!mayMove(from, to)) throw new RangeError(`A 3-D Secure session cannot go from ${from} to ${to}.`)
  return {
    // The status is one of a dozen words of our own; as a parameter it would stand before the account.
    sql: `UPDATE threeds_sessions SET status = '${to}', lease_until = ?, updated_at = ?, ended_at = ?, holder = NULL
      WHERE account_id = ? AND id = ? AND status = ? AND lease_until = ?`,
    params: [leaseUntilMs, nowMs, isFinal(to) ? nowMs : null, accountId, id, from, session.leaseUntilMs],
    expect: 1,
    onRefused: () => sessionConflict(id, 'has been changed by another request; ask again'),
  }
}

/** The statement, behind the move that takes its lease, by which a process holds a session: its lease ends with it. */
export function holdSession({ accountId, id }: SessionRecord, { cluster }: Pick<Services, 'cluster'>): Write {
  const { id: holder } = cluster.self
  return {
    sql: 'UPDATE threeds_sessions SET holder = ? WHERE account_id = ? AND id = ?',
    params: [holder, accountId, id],
    giveBack: {
      sql: `UPDATE threeds_sessions SET lease_until = 0, holder = NULL
        WHERE account_id = ? AND id = ? AND holder = ? AND ended_at IS NULL RETURNING id`,
      params: [accountId, id, holder],
    },
  }
}

/** Ends the leases of sessions whose process is gone: their buyers' pages ask again. */
export const releaseSessions: Statement = {
  sql: `UPDATE threeds_sessions SET lease_until = 0, holder = NULL
    WHERE ended_at IS NULL AND holder IS NOT NULL AND ${holderIsGone('threeds_sessions.holder')}`,
  params: [],
}

/** @param why The reason, then how to fix it: `has expired; create another one`. */
export function sessionConflict(sessionId: string, why: string): ApiError {
  return new ApiError('state_conflict', `The 3-D Secure session '${sessionId}' ${why}.`)
}
