import { eciOf, requiredText, textOf, type EmvMessage } from '@tillwright/emv-3ds'
import { drawnAuthenticationValue, drawnUuid } from './draws.ts'
import type { Faults, Scenario } from './scenario.ts'

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
    acsTransID: drawnUuid('acs', transactionId),
    dsTransID: drawnUuid('ds', transactionId),
    acsReferenceNumber: 'TILLWRIGHT_ACS_SIMULATOR',
    dsReferenceNumber: 'TILLWRIGHT_DS_SIMULATOR',
    transStatus,
    ...(transStatusReason !== undefined && { transStatusReason: writtenReason(transStatusReason, areq) }),
    ...(eci !== null && { eci }),
    ...(/[YA]/.test(transStatus) && { authenticationValue: drawnAuthenticationValue(transactionId) }),
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

/** An answer on its way. */
export interface OutgoingAres {
  text: string
  /** How long it is kept back. */
  afterMs: number
  /** What the transcript says was sent; nothing for an answer that nobody waits for any more. */
  recorded: readonly unknown[]
}

/** How late an answer is that is to be late. */
const LATE_MS = 5_000
/** How long an answer is kept back that is to be none: longer than anybody waits. */
const NEVER_MS = 300_000

/** What becomes of an answer by its faults; without one it goes out as it is. */
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

/** Places of a challenge that no browser may be sent to. */
const places: Readonly<Record<NonNullable<Faults['acsUrl']>, string>> = {
  script: 'javascript:alert(document.domain)',
  document: 'data:text/html,<h1>Your bank</h1>',
  plain: 'http://bank.example/challenge',
  long: 'https://bank.example/'.padEnd(2_049, 'x'), // EMV 3DS 2.2.0, acsURL: at most 2048
}

/** An answer as it is, or its challenge at such a place. */
function atHostilePlace(ares: EmvMessage, place: Faults['acsUrl']): EmvMessage {
  return place === undefined || ares['acsURL'] === undefined ? ares : { ...ares, acsURL: places[place] }
}
