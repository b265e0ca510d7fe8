import type { AppliedPromotion, Payment } from '@tillwright/contract'
import { emit, type Emitter } from '../../events/index.ts'
import { book, eventFacts, movePayment, requireBalance } from '../../ledger/index.ts'
import { moveOrder } from '../../orders/index.ts'
import { countUses } from '../../promotions/index.ts'
import type { Write } from '../../request-context.ts'
import { subscriptionsPaid } from '../../subscriptions/index.ts'
import type { PreparedPayment } from '../prepare/index.ts'
import { type Starting, buildPayment } from '../record/index.ts'

/** Money that a processor has taken for a payment. */
export interface TakenMoney {
  /** As it was before. */
  payment: Payment
  /** The promotions of its order, of which a use each is set aside. */
  applied: readonly AppliedPromotion[]
  captureId: string
  /** In minor units of the payment's currency. */
  amount: number
  processorId: string
  /** The process that must still hold the payment; any process unless given. */
  heldBy?: string | undefined
}

/** The statements by which a payment has succeeded, and its order is paid. They begin with the payment's move. */
export function takeMoney(
  { payment, applied, captureId, amount, processorId, heldBy }: TakenMoney,
  emitter: Emitter,
): Write[] {
  const { accountId, id: paymentId } = payment
  const { nowMs } = emitter
  const captured = payment.capturedAmount + amount
  const taken = { before: payment.capturedAmount, amount }
  const { subject, moved } = eventFacts({ ...payment, amount: captured }, 'succeeded')
  return [
    movePayment({ accountId, paymentId, from: payment.status, to: 'succeeded', taken, heldBy, nowMs }),
    book({ payment, entry: captureId, booking: 'captured', amount }, nowMs),
    requireBalance(payment),
    ...emit('s_payment_succeeded', { ...subject, properties: { ...moved, processorId } }, emitter),
    ...orderPaid({ payment, applied, amount: captured }, emitter),
  ]
}

/** The statements by which a part of an authorized payment is taken, and the rest can still be. */
export function takePart(
  { payment, captureId, amount, processorId }: Omit<TakenMoney, 'applied'>,
  emitter: Emitter,
): Write[] {
  const { accountId, id: paymentId, status } = payment
  const { nowMs } = emitter
  const { subject, moved } = eventFacts(payment, status)
  const taken = { before: payment.capturedAmount, amount }
  const capturedAmount = payment.capturedAmount + amount
  const properties = { ...moved, captureId, captureAmount: amount, capturedAmount, processorId }
  return [
    movePayment({ accountId, paymentId, from: status, to: status, taken, nowMs }),
    book({ payment, entry: captureId, booking: 'captured', amount }, nowMs),
    requireBalance(payment),
    ...emit('s_payment_partially_captured', { ...subject, properties }, emitter),
  ]
}

/** The statements by which an authorized payment ends of which a part was taken, and the rest is given back. */
export function keepPart(
  { payment, applied, processorId }: Pick<TakenMoney, 'payment' | 'applied' | 'processorId'>,
  emitter: Emitter,
): Write[] {
  const { accountId, id: paymentId, capturedAmount: amount } = payment
  const { subject, moved } = eventFacts({ ...payment, amount }, 'succeeded')
  return [
    movePayment({ accountId, paymentId, from: payment.status, to: 'succeeded', nowMs: emitter.nowMs }),
    ...emit('s_payment_succeeded', { ...subject, properties: { ...moved, processorId } }, emitter),
    ...orderPaid({ payment, applied, amount }, emitter),
  ]
}

/** A payment that has succeeded, and the promotions of its order, of which a use each is set aside. */
export interface PaidBy {
  payment: Payment
  applied: readonly AppliedPromotion[]
  /** The amount taken, in minor units of the payment's currency. */
  amount: number
}

/** The statements by which an order is paid: with its promotions used, and its subscriptions begun or renewed. */
export function orderPaid({ payment, applied, amount }: PaidBy, emitter: Emitter): Write[] {
  const { accountId, orderId, currency } = payment
  const { subject, paid } = eventFacts({ ...payment, amount }, 'succeeded')
  return [
    moveOrder({ accountId, orderId, from: 'pending', to: 'paid', nowMs: emitter.nowMs }),
    ...countUses({ accountId, applied }),
    ...emit('s_order_paid', { ...subject, properties: paid }, emitter),
    ...applied.flatMap(({ promotionId, saving }) =>
      emit(
        's_promotion_applied',
        { ...subject, properties: { promotionId, orderId, amount: saving, currency } },
        emitter,
      ),
    ),
    ...subscriptionsPaid(payment, emitter),
  ]
}

/** The end of the order that a card was verified with: there is nothing to tell of it. */
export function orderDone({ accountId, orderId }: Payment, { nowMs }: Emitter): Write {
  return moveOrder({ accountId, orderId, from: 'pending', to: 'paid', nowMs })
}

/**
 * Pays an order that costs nothing, now or later, in one transaction: no processor is called, so that its payment has no attempt,
 * and its flow's abuse detection and 3-D Secure, which protect a charge, do not apply.
 */
export function payNothing(prepared: PreparedPayment, context: Starting): { body: Payment; writes: Write[] } {
  const { payment, applied, writes } = buildPayment(prepared, [], context)
  const { accountId, id: paymentId } = payment
  const { nowMs } = context
  const { subject, moved } = eventFacts(payment, 'succeeded')
  return {
    body: { ...payment, status: 'succeeded' },
    writes: [
      ...writes,
      movePayment({ accountId, paymentId, from: 'processing', to: 'succeeded', nowMs }),
      ...emit('s_payment_succeeded', { ...subject, properties: { ...moved, processorId: null } }, context),
      ...orderPaid({ payment, applied, amount: 0 }, context),
    ],
  }
}
