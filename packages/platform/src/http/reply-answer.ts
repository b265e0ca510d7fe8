import { contract, type Payment } from '@tillwright/contract'
import type { Answer } from '../accounts/idempotency-keys.ts'
import { newId } from '../ambient/ids.ts'
import type { Parts, Reply } from '../call.ts'
import { errorBody } from './error-body.ts'

/** The answer that a payment's request gets when it is settled after the process that took it has died. */
export function replyAnswer(reply: Reply<Payment>, { parts, docsUrl, shown }: Answering): Answer {
  if ('stored' in reply) return { status: contract.payments.create.status, body: reply.stored }
  if ('body' in reply)
    return { status: requestOf(reply.body).status, body: JSON.stringify(shown?.(reply.body) ?? reply.body) }
  const requestId = newId('req', parts.clock.now(), parts.randomness)
  return { status: reply.failure.status, body: JSON.stringify(errorBody(reply.failure, requestId, docsUrl)) }
}

interface Answering {
  parts: Parts
  docsUrl: string
  /** What the one who asked is shown of the payment: all of it unless given. */
  shown?: (payment: Payment) => object
}

/** A payment with a 3-D Secure session comes to a processor by being continued; until then it has been created alone. */
function requestOf({ status, threedsSessionId }: Payment) {
  const isCreated = threedsSessionId === null || status === 'requires_action'
  return isCreated ? contract.payments.create : contract.payments.continue
}
