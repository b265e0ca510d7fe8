import type { ThreedsStatus } from '@tillwright/contract'
import type { ResultRequest } from './result-request.ts'
import { statusOfOutcome } from './threeds-status.ts'

/** Why a challenge ended before the cardholder had answered. Source: EMV 3DS 2.2.0, challengeCancel. */
const CANCELLED = '01'
/** 03: decoupled, 04: at the issuer, 05: at the issuer before the challenge had begun, 08: at the SDK. */
const TIMED_OUT = ['03', '04', '05', '08']

/**
 * The status that the result of a challenge leads to. A challenge that ended early has not failed: its cardholder has
 * given up, or was too slow.
 */
export function statusOfResult({
  transStatus,
  challengeCancel,
}: Pick<ResultRequest, 'transStatus' | 'challengeCancel'>): ThreedsStatus {
  const mayHaveEndedEarly = transStatus === 'N' || transStatus === 'U'
  if (mayHaveEndedEarly && challengeCancel === CANCELLED) return 'cancelled'
  if (mayHaveEndedEarly && challengeCancel !== null && TIMED_OUT.includes(challengeCancel)) return 'expired'
  return statusOfOutcome(transStatus)
}
