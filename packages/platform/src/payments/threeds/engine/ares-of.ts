import { eciOf, requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import { uuidOf } from '../../../ambient/uuid.ts'
import { drawn, drawnProof } from './drawn.ts'
import type { Scenario } from './scenario.ts'

/** What an answer depends on beside its request. */
export interface Answering {
  scenario: Scenario
  /** The card's, as the vault names it. */
  brand: string
  /** Where challenges take place. */
  challengeUrl: string
}

/**
 * The issuer's answer to a request, by way of the directory. All of it comes from the scenario and the transaction id, so
 * that who asks again is answered the same.
 *
 * @param areq Checked.
 */
export function aresOf(areq: EmvMessage, { scenario, brand, challengeUrl }: Answering): EmvMessage {
  const transactionId = requiredText(areq, 'threeDSServerTransID')
  const outcome = possible(scenario, areq)
  const { transStatus, transStatusReason } = outcome
  const eci = eciOf(brand, transStatus)
  return {
    messageType: 'ARes',
    messageVersion: areq.messageVersion,
    threeDSServerTransID: transactionId,
    acsTransID: uuidOf(drawn('acs', transactionId)),
    dsTransID: uuidOf(drawn('ds', transactionId)),
    acsReferenceNumber: 'TILLWRIGHT_ACS_SIMULATOR',
    dsReferenceNumber: 'TILLWRIGHT_DS_SIMULATOR',
    transStatus,
    ...(transStatusReason !== undefined && { transStatusReason: writtenReason(transStatusReason, areq) }),
    ...(eci !== null && { eci }),
    ...(/[YA]/.test(transStatus) && { authenticationValue: drawnProof(transactionId) }),
    ...challengeFields(outcome, challengeUrl),
  }
}

/** 02: asked for a code, 03: asked in the bank's app, 04: decoupled. Source: EMV 3DS 2.2.0, authenticationType. */
export const authenticationTypes = { otp: '02', oob: '03', decoupled: '04' } as const

/** The technical fault at the issuer has no code of its own before 2.2.0; from 80 on they are the payment system's. */
export function writtenReason(reason: string, { messageVersion }: Pick<EmvMessage, 'messageVersion'>): string {
  return messageVersion === '2.1.0' && Number(reason) > 21 ? '80' : reason
}

type Outcome = Omit<Scenario, 'transStatus'> & { transStatus: Scenario['transStatus'] | 'D' }

/** What a scenario comes to in the request's version and channel: not everything is there in all of them. */
function possible(scenario: Scenario, areq: EmvMessage): Outcome {
  const channel = textOf(areq, 'deviceChannel')
  if (scenario.transStatus === 'I' && areq.messageVersion === '2.1.0')
    return { transStatus: 'U', transStatusReason: '22' }
  if (scenario.transStatus !== 'C') return scenario
  if (scenario.challenge === 'decoupled') {
    if (textOf(areq, 'threeDSRequestorDecReqInd') === 'Y') return { ...scenario, transStatus: 'D' }
    return { transStatus: 'N', transStatusReason: '23' } // decoupled authentication is required but was not asked for
  }
  if (channel === '01') return { transStatus: 'U', transStatusReason: '03' } // unsupported device: no app is simulated
  if (channel === '03') return { transStatus: 'U', transStatusReason: '21' } // nobody is there to be challenged
  return scenario
}

function challengeFields({ transStatus, challenge = 'otp' }: Outcome, acsURL: string) {
  const authenticationType = authenticationTypes[challenge]
  if (transStatus === 'D') return { authenticationType, acsDecConInd: 'Y' }
  return transStatus === 'C' ? { authenticationType, acsChallengeMandated: 'Y', acsURL } : {}
}
