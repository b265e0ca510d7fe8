import type { Call, Reply } from '../../call.ts'
import { findSender } from '../../vault/card-senders.ts'
import type { CardTries } from '../../vault/card-tries.ts'
import { isSignOfTesting } from './is-sign-of-testing.ts'

/** A card that was charged, and what is answered about it. */
export interface Charged {
  cardId: string
  reply: Reply<unknown>
}

/**
 * Counts a payment that ended in a decline which tells of a tester as further tries of the form and the address that its
 * card came from, once however many processors were asked.
 */
export async function countDecline({ cardId, reply }: Charged, call: Call, cardTries: CardTries): Promise<void> {
  if (!('failure' in reply) || !isSignOfTesting(reply.failure.details.declineCode)) return
  const { caller, parts, nowMs } = call
  const sender = await findSender(cardId, caller.accountId, { db: parts.db, nowMs })
  if (sender !== null) await cardTries.countOdd({ ...sender, account: caller })
}
