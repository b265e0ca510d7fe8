import type { Contract } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Handlers } from '../call.ts'
import type { CardTries } from '../vault/card-tries.ts'
import { beginPayment } from './begin-payment.ts'
import { chargeAndSettle } from './charge-and-settle.ts'
import { continuePayment } from './continue-payment.ts'
import { countDecline } from './count-decline.ts'
import { payNothing } from './pay-nothing.ts'
import { followUpPayment } from './follow-up-payment.ts'
import { readPayment } from './read-payment.ts'
import { PAYMENT_PROVIDER, withNextAction } from './require-authentication.ts'
import { declineUntried } from './settle-payment.ts'
import { preparePayment, type Paying } from './start-payment.ts'

/** Payments, beside the public API. The charge happens between units: what is tried is on record before it is tried. */
export function payments(paying: Paying, cardTries: CardTries): Handlers<Contract['payments']> {
  return {
    async create({ body }, call) {
      const prepared = await preparePayment(body, call, paying)
      if (prepared.next === null) return payNothing(prepared, call)
      const begun = await beginPayment(prepared, call)
      if ('blocked' in begun) return begun.blocked
      const { stopped, ...started } = begun.started
      if (stopped !== null) return declineUntried({ ...started, stopped }, call)
      const { payment, route } = started
      if (payment.status === 'requires_action') {
        paying.cvcs.move(route.card.codeId, payment.id)
        return { body: withNextAction(payment, call.parts), writes: begun.left }
      }
      const canAuthenticate = paying.threedsProviders[PAYMENT_PROVIDER] !== null
      const reply = await chargeAndSettle(
        { ...started, threeds: null, canAuthenticate },
        { ...paying, fault: call.fault },
      )
      await countDecline({ cardId: route.card.cardId, reply }, call, cardTries)
      return reply
    },

    continue: ({ params: { paymentId } }, call) => continuePayment(paymentId, call, { ...paying, fault: call.fault }),

    capture: ({ params: { paymentId }, body }, call) =>
      followUpPayment(paymentId, { kind: 'capture', ...body }, { call, charging: paying }),

    refund: ({ params: { paymentId }, body }, call) =>
      followUpPayment(paymentId, { kind: 'refund', ...body }, { call, charging: paying }),

    void: ({ params: { paymentId } }, call) => followUpPayment(paymentId, { kind: 'void' }, { call, charging: paying }),

    async get({ params: { paymentId } }, { caller, parts }) {
      const payment = await readPayment(paymentId, caller.accountId, parts.db)
      if (payment === null) throw missing('payment', paymentId)
      return { body: withNextAction(payment, parts) }
    },
  }
}
