import type { Dispute, Payment } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { Reply, Write } from '../../call.ts'
import { emit, type Emitter } from '../../events/emit.ts'
import { emitterOf } from '../emitter-of.ts'
import { disputeFacts } from './dispute-facts.ts'
import { book, requireBalance, type Booking } from '../money/ledger.ts'
import { holds } from '../money/money-invariants.ts'
import { requireWay } from '../money/money-status.ts'

/** A dispute that is decided, or becomes a chargeback, with its payment. */
export interface Decided {
  dispute: Dispute
  payment: Payment
}

/**
 * Ends a dispute as the bank decides it. What was won belongs to the shop again and may be refunded; what was lost is gone.
 *
 * @throws {RangeError} When it is over already: a bug of the caller.
 */
export function closeDispute({ dispute, payment }: Decided, to: 'won' | 'lost', emitter: Emitter): Reply<Dispute> {
  const { nowMs } = emitter
  const closed: Dispute = { ...dispute, status: to, closedAt: new Date(nowMs).toISOString() }
  const { id: entry, amount } = dispute
  const booking = bookingOf(dispute, to)
  return {
    body: closed,
    writes: [
      moveDispute(dispute, to, nowMs),
      ...(to === 'won' ? [giveFree(dispute)] : []),
      ...(booking === null ? [] : [book({ payment, entry, booking, amount }, nowMs), requireBalance(payment)]),
      ...emit(`s_dispute_${to}`, disputeFacts(closed, payment), emitterOf(payment, emitter)),
    ],
  }
}

/** The money of an inquiry was never withheld: there is nothing to release. */
function bookingOf({ kind }: Dispute, to: 'won' | 'lost'): Booking | null {
  if (kind === 'chargeback') return to === 'won' ? 'released' : 'charged_back'
  return to === 'won' ? null : 'taken_back'
}

/** The one statement that changes a dispute's status. Its guard is that it is open. */
function moveDispute({ accountId, id, status }: Dispute, to: 'won' | 'lost', nowMs: number): Write {
  requireWay('dispute', status, to)
  return {
    sql: `UPDATE disputes SET status = '${to}', closed_at = ? WHERE account_id = ? AND id = ? AND status = ?`,
    params: [nowMs, accountId, id, status],
    expect: 1,
    otherwise: () => new ApiError('state_conflict', `The dispute '${id}' was decided meanwhile; read it to see how.`),
  }
}

function giveFree({ accountId, paymentId, amount }: Dispute): Write {
  return {
    sql: `UPDATE payments SET disputed_amount = disputed_amount - ?
      WHERE account_id = ? AND id = ? AND disputed_amount >= ?`,
    params: [amount, accountId, paymentId, amount],
    expect: 1,
    otherwise: holds('reservation_kept', paymentId),
  }
}
