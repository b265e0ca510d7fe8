import type { AppliedPromotion, Payment } from '@tillwright/contract'
import type { Write } from '../../call.ts'
import { emit, type Emitter } from '../../events/emit.ts'
import { eventFacts } from '../event-facts.ts'
import { book, requireBalance } from './ledger.ts'
import { holds } from './money-invariants.ts'
import { movePayment } from '../move-payment.ts'
import { orderPaid } from '../orders/order-paid.ts'

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
}

/** The statements by which a payment has succeeded, and its order is paid. They begin with the payment's move. */
export function takeMoney({ payment, applied, captureId, amount, processorId }: TakenMoney, emitter: Emitter): Write[] {
  const { accountId, id: paymentId } = payment
  const { nowMs } = emitter
  const { subject, moved } = eventFacts({ ...payment, amount }, 'succeeded')
  return [
    movePayment({ accountId, paymentId, from: payment.status, to: 'succeeded', nowMs }),
    recordCaptured(payment, amount),
    book({ payment, entry: captureId, booking: 'captured', amount }, nowMs),
    requireBalance(payment),
    ...emit('s_payment_succeeded', { ...subject, properties: { ...moved, processorId } }, emitter),
    ...orderPaid({ payment, applied, amount }, emitter),
  ]
}

function recordCaptured({ accountId, id }: Payment, amount: number): Write {
  return {
    sql: `UPDATE payments SET captured_amount = ?
      WHERE account_id = ? AND id = ? AND captured_amount = 0 AND amount >= ?`,
    params: [amount, accountId, id, amount],
    expect: 1,
    otherwise: holds('capture_within_authorisation', id),
  }
}
