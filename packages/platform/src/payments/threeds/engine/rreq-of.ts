import { eciOf, requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import type { AcsTransaction, ChallengeResult } from './acs-transaction.ts'
import { authenticationTypes, writtenReason } from './ares-of.ts'
import { drawnProof } from './drawn.ts'

/** The result of a challenge as the issuer tells it to the 3DS server. */
export function rreqOf(transaction: AcsTransaction, result: ChallengeResult): EmvMessage {
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
    ...(/[YA]/.test(transStatus) && { authenticationValue: drawnProof(transactionId) }),
    ...(eci !== null && { eci }),
    interactionCounter: String(Math.min(interactions, 99)).padStart(2, '0'),
    ...(challengeCancel !== undefined && { challengeCancel }),
  }
}

/** The end of a challenge as the browser brings it to the shop: no more than whether it went well. */
export function cresOf({ areq, transactionId, acsTransactionId }: AcsTransaction, wentWell: boolean): EmvMessage {
  return {
    messageType: 'CRes',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: transactionId,
    acsTransID: acsTransactionId,
    transStatus: wentWell ? 'Y' : 'N',
  }
}
