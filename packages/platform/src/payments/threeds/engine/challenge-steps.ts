import type { AcsTransaction, ChallengeResult } from './acs-transaction.ts'
import type { Decision } from './scenario.ts'
import { reasons } from './scenario.ts'

/** How long a browser may take to come for its challenge. Source: EMV 3DS 2.2.0, 5.5.2. */
export const FIRST_CREQ_MS = 30_000
/** How long the buyer may take. Source: as above, at least ten minutes. */
export const CHALLENGE_MS = 600_000
/** After what time the bank's app has been answered, and a decoupled authentication. */
export const OUT_OF_BAND_MS = 3_000
/** Codes that may be wrong. */
export const TRIES_MAX = 3

/** What each code comes to; any other is wrong. */
export const codes = new Map<string, Decision>([
  ['1234', 'Y'],
  ['1111', 'N'],
  ['2222', 'R'],
  ['3333', 'U'],
  ['7777', 'A'],
])

/** The buyer's browser has come for its challenge, for the first time or again. */
export function opened(transaction: AcsTransaction, sessionData: string | null, nowMs: number): AcsTransaction {
  if (transaction.result !== null) return transaction
  if (transaction.opened) return { ...transaction, sessionData }
  const patience = transaction.scenario.challenge === 'oob' ? OUT_OF_BAND_MS : CHALLENGE_MS
  return { ...transaction, sessionData, opened: true, dueAtMs: nowMs + patience }
}

/** The buyer has typed a code. The third wrong one is the last. */
export function answered(transaction: AcsTransaction, code: string, nowMs: number): AcsTransaction {
  if (transaction.result !== null) return transaction
  const asked = { ...transaction, interactions: transaction.interactions + 1 }
  const decision = codes.get(code)
  if (decision !== undefined) return decided(asked, resultOf(decision), nowMs)
  const tries = transaction.tries + 1
  if (tries < TRIES_MAX) return { ...asked, tries }
  return decided({ ...asked, tries }, { transStatus: 'N', transStatusReason: '19' }, nowMs) // too many challenges
}

/** The buyer has given up. */
export function cancelled(transaction: AcsTransaction, nowMs: number): AcsTransaction {
  if (transaction.result !== null) return transaction
  return decided(transaction, { transStatus: 'N', transStatusReason: '01', challengeCancel: '01' }, nowMs)
}

/**
 * What happens by itself when its time has come: the bank's app has been answered, the buyer was too slow or never came,
 * a result is sent late, or again.
 */
export function lapsed(transaction: AcsTransaction, nowMs: number): AcsTransaction {
  if (transaction.dueAtMs === null || transaction.dueAtMs > nowMs) return transaction
  if (transaction.result !== null) return sending(transaction, nowMs)
  const { challenge = 'otp', result = 'Y' } = transaction.scenario
  const answersItself = challenge === 'decoupled' || (challenge === 'oob' && transaction.opened)
  if (answersItself) {
    return decided({ ...transaction, interactions: transaction.interactions + 1 }, resultOf(result), nowMs)
  }
  const challengeCancel = transaction.opened ? '04' : '05' // timed out, with and without a first CReq
  return decided(transaction, { transStatus: 'N', transStatusReason: '14', challengeCancel }, nowMs)
}

/** When a result is sent that is to be late: behind the browser, and long behind it. */
const AFTER_MS = 1_000
const LATE_MS = 15_000
/** After what time a result is sent again that was not taken, or whose sender has died. */
const RESEND_MS = 10_000

function decided(transaction: AcsTransaction, result: ChallengeResult, nowMs: number): AcsTransaction {
  switch (transaction.faults.rreq) {
    case 'never':
      return { ...transaction, result, delivery: 'done', dueAtMs: null }
    case 'after':
      return { ...transaction, result, delivery: 'waiting', dueAtMs: nowMs + AFTER_MS }
    case 'late':
      return { ...transaction, result, delivery: 'waiting', dueAtMs: nowMs + LATE_MS }
    case 'twice':
    case 'malformed':
    case 'wrong_transaction':
    case undefined:
      return sending({ ...transaction, result }, nowMs)
  }
}

/** Whoever has made this change sends the result; until it is due again nobody else does. */
function sending(transaction: AcsTransaction, nowMs: number): AcsTransaction {
  return { ...transaction, delivery: 'sending', dueAtMs: nowMs + RESEND_MS }
}

function resultOf(transStatus: Decision): ChallengeResult {
  const reason = reasons[transStatus]
  return { transStatus, ...(reason !== undefined && { transStatusReason: reason }) }
}
