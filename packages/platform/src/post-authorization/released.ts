import type { Payment } from '@tillwright/contract'
import { contentOf, recordNow, worker } from '../audit/index.ts'
import { emitterAt } from '../events/index.ts'
import { beginPostAuthorization, emitterOf, type PostAuthorization, withoutErrors } from '../ledger/index.ts'
import { queryAttempt } from '../payments/index.ts'
import type { Charging } from '../routing/index.ts'
import { findAuthorisation } from './ask-processor.ts'
import { completePostAuthorization } from './outcome.ts'

/**
 * Ends an authorized payment whose authorization its processor has released by itself: its time was over, or somebody has
 * voided it in the processor's dashboard. It is put on record as a void that has succeeded, in one transaction.
 *
 * @returns `false` where it is worth asking again: nothing is known, or another process has the payment in hand.
 */
export async function recordReleased(
  payment: Payment,
  charging: Pick<Charging, 'services' | 'driverOf'>,
): Promise<boolean> {
  const { services } = charging
  const outcome = await queryAttempt(payment, charging)
  if (outcome.outcome === 'unknown') return false
  const isClosed = outcome.outcome === 'succeeded' && payment.capturedAmount > 0
  if (outcome.outcome !== 'refused_before_acceptance' && !isClosed) return true
  const { accountId, id: paymentId } = payment
  const emitter = emitterOf(payment, emitterAt(accountId, services))
  const { processorId, reference } = await findAuthorisation(payment, services.db)
  const released: PostAuthorization = {
    id: emitter.newId('void'),
    kind: 'void',
    paymentId,
    amount: 0,
    isFinal: true,
    reason: null,
  }
  const underWay = { postAuthorization: released, payment, processorId, heldBy: services.cluster.self.id }
  const done = { outcome: 'succeeded', reference } as const
  const reply = await completePostAuthorization(underWay, done, { emitter, db: services.db })
  const change = {
    accountId,
    actor: worker('processor-events'),
    operation: 'payments.void',
    resource: { type: 'payment', id: paymentId },
    before: payment,
    after: contentOf(reply),
  }
  const begun = beginPostAuthorization(released, payment, { nowMs: emitter.nowMs, idempotencyKey: null, services })
  const writes = [...begun, ...(reply.writes ?? []), ...recordNow(change, services)]
  return (await services.db.write(withoutErrors(writes))).outcome === 'committed'
}
