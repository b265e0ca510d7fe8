import { checkMessage, type CheckedMessage } from '../emv/check-message.ts'
import { requiredText, type EmvMessage } from '../emv/emv-message.ts'
import type { AuthenticationRequest } from '../provider.ts'
import type { ThreedsEngine } from './threeds-engine.ts'

/**
 * Asks the engine as a 3DS server asks a directory: what goes out is checked, and so is what comes back.
 *
 * @returns A checked ARes.
 * @throws {Error} When the request is none, or the answer an Erro or no good answer to this request; the message tells
 *   the code and the detail.
 */
export async function askEngine(request: AuthenticationRequest, engine: ThreedsEngine): Promise<EmvMessage> {
  const { message, card, preset } = request
  const text = JSON.stringify(message)
  const areq = requireMessage(checkMessage(text, { types: ['AReq'] }), 'request')
  const answer = await engine.answerAreq({ areq: text, brand: card.brand, last4: card.last4, preset })
  return requireMessage(checkMessage(answer, { types: ['ARes', 'Erro'], to: areq }), 'answer')
}

function requireMessage(checked: CheckedMessage, which: 'request' | 'answer'): EmvMessage {
  const message = checked.outcome === 'valid' ? checked.message : checked.erro
  if (message.messageType !== 'Erro') return message
  const [code, detail] = ['errorCode', 'errorDetail'].map((name) => requiredText(message, name))
  throw new Error(`The ${which} has come to the error ${code}: ${detail}`)
}
