import type { Parts } from '../../../call.ts'
import { findTransaction } from '../session-record.ts'
import { recordMessages } from '../transcript.ts'

/** A request to a directory server and its answer, as they went over the line. */
export interface Exchange {
  transactionId: string
  areq: string
  answer: string
  cardNumber: string
}

/** How much is kept of an answer that is no JSON. */
const UNREADABLE_MAX_CHARS = 2_048

/** Puts an exchange on the transcript of its session, without the card's number wherever it stands. */
export async function recordExchange(
  { transactionId, areq, answer, cardNumber }: Exchange,
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
): Promise<void> {
  const session = await findTransaction(transactionId, db)
  if (session === null) return
  const masked = answer.replaceAll(cardNumber, '*'.repeat(cardNumber.length))
  const message = jsonOf(masked)
  const messages = [
    { from: 'server', to: 'directory', type: 'AReq', message: jsonOf(areq) },
    { from: 'directory', to: 'server', type: typeOf(message), message },
  ] as const
  await db.write(recordMessages(messages, { accountId: session.accountId, transactionId, nowMs: clock.now() }))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, UNREADABLE_MAX_CHARS).replaceAll('\0', '\uFFFD')
  }
}

function typeOf(message: unknown): string {
  const isErro = typeof message === 'object' && message !== null && 'messageType' in message
  return isErro && message.messageType === 'Erro' ? 'Erro' : 'ARes'
}
