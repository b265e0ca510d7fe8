import type { Dispute, Payment } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Write } from '../../call.ts'
import { emit, type Emitter } from '../../events/emit.ts'
import { emitterOf } from '../emitter-of.ts'
import { disputeFacts } from './dispute-facts.ts'
import { insertDispute } from './dispute-records.ts'
import { book, requireBalance } from '../money/ledger.ts'

/** What a cardholder disputes, as the processor says it. */
export interface NewDispute extends Pick<Dispute, 'kind' | 'amount' | 'reason'> {
  /** What the processor calls it; `null` where it has no name for it. */
  reference: string | null
}

/** A dispute that begins, and the statements by which it does. */
export interface OpenedDispute {
  dispute: Dispute
  writes: Write[]
}

/**
 * Opens a dispute of a captured payment. What is disputed cannot be refunded any more; a chargeback's money is withheld,
 * an inquiry's is not.
 */
export function openDispute(payment: Payment, wanted: NewDispute, emitter: Emitter): OpenedDispute {
  const { accountId, id: paymentId, currency } = payment
  const { nowMs, newId } = emitter
  const { kind, amount, reason, reference } = wanted
  const createdAt = new Date(nowMs).toISOString()
  const what = { kind, reason, amount, currency, createdAt } as const
  const dispute: Dispute = { id: newId('dispute'), accountId, paymentId, status: 'open', ...what, closedAt: null }
  const withheld =
    kind === 'chargeback'
      ? [book({ payment, entry: dispute.id, booking: 'withheld', amount }, nowMs), requireBalance(payment)]
      : []
  return {
    dispute,
    writes: [
      setAside(payment, amount),
      insertDispute(dispute, reference, nowMs),
      ...withheld,
      ...emit('s_dispute_opened', disputeFacts(dispute, payment), emitterOf(payment, emitter)),
    ],
  }
}

function setAside({ accountId, id }: Payment, amount: number): Write {
  return {
    sql: `UPDATE payments SET disputed_amount = disputed_amount + ? WHERE account_id = ? AND id = ?
      AND status IN ('succeeded', 'partially_refunded') AND captured_amount - refund_reserved - disputed_amount >= ?`,
    params: [amount, accountId, id, amount],
    expect: 1,
    otherwise: () =>
      new ApiError(
        'state_conflict',
        `Of the payment '${id}' less is left than is to be disputed; read it and try again.`,
      ),
  }
}
