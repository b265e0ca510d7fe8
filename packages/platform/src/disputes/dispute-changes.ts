import type { Dispute, EventProperties, Payment } from '@tillwright/contract'
import { emit, type Emitter, type EventSubject } from '../events/index.ts'
import { book, type Booking, emitterOf, holds, insertDispute, requireBalance, requireWay } from '../ledger/index.ts'
import type { Reply, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'

/** A dispute as the processor reports it. */
export interface NewDispute extends Pick<Dispute, 'kind' | 'amount' | 'reason' | 'respondBy'> {
  /** The processor's id of it; `null` where it has none. */
  reference: string | null
}

const untouched = { evidenceSubmittedAt: null, closedAt: null }

/** A dispute that begins, and the statements by which it does. */
export interface OpenedDispute {
  dispute: Dispute
  writes: Write[]
}

/**
 * Opens a dispute of a captured payment. The disputed amount cannot be refunded; a chargeback's money is withheld, an
 * inquiry's is not. It is what the bank says it is, also where the payment was refunded before or less is left of it.
 */
export function openDispute(payment: Payment, wanted: NewDispute, emitter: Emitter): OpenedDispute {
  const { dispute, writes } = recordOpen(payment, wanted, emitter)
  return { dispute, writes: [setAside(payment, wanted.amount), ...writes] }
}

/**
 * Records a dispute that had been won before it was reported. Nothing of the payment is set aside: its money is the
 * shop's again, and may have been refunded since.
 */
export function recordWon(payment: Payment, wanted: NewDispute, emitter: Emitter): Write[] {
  const { dispute, writes } = recordOpen(payment, wanted, emitter)
  return [...writes, ...recordClosed({ dispute, payment }, { to: 'won' }, emitter).writes]
}

function recordOpen(payment: Payment, wanted: NewDispute, emitter: Emitter): OpenedDispute {
  const { accountId, storeId, id: paymentId, orderId, customerId, currency } = payment
  const { nowMs, newId } = emitter
  const { kind, amount, reason, respondBy, reference } = wanted
  const createdAt = new Date(nowMs).toISOString()
  const what = { kind, reason, amount, currency, respondBy, createdAt } as const
  const refersTo = { accountId, storeId, paymentId, orderId, customerId }
  const dispute: Dispute = { id: newId('dispute'), ...refersTo, status: 'open', ...what, ...untouched }
  const withheld =
    kind === 'chargeback'
      ? [book({ payment, entry: dispute.id, booking: 'withheld', amount }, nowMs), requireBalance(payment)]
      : []
  return {
    dispute,
    writes: [
      insertDispute(dispute, { reference, nowMs }),
      ...withheld,
      ...emit('s_dispute_opened', disputeFacts(dispute, payment), emitterOf(payment, emitter)),
    ],
  }
}

function setAside({ accountId, id }: Payment, amount: number): Write {
  return {
    sql: `UPDATE payments SET disputed_amount = disputed_amount + ? WHERE account_id = ? AND id = ?
      AND captured_amount > 0`,
    params: [amount, accountId, id],
    expect: 1,
    onRefused: () => lessLeft(id),
  }
}

/** Changes nothing but what it guards: that as much of the payment is left as is disputed. */
export function requireLeft({ accountId, id }: Payment, amount: number): Write {
  return {
    sql: `UPDATE payments SET status = status WHERE account_id = ? AND id = ?
      AND status IN ('succeeded', 'partially_refunded') AND captured_amount - refund_reserved - disputed_amount >= ?`,
    params: [accountId, id, amount],
    expect: 1,
    onRefused: () => lessLeft(id),
  }
}

function lessLeft(paymentId: string): ApiError {
  const message = `The payment '${paymentId}' has less left than the amount to dispute; read it and try again.`
  return new ApiError('state_conflict', message)
}

/** A dispute that is decided, or becomes a chargeback, with its payment. */
interface Decided {
  dispute: Dispute
  payment: Payment
}

/** A decision, and what the bank takes by it if it is `lost`, at most what was disputed; all of that unless given. */
interface Decision {
  to: 'won' | 'lost'
  taken?: number | undefined
}

/**
 * Decides a dispute as the bank does, once or anew: a second chargeback takes what was won, an appeal gives back what was
 * lost. An amount won is the shop's again and may be refunded; one lost is gone.
 *
 * @throws {RangeError} When it was decided so already: a bug of the caller.
 */
export function closeDispute(decided: Decided, decision: Decision, emitter: Emitter): Reply<Dispute> {
  const { body, writes } = recordClosed(decided, decision, emitter)
  const { dispute, payment } = decided
  if (decision.to === 'won') return { body, writes: [...writes, giveFree(dispute, dispute.amount)] }
  if (dispute.status === 'won') return { body, writes: [...writes, setAside(payment, body.amount)] }
  const left = dispute.amount - body.amount
  return { body, writes: left === 0 ? writes : [...writes, giveFree(dispute, left)] }
}

function recordClosed(
  { dispute, payment }: Decided,
  { to, taken = dispute.amount }: Decision,
  emitter: Emitter,
): { body: Dispute; writes: Write[] } {
  const { nowMs } = emitter
  const { id: entry, closedAt: overturns } = dispute
  const amount = to === 'lost' ? Math.min(taken, dispute.amount) : dispute.amount
  // Later than the decision before, also where clocks differ: the time tells them apart.
  const closedMs = overturns === null ? nowMs : Math.max(nowMs, Date.parse(overturns) + 1)
  const closed: Dispute = { ...dispute, status: to, amount, closedAt: new Date(closedMs).toISOString() }
  const booking = bookingOf(dispute, to)
  const left = booking === 'charged_back' ? dispute.amount - amount : 0
  return {
    body: closed,
    writes: [
      moveDispute(dispute, { to, amount }, closedMs),
      ...(booking === null ? [] : [book({ payment, entry, booking, amount, overturns }, nowMs)]),
      ...(left === 0 ? [] : [book({ payment, entry, booking: 'released', amount: left, overturns }, nowMs)]),
      ...(booking === null ? [] : [requireBalance(payment)]),
      ...emit(`s_dispute_${to}`, disputeFacts(closed, payment), emitterOf(payment, emitter)),
    ],
  }
}

/** The money of an inquiry was never withheld: there is nothing to release. Nor is that of a dispute that was over. */
function bookingOf({ kind, status }: Dispute, to: 'won' | 'lost'): Booking | null {
  if (status !== 'open') return to === 'won' ? 'given_back' : 'taken_back'
  if (kind === 'chargeback') return to === 'won' ? 'released' : 'charged_back'
  return to === 'won' ? null : 'taken_back'
}

/** Evidence that has reached the bank: the writes, and the answer for the caller. */
export function noteEvidence({ dispute, payment }: Decided, emitter: Emitter): Reply<Dispute> {
  const { accountId, id } = dispute
  const noted: Dispute = { ...dispute, evidenceSubmittedAt: new Date(emitter.nowMs).toISOString() }
  return {
    body: noted,
    writes: [
      // It was sent, whatever the dispute's status is by now.
      {
        sql: 'UPDATE disputes SET evidence_at = ? WHERE account_id = ? AND id = ?',
        params: [emitter.nowMs, accountId, id],
      },
      ...emit('s_dispute_evidence_submitted', disputeFacts(noted, payment), emitterOf(payment, emitter)),
    ],
  }
}

/** The one statement that changes a dispute's status. Its guard is that nothing was decided since the dispute was read. */
function moveDispute(
  { accountId, id, status, closedAt }: Dispute,
  { to, amount }: Pick<Dispute, 'amount'> & Pick<Decision, 'to'>,
  closedMs: number,
): Write {
  requireWay('dispute', status, to)
  return {
    sql: `UPDATE disputes SET status = '${to}', amount = ?, closed_at = ?
      WHERE account_id = ? AND id = ? AND status = ? AND COALESCE(closed_at, 0) = ?`,
    params: [amount, closedMs, accountId, id, status, closedAt === null ? 0 : Date.parse(closedAt)],
    expect: 1,
    onRefused: () => new ApiError('state_conflict', `The dispute '${id}' was decided meanwhile; read it to see how.`),
  }
}

function giveFree({ accountId, paymentId }: Dispute, amount: number): Write {
  return {
    sql: `UPDATE payments SET disputed_amount = disputed_amount - ?
      WHERE account_id = ? AND id = ? AND disputed_amount >= ?`,
    params: [amount, accountId, paymentId, amount],
    expect: 1,
    onRefused: holds('reservation_kept', paymentId),
  }
}

/**
 * The statements by which an open inquiry becomes a chargeback, over as much or another amount: its money, which was only kept
 * from refunds, is withheld from now on. A second event reports it as opened, under the same id and as a chargeback.
 *
 * @param wanted.respondBy Until when the processor takes evidence from now on; `null` leaves what it said before.
 */
export function escalateDispute(
  { dispute, payment }: Decided,
  { amount, respondBy }: Pick<NewDispute, 'amount' | 'respondBy'>,
  emitter: Emitter,
): Write[] {
  const { accountId, id } = dispute
  const chargeback: Dispute = { ...dispute, kind: 'chargeback', amount, respondBy: respondBy ?? dispute.respondBy }
  return [
    {
      sql: `UPDATE disputes SET kind = 'chargeback', amount = ?, respond_by = ?
        WHERE account_id = ? AND id = ? AND kind = 'inquiry' AND status = 'open'`,
      params: [amount, chargeback.respondBy === null ? null : Date.parse(chargeback.respondBy), accountId, id],
      expect: 1,
    },
    ...(amount === dispute.amount ? [] : [setAside(payment, amount - dispute.amount)]),
    book({ payment, entry: id, booking: 'withheld', amount }, emitter.nowMs),
    requireBalance(payment),
    ...emit('s_dispute_opened', disputeFacts(chargeback, payment), emitterOf(payment, emitter)),
  ]
}

function disputeFacts(
  { id: disputeId, kind, status, reason, amount, currency, respondBy }: Dispute,
  { id: paymentId, orderId, storeId, customerId }: Payment,
): EventSubject & { properties: EventProperties<'s_dispute_opened'> } {
  const facts = { disputeId, orderId, paymentId, kind, status, reason, amount, currency, respondBy }
  return { storeId, customerId, properties: facts }
}
