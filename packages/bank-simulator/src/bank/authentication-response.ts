import { eciOf, requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import { drawnAuthenticationValue, drawnUuid } from './draws.ts'
import type { Faults, Scenario } from './scenario.ts'

/** Input to an authentication response, apart from the AReq itself. */
export interface Answering {
  scenario: Scenario
  /** The card brand, as named by the vault. */
  brand: string
  /** URL of the challenge page. */
  challengeUrl: string
}

/**
 * Builds the issuer's response to an AReq. It is derived from the scenario and the transaction id alone, so a repeated
 * request gets the same response.
 *
 * @param areq Already validated.
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
    acsTransID: drawnUuid('acs', transactionId),
    dsTransID: drawnUuid('ds', transactionId),
    acsReferenceNumber: 'TILLWRIGHT_ACS_SIMULATOR',
    dsReferenceNumber: 'TILLWRIGHT_DS_SIMULATOR',
    transStatus,
    ...(transStatusReason !== undefined && { transStatusReason: writtenReason(transStatusReason, areq) }),
    ...(eci !== null && { eci }),
    ...(/[YA]/.test(transStatus) && { authenticationValue: drawnAuthenticationValue(transactionId) }),
    ...challengeFields(outcome, challengeUrl),
    ...whiteList(outcome, areq),
  }
}

/** Whether the buyer trusts the shop; 03: the issuer says so. Source: EMV 3DS 2.2.0, whiteListStatusSource. */
function whiteList({ whiteListStatus }: Outcome, { messageVersion }: EmvMessage) {
  if (whiteListStatus === undefined || messageVersion === '2.1.0') return {}
  return { whiteListStatus, whiteListStatusSource: '03' }
}

/** 02: one-time code, 03: approval in the bank's app, 04: decoupled. Source: EMV 3DS 2.2.0, authenticationType. */
export const authenticationTypes = { otp: '02', oob: '03', decoupled: '04' } as const

/** Before 2.2.0 there is no code for a technical fault at the issuer. Codes from 80 are reserved for payment systems. */
export function writtenReason(reason: string, { messageVersion }: Pick<EmvMessage, 'messageVersion'>): string {
  return messageVersion === '2.1.0' && Number(reason) > 21 ? '80' : reason
}

type Outcome = Omit<Scenario, 'transStatus'> & { transStatus: Scenario['transStatus'] | 'D' }

/** The outcome of a scenario, limited to what the request's version and channel support. */
function possible(scenario: Scenario, areq: EmvMessage): Outcome {
  const channel = textOf(areq, 'deviceChannel')
  if (scenario.transStatus === 'I' && areq.messageVersion === '2.1.0')
    return { transStatus: 'U', transStatusReason: '22' }
  if (scenario.transStatus !== 'C') return scenario
  if (scenario.challenge === 'decoupled') {
    if (textOf(areq, 'threeDSRequestorDecReqInd') === 'Y') return { ...scenario, transStatus: 'D' }
    return { transStatus: 'N', transStatusReason: '23' } // decoupled authentication is required but was not requested
  }
  if (channel === '01') return { transStatus: 'U', transStatusReason: '03' } // unsupported device: no app is simulated
  if (channel === '03') return { transStatus: 'U', transStatusReason: '21' } // no cardholder is present to be challenged
  return scenario
}

function challengeFields({ transStatus, challenge = 'otp' }: Outcome, acsURL: string) {
  const authenticationType = authenticationTypes[challenge]
  if (transStatus === 'D') return { authenticationType, acsDecConInd: 'Y' }
  return transStatus === 'C' ? { authenticationType, acsChallengeMandated: 'Y', acsURL } : {}
}

/** A response that is about to be sent. */
export interface OutgoingAres {
  text: string
  /** Delay before it is sent, in milliseconds. */
  afterMs: number
  /** The messages to record in the transcript as sent. Empty if the requestor has stopped waiting. */
  recorded: readonly unknown[]
}

/** Delay of a deliberately late response. */
const LATE_MS = 5_000
/** Delay of a response that is meant never to arrive: longer than any requestor waits. */
const NEVER_MS = 300_000

/** Applies the arranged faults to a response. Without faults it is sent unchanged. */
export function outgoingAres(
  proper: EmvMessage,
  transactionId: string,
  { ares: fault, acsUrl }: Pick<Faults, 'ares' | 'acsUrl'>,
): OutgoingAres {
  const ares = atHostilePlace(proper, acsUrl)
  const text = JSON.stringify(ares)
  switch (fault) {
    case undefined:
      return { text, afterMs: 0, recorded: [ares] }
    case 'late':
      return { text, afterMs: LATE_MS, recorded: [ares] }
    case 'timeout':
      return { text, afterMs: NEVER_MS, recorded: [] }
    case 'malformed': {
      const cut = text.slice(0, -1)
      return { text: cut, afterMs: 0, recorded: [cut] }
    }
    case 'wrong_transaction': {
      const other = { ...ares, threeDSServerTransID: drawnUuid('another', transactionId) }
      return { text: JSON.stringify(other), afterMs: 0, recorded: [other] }
    }
    case 'duplicate': {
      const twice = `{"transStatus":"Y",${text.slice(1)}`
      return { text: twice, afterMs: 0, recorded: [twice] }
    }
  }
}

/** Challenge URLs that a requestor must reject. */
const places: Readonly<Record<NonNullable<Faults['acsUrl']>, string>> = {
  script: 'javascript:alert(document.domain)',
  document: 'data:text/html,<h1>Your bank</h1>',
  plain: 'http://bank.example/challenge',
  long: 'https://bank.example/'.padEnd(2_049, 'x'), // EMV 3DS 2.2.0, acsURL: at most 2048
}

/** The response, with its challenge URL replaced by one of those if the fault asks for it. */
function atHostilePlace(ares: EmvMessage, place: Faults['acsUrl']): EmvMessage {
  return place === undefined || ares['acsURL'] === undefined ? ares : { ...ares, acsURL: places[place] }
}
