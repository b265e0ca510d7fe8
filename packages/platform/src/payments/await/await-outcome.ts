import type { Payment } from '@tillwright/contract'
import { emit, type Emitter } from '../../events/index.ts'
import { eventFacts, movePayment } from '../../ledger/index.ts'
import type { Reply, Write } from '../../request-context.ts'
import { type AttemptOutcome, lastAttempt, noteAwaited, withLastAttempt, withOutcome } from '../../routing/index.ts'

/** A processor's answer that leaves the outcome open until the buyer, or a bank, has acted. */
export type Awaited = Extract<AttemptOutcome, { outcome: 'redirect' | 'pending' }>

/** How long a processor is left alone before it is asked, in milliseconds; its own word comes sooner, as an event. */
const ASK_AGAIN_MS = { redirect: 5 * 60_000, pending: 60 * 60_000 } as const

/**
 * Has a payment wait for an outcome that its processor will tell: the writes, and the answer for the caller. One whose
 * buyer has to go elsewhere `requires_action`; one whose money is on its way is `processing`. Reservations for it, such
 * as stock and the uses of promotions, last until the outcome, or the time for it, is there.
 *
 * @param held.heldBy The process that must still hold the payment; any process unless given.
 */
export function awaitOutcome(
  payment: Payment,
  outcome: Awaited,
  { emitter, heldBy }: { emitter: Emitter; heldBy?: string | undefined },
): Reply<Payment> {
  const { accountId, id: paymentId, status: from } = payment
  const { nowMs } = emitter
  const attempt = withOutcome(lastAttempt(payment), outcome, nowMs)
  const to = outcome.outcome === 'redirect' ? 'requires_action' : 'processing'
  const { expiresAtMs } = outcome
  const waiting = {
    ...withLastAttempt(payment, attempt),
    ...shownWaiting(payment, outcome, nowMs),
    status: to,
  } as const
  const leaseUntilMs = nextAskMs(outcome, nowMs)
  const isMoved = from !== to
  const move = isMoved
    ? movePayment({ accountId, paymentId, from, to, leaseUntilMs, expiresAtMs, heldBy, nowMs })
    : goOn(payment, { leaseUntilMs, expiresAtMs, heldBy })
  return {
    body: waiting,
    writes: [
      move,
      ...(isMoved || payment.expiresAt === null
        ? [...noteMethod(waiting), noteAwaited(attempt, accountId, outcome), ...waitingEvent(waiting, emitter)]
        : []),
    ],
  }
}

/** When the processor is asked next: soon for a buyer who may be back, and in any case when the time is over. */
function nextAskMs({ outcome, expiresAtMs }: Awaited, nowMs: number): number {
  return Math.max(Math.min(nowMs + ASK_AGAIN_MS[outcome], expiresAtMs), nowMs + 60_000)
}

function shownWaiting(payment: Payment, outcome: Awaited, nowMs: number) {
  const times = { expiresAt: new Date(outcome.expiresAtMs).toISOString(), updatedAt: new Date(nowMs).toISOString() }
  if (outcome.outcome === 'redirect') {
    return { ...times, requireAction: 'redirect', nextAction: { type: 'redirect', url: outcome.url } } as const
  }
  const voucher = outcome.instructions ?? payment.paymentMethod.voucher
  const paymentMethod = { ...payment.paymentMethod, voucher }
  return { ...times, requireAction: 'none', nextAction: null, paymentMethod } as const
}

/** It waits on as before. */
function goOn(
  { accountId, id, status }: Payment,
  { leaseUntilMs, expiresAtMs, heldBy }: { leaseUntilMs: number; expiresAtMs: number; heldBy: string | undefined },
): Write {
  const held = heldBy === undefined ? '' : ' AND holder = ?'
  return {
    // The status is one of a dozen words of our own; as a parameter it would stand before the account.
    sql: `UPDATE payments SET lease_until = ?, expires_at = ? WHERE account_id = ? AND id = ? AND status = '${status}'${held}`,
    params: [leaseUntilMs, expiresAtMs, accountId, id, ...(heldBy === undefined ? [] : [heldBy])],
    expect: 1,
  }
}

function noteMethod({ accountId, id, paymentMethod, nextAction }: Payment): Write[] {
  const url = nextAction?.type === 'redirect' ? nextAction.url : null
  const method = paymentMethod.type === 'card' ? null : JSON.stringify(paymentMethod)
  const sql = 'UPDATE payments SET method = ?, redirect_url = ? WHERE account_id = ? AND id = ?'
  return [{ sql, params: [method, url, accountId, id] }]
}

function waitingEvent(payment: Payment, emitter: Emitter): Write[] {
  const { subject, moved } = eventFacts(payment, payment.status)
  const { requireAction } = payment
  if (payment.status === 'requires_action') {
    const properties = { ...moved, requireAction, sessionId: null }
    return emit('s_payment_action_required', { ...subject, properties }, emitter)
  }
  const { processorId } = lastAttempt(payment)
  return emit('s_payment_pending', { ...subject, properties: { ...moved, processorId } }, emitter)
}
