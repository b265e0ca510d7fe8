import type { Call } from '../call.ts'
import { findSender } from '../vault/card-senders.ts'
import type { CardTries } from '../vault/card-tries.ts'
import type { AttemptOutcome } from './charge-card.ts'
import { isSignOfTesting } from './is-sign-of-testing.ts'

/** A card that was charged, and what came of it. */
export interface Charged {
  cardId: string
  outcome: AttemptOutcome
}

/** Counts a decline that tells of a tester as further tries of the form and the address that the card came from. */
export async function countDecline({ cardId, outcome }: Charged, call: Call, cardTries: CardTries): Promise<void> {
  if (outcome.outcome !== 'declined' || !isSignOfTesting(outcome.declineCode)) return
  const { caller, parts, nowMs } = call
  const sender = await findSender(cardId, caller.accountId, { db: parts.db, nowMs })
  if (sender !== null) await cardTries.countOdd(sender.session, sender.address)
}
