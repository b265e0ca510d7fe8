import type { Payment, Refund } from '@tillwright/contract'
import type { Parts, Write } from '../../call.ts'
import { emitterAt } from '../../events/emitter-at.ts'
import { emitterOf } from '../emitter-of.ts'
import type { FollowUp } from '../follow-ups/follow-up.ts'
import { beginFollowUp } from '../follow-ups/follow-up-writes.ts'
import { settleFollowUp } from '../follow-ups/settle-follow-up.ts'
import { promotionsOf } from '../orders/orders.ts'
import type { ReportedRefunds } from '../processors/processor-driver.ts'
import { readPayment } from '../read-payment.ts'
import { withoutErrors } from '../without-errors.ts'

type SyncParts = Pick<Parts, 'db' | 'clock' | 'randomness'>
type Reported = ReportedRefunds['refunds'][number]

/** What is said of money that somebody has given back at the processor itself. */
const REASON = 'Refunded at the processor.'

/** A payment whose refunds are looked at, and the processor that has made them. */
export interface Refunded {
  payment: Payment
  processorId: string
}

/**
 * Puts refunds on record that were made at the processor and not here. One is called here what the processor calls it, so
 * that it is recorded once.
 *
 * @returns Whether all are there. While a refund of ours is under way nothing is done: it may be the very one.
 */
export async function syncRefunds(
  reported: readonly Reported[],
  { payment, processorId }: Refunded,
  parts: SyncParts,
): Promise<boolean> {
  for (const refund of reported) {
    const current = await readPayment(payment.id, payment.accountId, parts.db)
    if (current === null || current.refunds.some(({ status }) => status === 'pending')) return false
    if (await isKnown(refund, current, parts)) continue
    const writes = await recordWrites(refund, { payment: current, processorId }, parts)
    const outcome = await parts.db.write(withoutErrors(writes))
    if (outcome.outcome === 'refused') return false
  }
  return true
}

async function isKnown({ reference }: Reported, { accountId, id }: Payment, { db }: SyncParts): Promise<boolean> {
  const rows = await db.read(
    'SELECT id FROM payment_follow_ups WHERE account_id = ? AND payment_id = ? AND (reference = ? OR id = ?)',
    [accountId, id, reference, reference],
  )
  return rows.length > 0
}

/** What a refund of ours takes two units for, with the processor asked between them, is one here. */
async function recordWrites(
  { reference, amount }: Reported,
  { payment, processorId }: Refunded,
  parts: SyncParts,
): Promise<readonly Write[]> {
  const emitter = emitterAt(payment.accountId, parts)
  const followUp: FollowUp = { id: reference, kind: 'refund', paymentId: payment.id, amount, reason: REASON }
  const createdAt = new Date(emitter.nowMs).toISOString()
  const pending: Refund = {
    id: reference,
    amount,
    reason: REASON,
    status: 'pending',
    failure: null,
    createdAt,
    finishedAt: null,
  }
  const applied = await promotionsOf(payment.orderId, payment.accountId, parts.db)
  const underWay = { followUp, payment: { ...payment, refunds: [...payment.refunds, pending] }, applied, processorId }
  const settled = settleFollowUp(underWay, { outcome: 'succeeded', reference }, emitterOf(payment, emitter))
  const begun = beginFollowUp(followUp, payment, { nowMs: emitter.nowMs, idempotencyKey: null })
  return [...begun, ...(settled.writes ?? [])]
}
