import { checkMessage, type EmvMessage } from '@tillwright/emv-3ds'
import type { Parts } from '../../../call.ts'
import { uuidOf } from '../../../ambient/uuid.ts'
import type { SentMessage } from '../transcript.ts'
import type { AcsTransaction } from './acs-transaction.ts'
import { changeTransaction, type Step } from './change-transaction.ts'
import { drawn } from './drawn.ts'
import { rreqOf } from './rreq-of.ts'

/**
 * Brings the result of a challenge to the 3DS server, by way of the directory.
 *
 * @param rreq An RReq as JSON, unless a fault has made something else of it.
 * @returns An RRes, or an Erro, as JSON. It is checked here.
 */
export type SendResult = (rreq: string) => Promise<string>

/** What a delivery needs. */
export interface Delivery {
  parts: Pick<Parts, 'db' | 'clock' | 'log'>
  sendResult: SendResult
}

/**
 * Sends a result as often as it shall be sent, and records what was said. Without an answer it is due again later.
 *
 * @param transaction Just changed to `sending` by whoever calls.
 */
export async function deliverResult(transaction: AcsTransaction, { parts, sendResult }: Delivery): Promise<void> {
  const { result, faults } = transaction
  if (result === null) return
  const rreq = asFaulty(transaction, rreqOf(transaction, result))
  const said: SentMessage[] = []
  for (let sent = 0; sent < (faults.rreq === 'twice' ? 2 : 1); sent++) {
    const answer = await answerTo(rreq, { sendResult, parts })
    said.push({ from: 'issuer', to: 'server', type: 'RReq', message: rreq })
    if (answer === null) return
    said.push({ from: 'server', to: 'issuer', type: answer.messageType, message: answer })
  }
  const step: Step = (before) => ({ ...before, delivery: 'done', dueAtMs: null })
  await changeTransaction(transaction.acsTransactionId, { step, messages: said }, parts)
}

async function answerTo(rreq: EmvMessage, { parts, sendResult }: Delivery): Promise<EmvMessage | null> {
  try {
    const checked = checkMessage(await sendResult(JSON.stringify(rreq)), {
      types: ['RRes', 'Erro'],
      to: rreq,
      component: 'A',
    })
    return checked.outcome === 'valid' ? checked.message : checked.erro
  } catch (error) {
    parts.log.error({ err: error, acsTransactionId: rreq['acsTransID'] }, 'a result was not taken; it is sent again')
    return null
  }
}

function asFaulty(transaction: AcsTransaction, rreq: EmvMessage): EmvMessage {
  const { transStatus: _, ...withoutOutcome } = rreq
  if (transaction.faults.rreq === 'malformed') return withoutOutcome
  if (transaction.faults.rreq !== 'wrong_transaction') return rreq
  return { ...rreq, threeDSServerTransID: uuidOf(drawn('another', transaction.transactionId)) }
}
