import type { Payment } from '@tillwright/contract'
import type { Write } from '../../call.ts'
import { movePayment } from '../move-payment.ts'
import { orderPaid } from './order-paid.ts'
import { startPayment, type Starting } from '../build-payment.ts'
import { type PreparedPayment } from '../start-payment.ts'

/**
 * Pays an order that costs nothing now, in one unit: nobody outside is asked, so that its payment has no attempt, and its
 * flow's abuse detection and 3-D Secure, which protect a charge, have nothing to do.
 */
export function payNothing(prepared: PreparedPayment, call: Starting): { body: Payment; writes: Write[] } {
  const { payment, applied, writes } = startPayment(prepared, [], call)
  const { accountId, id: paymentId } = payment
  const { nowMs } = call
  return {
    body: { ...payment, status: 'succeeded' },
    writes: [
      ...writes,
      movePayment({ accountId, paymentId, from: 'processing', to: 'succeeded', nowMs }),
      ...orderPaid({ payment, applied, amount: 0 }, call),
    ],
  }
}
