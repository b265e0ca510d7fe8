import type { AppliedPromotion, Payment } from '@tillwright/contract'
import type { Write } from '../../call.ts'
import { emit, type Emitter } from '../../events/emit.ts'
import { countUses } from '../../promotions/promotion-usage.ts'
import { eventFacts } from '../event-facts.ts'
import { moveOrder } from './move-order.ts'
import { subscriptionsPaid } from '../subscriptions/settle-subscriptions.ts'

/** A payment that has succeeded, and the promotions of its order, of which a use each is set aside. */
export interface PaidBy {
  payment: Payment
  applied: readonly AppliedPromotion[]
  /** What was taken, in minor units of the payment's currency. */
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
