import type { Payment } from '@tillwright/contract'
import type { Parts, Write } from '../../call.ts'
import { emitterAt } from '../../events/emitter-at.ts'
import { closeDispute } from '../disputes/close-dispute.ts'
import { escalateDispute } from '../disputes/escalate-dispute.ts'
import { findReportedDispute } from '../disputes/dispute-records.ts'
import { openDispute } from '../disputes/open-dispute.ts'
import type { ReportedDispute } from '../processors/processor-driver.ts'
import { withoutErrors } from '../without-errors.ts'

type SyncParts = Pick<Parts, 'db' | 'clock' | 'randomness'>

/** Opening, becoming a chargeback and being decided are three steps; one more for each that somebody else takes at the same time. */
const STEPS_MAX = 5

/**
 * Brings our dispute to where the processor has it: opens it, makes a chargeback of an inquiry, decides it, or leaves it. It does not matter in which
 * order, or how often, one is told of it.
 *
 * @returns Whether it is there. What cannot be opened yet, as when its payment is not settled, is worth trying again.
 */
export async function syncDispute(reported: ReportedDispute, payment: Payment, parts: SyncParts): Promise<boolean> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const writes = await nextStep(reported, payment, parts)
    if (writes === null) return true
    await parts.db.write(withoutErrors(writes))
  }
  return (await nextStep(reported, payment, parts)) === null
}

/** `null` when there is nothing left to do. */
async function nextStep(reported: ReportedDispute, payment: Payment, parts: SyncParts): Promise<Write[] | null> {
  const { accountId } = payment
  const emitter = emitterAt(accountId, parts)
  const dispute = await findReportedDispute(reported.reference, accountId, parts.db)
  const { kind, status } = reported
  if (dispute === null) return status === 'prevented' ? null : openDispute(payment, reported, emitter).writes
  if (dispute.status !== 'open') return null
  if (dispute.kind === 'inquiry' && kind === 'chargeback') return escalateDispute({ dispute, payment }, emitter)
  if (status === 'open') return null
  // Of one that was prevented nothing is withheld: what it was settled with comes as a refund.
  const decided = status === 'prevented' ? 'won' : status
  return [...(closeDispute({ dispute, payment }, decided, emitter).writes ?? [])]
}
