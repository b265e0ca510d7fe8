import type { ThreedsStatus } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Write } from '../../call.ts'
import type { SessionRecord } from './session-record.ts'
import { isFinal, mayMove } from './threeds-status.ts'

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
    sql: `UPDATE threeds_sessions SET status = '${to}', lease_until = ?, updated_at = ?, ended_at = ?
      WHERE account_id = ? AND id = ? AND status = ? AND lease_until = ?`,
    params: [leaseUntilMs, nowMs, isFinal(to) ? nowMs : null, accountId, id, from, session.leaseUntilMs],
    expect: 1,
    otherwise: () => sessionConflict(id, 'has been changed by another request; ask again'),
  }
}

/** @param why What stands in the way, then what to do: `has expired; create another one`. */
export function sessionConflict(sessionId: string, why: string): ApiError {
  return new ApiError('state_conflict', `The 3-D Secure session '${sessionId}' ${why}.`)
}
