import type {
  AppliedPromotion,
  Capture,
  OrderStatus,
  Payment,
  PaymentStatus,
  PostAuthorizationFailure,
  Refund,
} from '@tillwright/contract'
import { emit, type Emitter } from '../events/index.ts'
import {
  awaitPostAuthorization,
  book,
  eventFacts,
  finishPostAuthorization,
  type PostAuthorization,
  movePayment,
  recordRefunded,
  releaseRefund,
  requireBalance,
  statusByMoney,
} from '../ledger/index.ts'
import { moveOrder, promotionsOf } from '../orders/index.ts'
import { keepPart, takeMoney, takePart } from '../payments/index.ts'
import type { PostAuthorizationOutcome } from '../processors/index.ts'
import { releaseUses } from '../promotions/index.ts'
import type { Reply, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import type { Database } from '../storage/index.ts'
import { beginLater, subscriptionsUnpaid } from '../subscriptions/index.ts'

/** A capture, refund or void that is on record, and its payment as it stands now. */
export interface UnderWay {
  postAuthorization: PostAuthorization
  payment: Payment
  /** The promotions of the order. */
  applied: readonly AppliedPromotion[]
  processorId: string
  /** The process that must still hold it. */
  heldBy: string
}

/** Records what the processor did: the writes, and the response to the caller that requested it. */
export async function completePostAuthorization(
  { postAuthorization, payment: seen, processorId, heldBy }: Omit<UnderWay, 'applied'>,
  outcome: PostAuthorizationOutcome,
  { emitter, db }: { emitter: Emitter; db: Database },
): Promise<Reply<Payment>> {
  const { accountId, orderId } = seen
  const applied = await promotionsOf(orderId, accountId, db)
  const before = { postAuthorization, payment: seen, applied, processorId, heldBy }
  if (outcome.outcome === 'refused') {
    // What was on its way, and never told as done, has failed like any other.
    return refused(before, outcome.reason === 'reversed' ? 'wrong_state' : outcome.reason, emitter)
  }
  if (outcome.outcome === 'pending') return accepted(before, outcome, emitter)
  const { payment, writes } = await beginsNow(before, { emitter, db })
  const held = { accountId, nowMs: emitter.nowMs, heldBy }
  const finish = [...finishPostAuthorization(postAuthorization, outcome, held), ...writes]
  const underWay = { ...before, payment }
  switch (postAuthorization.kind) {
    case 'capture':
      return captured(underWay, finish, emitter)
    case 'refund':
      return refunded(underWay, finish, emitter)
    case 'void':
      return voided(underWay, finish, emitter)
  }
}

/** The payment with the subscriptions that it begins, if it pays its order now: their time counts from now on. */
async function beginsNow(
  { postAuthorization: { kind, isFinal }, payment }: UnderWay,
  { emitter, db }: { emitter: Emitter; db: Database },
): Promise<{ payment: Payment; writes: Write[] }> {
  const { accountId, id, subscriptions, capturedAmount } = payment
  const isPaid = kind === 'capture' ? isFinal : kind === 'void' && capturedAmount > 0
  if (!isPaid || subscriptions.length === 0) return { payment, writes: [] }
  const { links, writes } = await beginLater(payment, emitter, db)
  const note = {
    sql: 'UPDATE payments SET subscriptions = ? WHERE account_id = ? AND id = ?',
    params: [JSON.stringify(links), accountId, id],
  }
  return { payment: { ...payment, subscriptions: links }, writes: [...writes, note] }
}

/** The processor has not said yet what comes of it: it stays pending, and its money set aside. */
function accepted(
  { postAuthorization, payment, heldBy }: UnderWay,
  { reference }: { reference: string },
  { nowMs }: Emitter,
): Reply<Payment> {
  const { accountId } = payment
  return {
    body: payment,
    writes: awaitPostAuthorization(postAuthorization, { reference }, { accountId, nowMs, heldBy }),
  }
}

function captured(underWay: UnderWay, finish: Write[], emitter: Emitter): Reply<Payment> {
  const { postAuthorization, payment, applied, processorId } = underWay
  const { id: captureId, amount, isFinal } = postAuthorization
  const taken = { payment, applied, processorId, captureId, amount }
  return {
    body: {
      ...touched(payment, isFinal ? 'succeeded' : payment.status, emitter),
      capturedAmount: payment.capturedAmount + amount,
      captures: payment.captures.map(succeededOf(postAuthorization, emitter)),
    },
    // The capture is held by this process; the payment need not be: another one may have authorized it.
    writes: [...finish, ...(isFinal ? takeMoney(taken, emitter) : takePart(taken, emitter))],
  }
}

function refunded({ postAuthorization, payment }: UnderWay, finish: Write[], emitter: Emitter): Reply<Payment> {
  const { accountId, id: paymentId, capturedAmount, status: from } = payment
  const { nowMs } = emitter
  const { id: refundId, amount: refundAmount } = postAuthorization
  const refundedAmount = payment.refundedAmount + refundAmount
  const sums = { capturedAmount, refundedAmount }
  const to = statusByMoney(sums)
  const { subject, moved } = eventFacts(payment, to)
  return {
    body: {
      ...touched(payment, to, emitter),
      refundedAmount,
      refunds: payment.refunds.map(succeededOf(postAuthorization, emitter)),
    },
    writes: [
      ...finish,
      recordRefunded(postAuthorization, payment),
      movePayment({ accountId, paymentId, from, to, sums, nowMs }),
      book({ payment, entry: refundId, booking: 'refunded', amount: refundAmount }, nowMs),
      requireBalance(payment),
      ...emit(
        's_payment_refunded',
        { ...subject, properties: { ...moved, refundId, refundAmount, refundedAmount } },
        emitter,
      ),
      ...orderFollows({ ...payment, refundedAmount }, to, emitter),
    ],
  }
}

/** What the order of a captured payment is, by the status of that. */
const orderOf: Partial<Record<PaymentStatus, OrderStatus>> = {
  succeeded: 'paid',
  partially_refunded: 'paid',
  refunded: 'refunded',
  failed: 'canceled',
}

/**
 * The statements by which an order follows its payment, once its money has gone or has come back: none where the order
 * stays what it is, and none for money that came late, whose order was never paid.
 *
 * @param payment With the sums that it has then, and the status that it had.
 */
export function orderFollows(payment: Payment, to: PaymentStatus, emitter: Emitter): Write[] {
  const { accountId, orderId, refundedAmount } = payment
  const [before, after] = [orderOf[payment.status], orderOf[to]]
  if (before === undefined || after === undefined || before === after || payment.routing.paidLate) return []
  // What was given back stays given back, whatever becomes of its capture.
  if (before === 'canceled' || (before === 'refunded' && after === 'canceled')) return []
  const { subject, paid } = eventFacts(payment, to)
  return [
    moveOrder({ accountId, orderId, from: before, to: after, nowMs: emitter.nowMs }),
    ...(after === 'refunded'
      ? emit('s_order_refunded', { ...subject, properties: { ...paid, amount: refundedAmount } }, emitter)
      : []),
    ...(after === 'canceled' ? emit('s_order_canceled', { ...subject, properties: paid }, emitter) : []),
  ]
}

/** The part captured before the rest was given back stays the shop's, and pays the order. */
function voided({ payment, applied, processorId }: UnderWay, finish: Write[], emitter: Emitter): Reply<Payment> {
  if (payment.capturedAmount > 0) {
    const body = touched(payment, 'succeeded', emitter)
    return { body, writes: [...finish, ...keepPart({ payment, applied, processorId }, emitter)] }
  }
  const { accountId, id: paymentId, orderId, status: from } = payment
  const { nowMs } = emitter
  const { subject, paid, moved } = eventFacts(payment, 'canceled')
  return {
    body: touched(payment, 'canceled', emitter),
    writes: [
      ...finish,
      movePayment({ accountId, paymentId, from, to: 'canceled', nowMs }),
      moveOrder({ accountId, orderId, from: 'pending', to: 'canceled', nowMs }),
      ...releaseUses({ accountId, applied }),
      ...emit('s_payment_canceled', { ...subject, properties: moved }, emitter),
      ...emit('s_order_canceled', { ...subject, properties: paid }, emitter),
      ...subscriptionsUnpaid(payment, 'failed', emitter),
    ],
  }
}

/** A refusal has changed nothing, here or there: what was set aside is free again. */
function refused(
  { postAuthorization, payment, heldBy }: UnderWay,
  failure: PostAuthorizationFailure,
  emitter: Emitter,
): Reply<Payment> {
  const { accountId, id: paymentId } = payment
  const { kind } = postAuthorization
  return {
    failure: refusal(kind, failure, paymentId),
    writes: [
      ...finishPostAuthorization(postAuthorization, { failure }, { accountId, nowMs: emitter.nowMs, heldBy }),
      ...(kind === 'refund' ? [releaseRefund(postAuthorization, payment)] : []),
      ...failedEvent(postAuthorization, { payment, failure }, emitter),
    ],
  }
}

type Refusal = { payment: Payment; failure: PostAuthorizationFailure }

/** What is told of a capture, refund or void that has failed; `payment` as it is by then. */
export function failedEvent(
  { id, kind, amount }: PostAuthorization,
  { payment, failure }: Refusal,
  emitter: Emitter,
): Write[] {
  const { subject, moved } = eventFacts(payment, payment.status)
  const { capturedAmount, refundedAmount } = payment
  switch (kind) {
    case 'capture': {
      const properties = { ...moved, captureId: id, captureAmount: amount, capturedAmount, failure }
      return emit('s_payment_capture_failed', { ...subject, properties }, emitter)
    }
    case 'refund': {
      const properties = { ...moved, refundId: id, refundAmount: amount, refundedAmount, failure }
      return emit('s_payment_refund_failed', { ...subject, properties }, emitter)
    }
    case 'void':
      return emit('s_payment_void_failed', { ...subject, properties: { ...moved, failure } }, emitter)
  }
}

function refusal(kind: PostAuthorization['kind'], failure: PostAuthorizationFailure, paymentId: string): ApiError {
  if (failure === 'unavailable') {
    const message = `The processor could not take the ${kind}, and nothing has changed; try again in a moment.`
    return new ApiError('upstream_failed', message, { paymentId })
  }
  if (failure === 'unsupported_amount') {
    const message = `The processor does not accept this amount in this currency, and nothing has changed; send another amount.`
    return new ApiError('amount_invalid', message, { paymentId, param: 'amount' })
  }
  const message = `The processor refused the ${kind} (${failure}), and nothing has changed; compare the payment with what the processor shows.`
  return new ApiError('state_conflict', message, { paymentId })
}

function touched(payment: Payment, status: Payment['status'], { nowMs }: Emitter): Payment {
  return { ...payment, status, updatedAt: new Date(nowMs).toISOString() }
}

/** Marks the capture or refund of a payment that has just succeeded. */
function succeededOf({ id }: PostAuthorization, { nowMs }: Emitter) {
  return <Moved extends Capture | Refund>(each: Moved): Moved =>
    each.id === id ? { ...each, status: 'succeeded', finishedAt: new Date(nowMs).toISOString() } : each
}
