import type { Contract } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Handlers } from '../call.ts'
import type { CardTries } from '../vault/card-tries.ts'
import { beginPayment } from './begin-payment.ts'
import { chargeAndSettle } from './charge-and-settle.ts'
import type { Charging } from './charge-card.ts'
import { countDecline } from './count-decline.ts'
import { readPayment } from './read-payment.ts'
import { declineUntried } from './settle-payment.ts'
import { preparePayment } from './start-payment.ts'

/** Payments, beside the public API. The charge happens between units: what is tried is on record before it is tried. */
export function payments(charging: Charging, cardTries: CardTries): Handlers<Contract['payments']> {
  return {
    async create({ body }, call) {
      const begun = await beginPayment(await preparePayment(body, call, charging), call)
      if ('blocked' in begun) return begun.blocked
      const { stopped, ...started } = begun.started
      if (stopped !== null) return declineUntried({ ...started, stopped }, call)
      const reply = await chargeAndSettle({ ...started, threeds: null }, { ...charging, fault: call.fault })
      await countDecline({ cardId: started.route.card.cardId, reply }, call, cardTries)
      return reply
    },

    async get({ params: { paymentId } }, { caller, parts }) {
      const payment = await readPayment(paymentId, caller.accountId, parts.db)
      if (payment === null) throw missing('payment', paymentId)
      return { body: payment }
    },
  }
}
