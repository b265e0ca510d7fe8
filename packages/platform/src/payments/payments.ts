import type { Contract } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Handlers } from '../call.ts'
import { chargeCard, type Charging } from './charge-card.ts'
import { readPayment } from './read-payment.ts'
import { settlePayment } from './settle-payment.ts'
import { startPayment } from './start-payment.ts'

/** Payments, beside the public API. The charge happens between two units: what is tried is on record before it is tried. */
export function payments(charging: Charging): Handlers<Contract['payments']> {
  return {
    async create({ body }, call) {
      const { payment, applied, cardId, writes } = await startPayment(body, call)
      await call.begin(writes)
      const outcome = await chargeCard(payment, cardId, { ...charging, fault: call.fault })
      if (outcome.outcome === 'unknown') return { body: payment }
      return settlePayment({ payment, applied }, outcome, { ...call, nowMs: call.parts.clock.now() })
    },

    async get({ params: { paymentId } }, { caller, parts }) {
      const payment = await readPayment(paymentId, caller.accountId, parts.db)
      if (payment === null) throw missing('payment', paymentId)
      return { body: payment }
    },
  }
}
