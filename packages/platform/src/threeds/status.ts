import type { ThreedsAuthentication, ThreedsOutcome, ThreedsStatus, TransStatus } from '@tillwright/contract'

/** How long a session can be authenticated after its creation, and how long a buyer has whom the bank then asks. */
export const SESSION_LIFETIME_MS = 30 * 60 * 1_000

/**
 * Where a session may go from each status. A status without a way on is final. `authenticating` leads to itself: a
 * provider that gave no answer is asked again, and a bank that asks the buyer elsewhere (D) is still at it.
 */
const ways: Record<ThreedsStatus, readonly ThreedsStatus[]> = {
  created: ['method_pending', 'authenticating', 'cancelled', 'expired'],
  method_pending: ['authenticating', 'cancelled', 'expired'],
  authenticating: [
    'authenticating',
    'successful',
    'attempted',
    'failed',
    'unavailable',
    'rejected',
    'informational',
    'challenge_required',
    'cancelled',
    'expired',
  ],
  challenge_required: ['successful', 'attempted', 'failed', 'unavailable', 'rejected', 'cancelled', 'expired'],
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
  D: 'authenticating',
}

/** The status that an outcome leads to. Source: EMV 3DS 2.2.0, transStatus. */
export function statusOfOutcome(transStatus: TransStatus): ThreedsStatus {
  return outcomes[transStatus]
}

/**
 * The step open to a session: authenticate it, wait for the one in progress, expire it, or none.
 */
export type Standing = 'ready' | 'busy' | 'lapsed' | 'over'

/** The part of a session that decides how it stands. */
export interface TimedStatus {
  status: ThreedsStatus
  /** End of the lease while a provider is being asked or the bank asks the buyer out of band; 0 without a lease. */
  leaseUntilMs: number
  expiresAtMs: number
}

/**
 * Whether a session can be authenticated now. One whose lease is over is `ready` again: the process that asked has died
 * or got no answer, and a provider gives the same answer to the same transaction id.
 */
export function standingOf({ status, leaseUntilMs, expiresAtMs }: TimedStatus, nowMs: number): Standing {
  if (isFinal(status)) return 'over'
  if (status === 'authenticating' && leaseUntilMs > nowMs) return 'busy'
  if (expiresAtMs <= nowMs) return 'lapsed'
  return status === 'challenge_required' ? 'over' : 'ready'
}

/** The status as it is to be told: a session whose time is over has expired, whether or not that is on record yet. */
export function statusAt(session: TimedStatus, nowMs: number): ThreedsStatus {
  return standingOf(session, nowMs) === 'lapsed' ? 'expired' : session.status
}

/** When a session's time is over after its bank's answer: a buyer who is asked has the whole of it, however late that is. */
export function expiryAfter(
  { status, transStatus }: Pick<ThreedsAuthentication, 'status' | 'transStatus'>,
  { expiresAtMs }: Pick<TimedStatus, 'expiresAtMs'>,
  nowMs: number,
): number {
  const isAsked = status === 'challenge_required' || isDecoupled({ status, transStatus })
  return isAsked ? nowMs + SESSION_LIFETIME_MS : expiresAtMs
}

const words: Record<ThreedsStatus, ThreedsOutcome> = {
  created: 'pending',
  method_pending: 'pending',
  authenticating: 'pending',
  challenge_required: 'pending',
  successful: 'authenticated',
  attempted: 'attempted',
  failed: 'failed',
  unavailable: 'unavailable',
  rejected: 'rejected',
  informational: 'informational',
  cancelled: 'cancelled',
  expired: 'timed_out',
}

/** How a session in a status has ended, in a word. */
export function outcomeOf(status: ThreedsStatus): ThreedsOutcome {
  return words[status]
}

/**
 * Whether the bank asks the buyer elsewhere, such as in its app, with no page of its own in the browser. Its decision
 * comes as the result of a challenge does. Source: EMV 3DS 2.2.0, decoupled authentication.
 */
export function isDecoupled({ status, transStatus }: Pick<ThreedsAuthentication, 'status' | 'transStatus'>): boolean {
  return status === 'authenticating' && transStatus === 'D'
}
