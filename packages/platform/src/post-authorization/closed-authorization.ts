import type { Payment } from '@tillwright/contract'
import { contentOf, recordNow, worker } from '../audit/index.ts'
import { type Emitter, emitterAt } from '../events/index.ts'
import { beginPostAuthorization, emitterOf, type PostAuthorization, withoutErrors } from '../ledger/index.ts'
import { queryAttempt } from '../payments/index.ts'
import type { Charging } from '../routing/index.ts'
import { capturedElsewhere, findAuthorisation } from './ask-processor.ts'
import { completePostAuthorization } from './outcome.ts'

/**
 * Ends an authorized payment whose authorization is closed at its processor, where nobody has asked for that here: its time was
 * over, or somebody has captured or voided it in the processor's dashboard. The capture or void is put on record as one that
 * has succeeded, in one transaction.
 *
 * @returns `false` where it is worth asking again: nothing is known, or another process has the payment in hand.
 */
export async function recordClosed(
  payment: Payment,
  charging: Pick<Charging, 'services' | 'driverOf'>,
): Promise<boolean> {
  const { services } = charging
  const found = await queryAttempt(payment, charging)
  if (found.outcome === 'unknown') return false
  const captured = capturedElsewhere(found, payment)
  if (captured === null) return true
  const { accountId, id: paymentId } = payment
  const emitter = emitterOf(payment, emitterAt(accountId, services))
  const closing = closedBy(captured, payment, emitter)
  const { processorId, reference } = await findAuthorisation(payment, services.db)
  const underWay = { postAuthorization: closing, payment, processorId, heldBy: services.cluster.self.id }
  const done = { outcome: 'succeeded', reference } as const
  const reply = await completePostAuthorization(underWay, done, { emitter, db: services.db })
  const change = {
    accountId,
    actor: worker('processor-events'),
    operation: `payments.${closing.kind}`,
    resource: { type: 'payment', id: paymentId },
    before: payment,
    after: contentOf(reply),
  }
  const begun = beginPostAuthorization(closing, payment, { nowMs: emitter.nowMs, idempotencyKey: null, services })
  const writes = [...begun, ...(reply.writes ?? []), ...recordNow(change, services)]
  return (await services.db.write(withoutErrors(writes))).outcome === 'committed'
}

/** The capture or void that has closed an authorization. */
function closedBy(captured: number, { id: paymentId }: Payment, { newId }: Emitter): PostAuthorization {
  const last = { paymentId, isFinal: true, reason: null }
  if (captured === 0) return { ...last, id: newId('void'), kind: 'void', amount: 0 }
  return { ...last, id: newId('cap'), kind: 'capture', amount: captured }
}
