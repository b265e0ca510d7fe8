import type { ThreedsSessionDetails } from '@tillwright/contract'
import { toResource, type SessionRecord } from './session-record.ts'
import { outcomeOf, statusAt } from './threeds-status.ts'
import { letterOf } from './threeds-step.ts'
import type { TranscriptEntry } from './transcript.ts'

/** A session with its end and the messages that led there, as its shop's server reads it. */
export function sessionDetails(
  session: SessionRecord,
  transcript: readonly TranscriptEntry[],
  nowMs: number,
): ThreedsSessionDetails {
  const { authentication, paymentId, result, expiresAtMs } = session
  const status = statusAt(session, nowMs)
  const transStatus = letterOf(session, nowMs)
  const said = transStatus === null ? null : authentication
  return {
    ...toResource(session),
    status,
    outcome: outcomeOf(status),
    paymentId,
    transStatus,
    transStatusReason: said?.transStatusReason ?? null,
    eci: said?.eci ?? null,
    liabilityShifted: said?.liabilityShifted ?? false,
    dsTransactionId: authentication?.dsTransactionId ?? null,
    acsTransactionId: authentication?.acsTransactionId ?? null,
    challengeCancel: result?.challengeCancel ?? null,
    transcript: [...transcript],
    expiresAt: new Date(expiresAtMs).toISOString(),
  }
}
