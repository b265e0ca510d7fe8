import type { Parts } from '../../../call.ts'
import { recordMessages, type SentMessage } from '../transcript.ts'
import { findByAcsId, updateTransaction, type AcsTransaction } from './acs-transaction.ts'

/** How often a change is tried again that somebody else's has come before. */
const RACES_MAX = 5

/** What is done to an authentication, from how it stands. */
export type Step = (transaction: AcsTransaction, nowMs: number) => AcsTransaction

/** A step with the messages that led to it. */
export interface Change {
  step: Step
  messages?: readonly SentMessage[]
}

/** How an authentication stands, and whether the step has moved it there. */
export interface Changed {
  transaction: AcsTransaction
  moved: boolean
}

/**
 * Changes an authentication, again from the start when somebody else was faster.
 *
 * @returns `null` when the issuer has none of the id.
 */
export async function changeTransaction(
  acsTransactionId: string,
  { step, messages = [] }: Change,
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
): Promise<Changed | null> {
  for (let races = 0; races < RACES_MAX; races++) {
    const transaction = await findByAcsId(acsTransactionId, db)
    if (transaction === null) return null
    const nowMs = clock.now()
    const changed = step(transaction, nowMs)
    const moved = changed !== transaction
    if (!moved && messages.length === 0) return { transaction, moved }
    const recorded = recordMessages(messages, { ...transaction, nowMs })
    const outcome = await db.write([...(moved ? updateTransaction(changed) : []), ...recorded])
    if (outcome.outcome === 'committed' && !moved) return { transaction, moved }
    if (outcome.outcome === 'committed') return { transaction: { ...changed, revision: changed.revision + 1 }, moved }
  }
  throw new Error(`The authentication ${acsTransactionId} keeps changing.`)
}
