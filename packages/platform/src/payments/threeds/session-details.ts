import type { ThreedsSessionDetails } from '@tillwright/contract'
import type { Call } from '../../call.ts'
import { toResource, type SessionRecord } from './session-record.ts'
import { outcomeOf, statusAt } from './threeds-status.ts'
import { letterOf } from './threeds-step.ts'
import { transcriptOf } from './transcript.ts'

/** A session with its end, as its shop's server reads it. */
export async function sessionDetails(
  session: SessionRecord,
  { parts, nowMs }: Pick<Call, 'parts' | 'nowMs'>,
): Promise<ThreedsSessionDetails> {
  const transcript = await transcriptOf(session.id, session.accountId, parts.db)
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
    transcript,
    expiresAt: new Date(expiresAtMs).toISOString(),
  }
}
