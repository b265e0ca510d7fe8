import type { ThreedsAuthentication, ThreedsSessionDetails } from '@tillwright/contract'
import { toResource, type SessionRecord } from './session-record.ts'
import { isFinal, outcomeOf, statusAt } from './threeds-status.ts'
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
    dsTransactionId: authentication && toldAuthentication({ ...authentication, status }).dsTransactionId,
    acsTransactionId: authentication?.acsTransactionId ?? null,
    challengeCancel: result?.challengeCancel ?? null,
    transcript: isFinal(status) ? [...transcript] : transcript.map(withoutDirectoryId),
    expiresAt: new Date(expiresAtMs).toISOString(),
  }
}

/**
 * An authentication as its shop's server is told of it. The directory's id stays back until the session has ended: of the
 * three ids that a result names it is the one that only servers know, and an authorisation needs it afterwards alone.
 */
export function toldAuthentication(authentication: ThreedsAuthentication): ThreedsAuthentication {
  return isFinal(authentication.status) ? authentication : { ...authentication, dsTransactionId: null }
}

function withoutDirectoryId(entry: TranscriptEntry): TranscriptEntry {
  const { message } = entry
  if (typeof message !== 'object' || message === null || !('dsTransID' in message)) return entry
  return { ...entry, message: { ...message, dsTransID: null } }
}
