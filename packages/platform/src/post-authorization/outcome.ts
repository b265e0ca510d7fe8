import type { AppliedPromotion, Capture, FollowUpFailure, Payment, Refund } from '@tillwright/contract'
import { emit, type Emitter } from '../events/index.ts'
import {
  book,
  eventFacts,
  finishFollowUp,
  type FollowUp,
  movePayment,
  recordRefunded,
  releaseRefund,
  requireBalance,
} from '../ledger/index.ts'
import { moveOrder } from '../orders/index.ts'
import { takeMoney } from '../payments/index.ts'
import type { FollowUpOutcome } from '../processors/index.ts'
import { releaseUses } from '../promotions/index.ts'
import type { Reply, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { subscriptionsUnpaid } from '../subscriptions/index.ts'

/** A capture, refund or void that is on record, and its payment as it stands now. */
export interface UnderWay {
  followUp: FollowUp
  payment: Payment
  /** The promotions of the order. */
  applied: readonly AppliedPromotion[]
  processorId: string
}

/** Records what the processor did: the writes, and the answer for the caller. */
export function settleFollowUp(underWay: UnderWay, outcome: FollowUpOutcome, emitter: Emitter): Reply<Payment> {
  if (outcome.outcome === 'refused') return refused(underWay, outcome.reason, emitter)
  const { payment } = underWay
  const finish = finishFollowUp(underWay.followUp, outcome, { accountId: payment.accountId, nowMs: emitter.nowMs })
  switch (underWay.followUp.kind) {
    case 'capture':
      return captured(underWay, finish, emitter)
    case 'refund':
      return refunded(underWay, finish, emitter)
    case 'void':
      return voided(underWay, finish, emitter)
  }
}

function captured({ followUp, ...underWay }: UnderWay, finish: Write[], emitter: Emitter): Reply<Payment> {
  const { payment } = underWay
  const { id: captureId, amount } = followUp
  return {
    body: {
      ...touched(payment, 'succeeded', emitter),
      capturedAmount: amount,
      captures: payment.captures.map(succeededOf(followUp, emitter)),
    },
    writes: [...finish, ...takeMoney({ ...underWay, captureId, amount }, emitter)],
  }
}

function refunded({ followUp, payment }: UnderWay, finish: Write[], emitter: Emitter): Reply<Payment> {
  const { accountId, id: paymentId, orderId, status: from } = payment
  const { nowMs } = emitter
  const { id: refundId, amount: refundAmount } = followUp
  const refundedAmount = payment.refundedAmount + refundAmount
  const to = refundedAmount === payment.capturedAmount ? 'refunded' : 'partially_refunded'
  const { subject, paid, moved } = eventFacts(payment, to)
  const isWhole = to === 'refunded'
  return {
    body: {
      ...touched(payment, to, emitter),
      refundedAmount,
      refunds: payment.refunds.map(succeededOf(followUp, emitter)),
    },
    writes: [
      ...finish,
      recordRefunded(followUp, payment),
      movePayment({ accountId, paymentId, from, to, nowMs }),
      ...(isWhole ? [moveOrder({ accountId, orderId, from: 'paid', to: 'refunded', nowMs })] : []),
      book({ payment, entry: refundId, booking: 'refunded', amount: refundAmount }, nowMs),
      requireBalance(payment),
      ...emit(
        's_payment_refunded',
        { ...subject, properties: { ...moved, refundId, refundAmount, refundedAmount } },
        emitter,
      ),
      ...(isWhole
        ? emit('s_order_refunded', { ...subject, properties: { ...paid, amount: refundedAmount } }, emitter)
        : []),
    ],
  }
}

function voided({ payment, applied }: UnderWay, finish: Write[], emitter: Emitter): Reply<Payment> {
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
function refused({ followUp, payment }: UnderWay, failure: FollowUpFailure, emitter: Emitter): Reply<Payment> {
  const { accountId, id: paymentId } = payment
  const { kind } = followUp
  return {
    failure: refusal(kind, failure, paymentId),
    writes: [
      ...finishFollowUp(followUp, { failure }, { accountId, nowMs: emitter.nowMs }),
      ...(kind === 'refund' ? [releaseRefund(followUp, payment)] : []),
      ...refusedEvent(followUp, { payment, failure }, emitter),
    ],
  }
}

type Refusal = { payment: Payment; failure: FollowUpFailure }

function refusedEvent({ id, kind, amount }: FollowUp, { payment, failure }: Refusal, emitter: Emitter): Write[] {
  const { subject, moved } = eventFacts(payment, payment.status)
  const { refundedAmount } = payment
  switch (kind) {
    case 'capture':
      return emit('s_payment_capture_failed', { ...subject, properties: { ...moved, captureId: id, failure } }, emitter)
    case 'refund': {
      const properties = { ...moved, refundId: id, refundAmount: amount, refundedAmount, failure }
      return emit('s_payment_refund_failed', { ...subject, properties }, emitter)
    }
    case 'void':
      return emit('s_payment_void_failed', { ...subject, properties: { ...moved, failure } }, emitter)
  }
}

function refusal(kind: FollowUp['kind'], failure: FollowUpFailure, paymentId: string): ApiError {
  if (failure === 'unavailable') {
    const message = `The processor could not take the ${kind}, and nothing has changed; try again in a moment.`
    return new ApiError('upstream_failed', message, { paymentId })
  }
  if (failure === 'unsupported_amount') {
    const message = `The processor takes no such amount in this currency, and nothing has changed; send another one.`
    return new ApiError('amount_invalid', message, { paymentId, param: 'amount' })
  }
  const message = `The processor refused the ${kind} (${failure}), and nothing has changed; compare the payment with what the processor shows.`
  return new ApiError('state_conflict', message, { paymentId })
}

function touched(payment: Payment, status: Payment['status'], { nowMs }: Emitter): Payment {
  return { ...payment, status, updatedAt: new Date(nowMs).toISOString() }
}

/** Of a payment's captures or refunds, the one that has just succeeded. */
function succeededOf({ id }: FollowUp, { nowMs }: Emitter) {
  return <Moved extends Capture | Refund>(each: Moved): Moved =>
    each.id === id ? { ...each, status: 'succeeded', finishedAt: new Date(nowMs).toISOString() } : each
}
