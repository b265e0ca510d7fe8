import { checkMessage, erroOf, requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import { findByAcsId, type AcsTransaction, type ChallengeResult } from './authentications.ts'
import { moveChallenge, type Delivery } from './results.ts'
import { reasons, type Decision } from './scenario.ts'

/** The form that a browser posts to start a challenge. */
export interface PostedCreq {
  creq: string
  threeDSSessionData: string | null
}

/** The requested challenge, or the Erro that explains why there is none. */
export type Opened = { outcome: 'opened'; transaction: AcsTransaction } | { outcome: 'refused'; erro: EmvMessage }

/** Starts the challenge that a CReq asks for, or shows it again after a reload or in another tab. */
export async function openChallenge(posted: PostedCreq, delivery: Delivery): Promise<Opened> {
  const text = Buffer.from(posted.creq, 'base64url').toString()
  const checked = checkMessage(text, { types: ['CReq'], component: 'A' })
  if (checked.outcome === 'error') return { outcome: 'refused', erro: checked.erro }
  const creq = checked.message
  const acsTransactionId = requiredText(creq, 'acsTransID')
  const known = await findByAcsId(acsTransactionId, delivery.db)
  const fault = creqFault(creq, known)
  if (fault !== null) return { outcome: 'refused', erro: erroOf({ ...fault, component: 'A', about: creq }) }
  const transaction = await moveChallenge(
    acsTransactionId,
    {
      step: (before, nowMs) => opened(before, posted.threeDSSessionData, nowMs),
      messages: [{ from: 'browser', to: 'issuer', type: 'CReq', message: creq }],
    },
    delivery,
  )
  if (transaction === null) throw new Error(`The authentication ${acsTransactionId} has vanished.`)
  return { outcome: 'opened', transaction }
}

function creqFault(creq: EmvMessage, known: AcsTransaction | null) {
  if (known === null) return { code: '301', detail: 'acsTransID' } as const
  if (known.transactionId !== textOf(creq, 'threeDSServerTransID')) {
    return { code: '301', detail: 'threeDSServerTransID' } as const
  }
  if (known.ares['transStatus'] !== 'C') return { code: '305', detail: 'There is nothing to be challenged.' } as const
  return known.areq.messageVersion === creq.messageVersion ? null : ({ code: '203', detail: 'messageVersion' } as const)
}

/** Time limit for the browser to open its challenge. Source: EMV 3DS 2.2.0, 5.5.2. */
export const FIRST_CREQ_MS = 30_000
/** Time limit for the buyer to answer: at least ten minutes. Source: as above. */
const CHALLENGE_MS = 600_000
/** Time until the bank's app, or a decoupled authentication, is answered. */
export const OUT_OF_BAND_MS = 3_000
/** Number of wrong codes that end a challenge. */
export const TRIES_MAX = 3

/** Outcomes by code. Any other code is wrong. */
export const codes = new Map<string, Decision>([
  ['1234', 'Y'],
  ['1111', 'N'],
  ['2222', 'R'],
  ['3333', 'U'],
  ['7777', 'A'],
])

/** Records that the buyer's browser has opened its challenge, for the first time or again. */
export function opened(transaction: AcsTransaction, sessionData: string | null, nowMs: number): AcsTransaction {
  if (transaction.result !== null) return transaction
  if (transaction.opened) return { ...transaction, sessionData }
  const patience = transaction.scenario.challenge === 'oob' ? OUT_OF_BAND_MS : CHALLENGE_MS
  return { ...transaction, sessionData, opened: true, dueAtMs: nowMs + patience }
}

/** Records a code entered by the buyer. The third wrong one ends the challenge. */
export function answered(transaction: AcsTransaction, code: string, nowMs: number): AcsTransaction {
  if (transaction.result !== null) return transaction
  const asked = { ...transaction, interactions: transaction.interactions + 1 }
  const decision = codes.get(code)
  if (decision !== undefined) return decided(asked, resultOf(decision), nowMs)
  const tries = transaction.tries + 1
  if (tries < TRIES_MAX) return { ...asked, tries }
  return decided({ ...asked, tries }, { transStatus: 'N', transStatusReason: '19' }, nowMs) // too many challenges
}

/** Records that the buyer cancelled. */
export function cancelled(transaction: AcsTransaction, nowMs: number): AcsTransaction {
  if (transaction.result !== null) return transaction
  return decided(transaction, { transStatus: 'N', transStatusReason: '01', challengeCancel: '01' }, nowMs)
}

/**
 * Takes the step that is due: the bank's app is answered, the challenge times out, or a result is sent late or again.
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

/** Delays of a deliberately late result: shortly after the browser has returned, and long after. */
const AFTER_MS = 1_000
const LATE_MS = 15_000
/** Time until a result is sent again because it was not accepted or its sender crashed. */
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

/** Claims the delivery of the result: only the caller sends it until it is due again. */
function sending(transaction: AcsTransaction, nowMs: number): AcsTransaction {
  return { ...transaction, delivery: 'sending', dueAtMs: nowMs + RESEND_MS }
}

function resultOf(transStatus: Decision): ChallengeResult {
  const reason = reasons[transStatus]
  return { transStatus, ...(reason !== undefined && { transStatusReason: reason }) }
}
