import { checkMessage } from '../emv/check-message.ts'
import { requiredText, type EmvMessage } from '../emv/emv-message.ts'
import type { AuthenticationRequest } from '../provider.ts'
import { completeAreq } from './complete-areq.ts'
import type { ThreedsEngine } from './threeds-engine.ts'

/**
 * Asks the engine as a 3DS server asks a directory: text goes out, and what comes back is believed when it has been
 * checked.
 *
 * @returns A checked ARes.
 * @throws {Error} When the answer is an Erro or no good answer to this request; the message tells its code and detail.
 */
export async function askEngine(request: AuthenticationRequest, engine: ThreedsEngine): Promise<EmvMessage> {
  const { card, preset } = request
  const areq = completeAreq(request)
  const text = await engine.answerAreq({ areq: JSON.stringify(areq), brand: card.brand, last4: card.last4, preset })
  const checked = checkMessage(text, { types: ['ARes', 'Erro'], to: areq })
  const answer = checked.outcome === 'valid' ? checked.message : checked.erro
  if (answer.messageType === 'ARes') return answer
  const [code, detail] = ['errorCode', 'errorDetail'].map((name) => requiredText(answer, name))
  throw new Error(`The directory's answer is the error ${code}: ${detail}`)
}
