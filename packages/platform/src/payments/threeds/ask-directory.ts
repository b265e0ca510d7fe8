import { currencyOfNumber } from '@tillwright/contract'
import { checkMessage, requiredText, type CheckedMessage, type EmvMessage } from '@tillwright/emv-3ds'
import type { AuthenticationRequest } from './provider.ts'

/** A request on its way: the AReq as JSON, and what whoever brings it there may have to know. */
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
 * Asks a directory as a 3DS server does: what goes out is checked, and so is what comes back.
 *
 * @returns A checked ARes.
 * @throws {Error} When the request is none, or the answer an Erro or no good answer to this request; the message tells
 *   the code and the detail.
 */
export async function askDirectory(request: AuthenticationRequest, answerAreq: AnswerAreq): Promise<EmvMessage> {
  const { message, card, preset } = request
  const text = JSON.stringify(message)
  const areq = requireMessage(checkMessage(text, { types: ['AReq'], isCurrency }), 'request')
  const { threeDSServerTransID: transactionId, acctNumber: cardNumber } = message
  const { brand, last4 } = card
  const answer = await answerAreq({ areq: text, transactionId, cardNumber, brand, last4, preset })
  const ares = requireMessage(checkMessage(answer, { types: ['ARes', 'Erro'], to: areq }), 'answer')
  requireAgreement(areq, ares)
  return ares
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
