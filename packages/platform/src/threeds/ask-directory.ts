import { currencyOfNumber, transStatus } from '@tillwright/contract'
import { type CheckedMessage, checkMessage, type EmvMessage, requiredText, textOf } from '@tillwright/emv-3ds'
import { encodeCreq } from './emv-request.ts'
import type { Authentication, AuthenticationRequest } from './provider.ts'

/** A request on its way: the AReq as JSON, and the details that its transport may need. */
export interface SentRequest {
  areq: string
  transactionId: string
  cardNumber: string
  brand: string
  last4: string
  preset: string | undefined
}

/** Brings an AReq to a directory and its answer back, as JSON unless something has gone wrong. */
export type AnswerAreq = (sent: SentRequest) => Promise<string>

/**
 * Asks a directory server to authenticate a cardholder. The AReq is checked before it is sent, and the ARes when it comes.
 *
 * @throws {Error} When the request is none, or the answer an Erro or no good answer to this request; the message tells
 *   the code and the detail.
 */
export async function askDirectory(request: AuthenticationRequest, answerAreq: AnswerAreq): Promise<Authentication> {
  const { message, card, preset } = request
  const text = JSON.stringify(message)
  const areq = requireMessage(checkMessage(text, { types: ['AReq'], isCurrency }), 'request')
  const { threeDSServerTransID: transactionId, acctNumber: cardNumber } = message
  const { brand, last4 } = card
  const answer = await answerAreq({ areq: text, transactionId, cardNumber, brand, last4, preset })
  // The detail of an error is logged.
  const ares = requireMessage(
    checkMessage(withoutNumber(answer, cardNumber), { types: ['ARes', 'Erro'], to: areq }),
    'answer',
  )
  requireAgreement(areq, ares)
  return authenticationOf(ares)
}

/** What a directory has answered, with asterisks for the card's number wherever it repeats that. */
export function withoutNumber(answer: string, cardNumber: string): string {
  return answer.replaceAll(cardNumber, '*'.repeat(cardNumber.length))
}

/** @param ares Checked against its request: its table requires what is required here. */
function authenticationOf(ares: EmvMessage): Authentication {
  const { messageVersion } = ares
  const acsTransID = requiredText(ares, 'acsTransID')
  const acsChallengeUrl = textOf(ares, 'acsURL') ?? null
  const challenge = { threeDSServerTransID: requiredText(ares, 'threeDSServerTransID'), acsTransID, messageVersion }
  return {
    transStatus: transStatus.parse(ares['transStatus']),
    transStatusReason: textOf(ares, 'transStatusReason') ?? null,
    eci: textOf(ares, 'eci') ?? null,
    authenticationValue: textOf(ares, 'authenticationValue') ?? null,
    dsTransactionId: requiredText(ares, 'dsTransID'),
    acsTransactionId: acsTransID,
    threeDsVersion: messageVersion,
    acsChallengeUrl,
    creq: acsChallengeUrl === null ? null : encodeCreq(challenge),
  }
}

/** A bank may ask the buyer elsewhere if both agree to it. Source: EMV 3DS 2.2.0, threeDSRequestorDecReqInd, acsDecConInd. */
function requireAgreement(areq: EmvMessage, ares: EmvMessage): void {
  if (ares['transStatus'] !== 'D') return
  if (areq['threeDSRequestorDecReqInd'] === 'Y' && ares['acsDecConInd'] === 'Y') return
  throw new Error('The answer is a decoupled authentication (D) that was not asked for, or is not confirmed.')
}

function requireMessage(checked: CheckedMessage, which: 'request' | 'answer'): EmvMessage {
  const message = checked.outcome === 'valid' ? checked.message : checked.erro
  if (message.messageType !== 'Erro') return message
  const [code, detail] = ['errorCode', 'errorDetail'].map((name) => requiredText(message, name))
  throw new Error(`The ${which} has come to the error ${code}: ${detail}`)
}

function isCurrency(number: string): boolean {
  return currencyOfNumber(number) !== null
}
