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

/** Dependencies for ending a challenge and reporting it to the 3DS Server. */
export type Delivery = Pick<BankDependencies, 'db' | 'clock' | 'log' | 'server'>

/**
 * Applies a step to a challenge. If the step ends it, the result has been sent by the time this resolves, so that it
 * reaches the shop before the browser does, unless a fault delays it.
 *
 * @returns The state of the challenge, or `null` if the issuer has none with this id.
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
 * Sends a result, twice if a fault says so, and records the exchange. If it is not answered, it becomes due again.
 *
 * @param transaction Must have been changed to `sending` by the caller.
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

/** The RReq that reports the result of a challenge to the 3DS Server. */
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

/** The CRes that the browser carries to the shop. It says only whether the challenge succeeded. */
function cresOf({ areq, transactionId, acsTransactionId }: AcsTransaction, wentWell: boolean): EmvMessage {
  return {
    messageType: 'CRes',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: transactionId,
    acsTransID: acsTransactionId,
    transStatus: wentWell ? 'Y' : 'N',
  }
}

/** The form that the browser posts to the shop when a challenge ends. */
export interface CresForm {
  /** The shop's `notificationURL`. */
  notificationUrl: string
  /** A CRes in base64url, unless a fault alters it. */
  cres: string
  /** Returned as the shop sent it. */
  threeDSSessionData: string | null
  /** `cres` before encoding: a message, or the text of an invalid one. */
  sent: unknown
}

/** The form that ends a challenge. `null` while the challenge is open, and if a fault suppresses the form. */
export function cresForm(transaction: AcsTransaction): CresForm | null {
  const { areq, result, faults, sessionData, transactionId } = transaction
  if (result === null || faults.cres === 'never') return null
  const wentWell = result.transStatus === 'Y' || result.transStatus === 'A'
  const message = cresOf(transaction, faults.cres === 'contradicts' ? !wentWell : wentWell)
  const another = { ...message, threeDSServerTransID: drawnUuid('another', transactionId) }
  const sent = faults.cres === 'wrong_transaction' ? another : message
  const isCut = faults.cres === 'malformed'
  const text = isCut ? JSON.stringify(sent).slice(0, -1) : JSON.stringify(sent)
  return {
    notificationUrl: requiredText(areq, 'notificationURL'),
    cres: Buffer.from(text).toString('base64url'),
    threeDSSessionData: sessionData,
    sent: isCut ? text : sent,
  }
}
