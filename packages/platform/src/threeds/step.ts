import type { ThreedsResult, ThreedsStep, TransStatus } from '@tillwright/contract'
import { windowSizeOf } from './emv-request.ts'
import type { SessionRecord } from './session-records.ts'
import { outcomeOf, statusAt } from './status.ts'

/** How far a session has come, for the frame. */
export function stepOf(session: SessionRecord, nowMs: number): ThreedsStep {
  const status = statusAt(session, nowMs)
  const { acsChallengeUrl: acsUrl = null, creq = null } = session.authentication ?? {}
  const isOpen = status === 'challenge_required' && acsUrl !== null && creq !== null
  return {
    status,
    transStatus: letterOf(session, nowMs),
    challenge: isOpen ? { acsUrl, creq, windowSize: windowSizeOf(creq) } : null,
  }
}

/** How a session has ended, or that it has not, for the frame. */
export function resultOf(session: SessionRecord, nowMs: number): ThreedsResult {
  const status = statusAt(session, nowMs)
  return { status, transStatus: letterOf(session, nowMs), outcome: outcomeOf(status) }
}

/** The directory server's word on the session as it is now; a session that we have ended has none. */
export function letterOf(session: SessionRecord, nowMs: number): TransStatus | null {
  const { authentication } = session
  return authentication?.status === statusAt(session, nowMs) ? authentication.transStatus : null
}
