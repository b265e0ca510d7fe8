import type { AcsTransaction } from './acs-transaction.ts'
import { changeTransaction, type Change } from './change-transaction.ts'
import { deliverResult, type Delivery } from './deliver-result.ts'

/**
 * Moves a challenge on. The result of one that ends by it has been sent when this resolves, so that a browser which
 * brings its end to the shop comes second; unless a fault has it otherwise.
 *
 * @returns How the challenge stands; `null` when the issuer has none of the id.
 */
export async function moveChallenge(
  acsTransactionId: string,
  change: Change,
  delivery: Delivery,
): Promise<AcsTransaction | null> {
  const changed = await changeTransaction(acsTransactionId, change, delivery.parts)
  if (changed === null) return null
  const { transaction, moved } = changed
  if (moved && transaction.delivery === 'sending') await deliverResult(transaction, delivery)
  return transaction
}
