import { checkMessage, eciOf, requiredText, textOf, type EmvMessage, type SentMessage } from '@tillwright/emv-3ds'
import type { BankDependencies } from '../dependencies.ts'
import { authenticationTypes, writtenReason } from './authentication-response.ts'
import {
  changeTransaction,
  type AcsTransaction,
  type Change,
  type ChallengeResult,
  type Step,
} from './authentications.ts'
import { drawnAuthenticationValue, drawnUuid } from './draws.ts'

/** What the bank needs to end a challenge and tell the 3DS Server of it. */
export type Delivery = Pick<BankDependencies, 'db' | 'clock' | 'log' | 'server'>

/**
 * Moves a challenge on. The result of one that ends by it has been sent when this resolves, so that a browser which
 * brings its end to the shop comes second; unless a fault has it otherwise.
 *
 * @returns How the challenge stands; `null` when the issuer has none of the id.
 */
export async function moveChallenge(
  acsTransactionId: string,
  change: Change,
  delivery: Delivery,
): Promise<AcsTransaction | null> {
  const changed = await changeTransaction(acsTransactionId, change, delivery)
  if (changed === null) return null
  const { transaction, moved } = changed
  if (moved && transaction.delivery === 'sending') await deliverResult(transaction, delivery)
  return transaction
}

/**
 * Sends a result as often as it shall be sent, and records what was said. Without an answer it is due again later.
 *
 * @param transaction Just changed to `sending` by whoever calls.
 */
async function deliverResult(transaction: AcsTransaction, delivery: Delivery): Promise<void> {
  const { result, faults } = transaction
  if (result === null) return
  const rreq = asFaulty(transaction, rreqOf(transaction, result))
  const said: SentMessage[] = []
  for (let sent = 0; sent < (faults.rreq === 'twice' ? 2 : 1); sent++) {
    const answer = await answerTo(rreq, delivery)
    said.push({ from: 'issuer', to: 'server', type: 'RReq', message: rreq })
    if (answer === null) return
    said.push({ from: 'server', to: 'issuer', type: answer.messageType, message: answer })
  }
  const step: Step = (before) => ({ ...before, delivery: 'done', dueAtMs: null })
  await changeTransaction(transaction.acsTransactionId, { step, messages: said }, delivery)
}

async function answerTo(rreq: EmvMessage, { server, log }: Delivery): Promise<EmvMessage | null> {
  try {
    const checked = checkMessage(await server.receiveResult(JSON.stringify(rreq)), {
      types: ['RRes', 'Erro'],
      to: rreq,
      component: 'A',
    })
    return checked.outcome === 'valid' ? checked.message : checked.erro
  } catch (error) {
    log.error({ err: error, acsTransactionId: rreq['acsTransID'] }, 'a result was not taken; it is sent again')
    return null
  }
}

function asFaulty(transaction: AcsTransaction, rreq: EmvMessage): EmvMessage {
  const { transStatus: _, ...withoutOutcome } = rreq
  if (transaction.faults.rreq === 'malformed') return withoutOutcome
  if (transaction.faults.rreq !== 'wrong_transaction') return rreq
  return { ...rreq, threeDSServerTransID: drawnUuid('another', transaction.transactionId) }
}

/** The result of a challenge as the issuer tells it to the 3DS server. */
function rreqOf(transaction: AcsTransaction, result: ChallengeResult): EmvMessage {
  const { areq, ares, brand, scenario, transactionId, interactions } = transaction
  const { transStatus, transStatusReason, challengeCancel } = result
  const eci = eciOf(brand, transStatus)
  return {
    messageType: 'RReq',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: transactionId,
    acsTransID: transaction.acsTransactionId,
    dsTransID: requiredText(ares, 'dsTransID'),
    messageCategory: textOf(areq, 'messageCategory') ?? '01',
    transStatus,
    ...(transStatusReason !== undefined && { transStatusReason: writtenReason(transStatusReason, areq) }),
    authenticationType: authenticationTypes[scenario.challenge ?? 'otp'],
    ...(/[YA]/.test(transStatus) && { authenticationValue: drawnAuthenticationValue(transactionId) }),
    ...(eci !== null && { eci }),
    interactionCounter: String(Math.min(interactions, 99)).padStart(2, '0'),
    ...(challengeCancel !== undefined && { challengeCancel }),
  }
}

/** The end of a challenge as the browser brings it to the shop: no more than whether it went well. */
function cresOf({ areq, transactionId, acsTransactionId }: AcsTransaction, wentWell: boolean): EmvMessage {
  return {
    messageType: 'CRes',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: transactionId,
    acsTransID: acsTransactionId,
    transStatus: wentWell ? 'Y' : 'N',
  }
}

/** What the browser posts to the shop when a challenge has ended. */
export interface CresForm {
  /** Where to. */
  notificationUrl: string
  /** Base64url of a CRes, unless a fault has made something else of it. */
  cres: string
  /** What the shop wanted back. */
  threeDSSessionData: string | null
  /** The same before it was encoded: a CRes, or the text of what is none. */
  sent: unknown
}

/** The form that ends a challenge; `null` while it goes on, and when a fault has it end in nothing. */
export function cresForm(transaction: AcsTransaction): CresForm | null {
  const { areq, result, faults, sessionData, transactionId } = transaction
  if (result === null || faults.cres === 'never') return null
  const wentWell = result.transStatus === 'Y' || result.transStatus === 'A'
  const message = cresOf(transaction, faults.cres === 'contradicts' ? !wentWell : wentWell)
  const another = { ...message, threeDSServerTransID: drawnUuid('another', transactionId) }
  const told = faults.cres === 'wrong_transaction' ? another : message
  const isCut = faults.cres === 'malformed'
  const text = isCut ? JSON.stringify(told).slice(0, -1) : JSON.stringify(told)
  return {
    notificationUrl: requiredText(areq, 'notificationURL'),
    cres: Buffer.from(text).toString('base64url'),
    threeDSSessionData: sessionData,
    sent: isCut ? text : told,
  }
}
