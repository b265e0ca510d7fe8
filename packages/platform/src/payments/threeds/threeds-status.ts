import type { ThreedsStatus, TransStatus } from '@tillwright/contract'

/** How long after its creation a session can be authenticated. Source: decisions, "3-D Secure". */
export const SESSION_LIFETIME_MS = 30 * 60 * 1_000

/**
 * Where a session may go from each status. A status without a way on is final. `authenticating` leads to itself: a
 * provider that gave no answer is asked again.
 */
const ways: Record<ThreedsStatus, readonly ThreedsStatus[]> = {
  created: ['method_pending', 'authenticating', 'expired'],
  method_pending: ['authenticating', 'expired'],
  authenticating: [
    'authenticating',
    'successful',
    'attempted',
    'failed',
    'unavailable',
    'rejected',
    'informational',
    'challenge_required',
    'expired',
  ],
  challenge_required: ['successful', 'failed', 'cancelled', 'expired'],
  successful: [],
  attempted: [],
  failed: [],
  unavailable: [],
  rejected: [],
  informational: [],
  cancelled: [],
  expired: [],
}

/** Whether a session may move from one status to the other. */
export function mayMove(from: ThreedsStatus, to: ThreedsStatus): boolean {
  return ways[from].includes(to)
}

/** Whether a session never leaves the status. */
export function isFinal(status: ThreedsStatus): boolean {
  return ways[status].length === 0
}

const outcomes: Record<TransStatus, ThreedsStatus> = {
  Y: 'successful',
  A: 'attempted',
  N: 'failed',
  U: 'unavailable',
  R: 'rejected',
  I: 'informational',
  C: 'challenge_required',
}

/** The status that an outcome leads to. Source: EMV 3DS 2.2.0, transStatus. */
export function statusOfOutcome(transStatus: TransStatus): ThreedsStatus {
  return outcomes[transStatus]
}

/** What a session's status and times allow: to be authenticated, to wait for whoever is at it, to expire, or nothing. */
export type Standing = 'ready' | 'busy' | 'lapsed' | 'over'

/** The part of a session that decides how it stands. */
export interface TimedStatus {
  status: ThreedsStatus
  /** Until when somebody is asking the provider; 0 when nobody is. */
  leaseUntilMs: number
  expiresAtMs: number
}

/**
 * How a session stands for whoever wants to authenticate it. One whose lease is over is `ready` again: the process that
 * asked has died or was not answered, and a provider answers the same transaction id the same again.
 */
export function standingOf({ status, leaseUntilMs, expiresAtMs }: TimedStatus, nowMs: number): Standing {
  if (isFinal(status)) return 'over'
  if (status === 'authenticating' && leaseUntilMs > nowMs) return 'busy'
  if (expiresAtMs <= nowMs) return 'lapsed'
  return status === 'challenge_required' ? 'over' : 'ready'
}
