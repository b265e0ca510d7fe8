import type { Contract } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Handlers } from '../call.ts'
import type { CardTries } from '../vault/card-tries.ts'
import { continuePayment } from './continue-payment.ts'
import { followUpPayment } from './follow-ups/follow-up-payment.ts'
import { readPayment } from './read-payment.ts'
import { withNextAction } from './require-authentication.ts'
import { preparePayment, type Paying } from './start-payment.ts'
import { takePayment } from './take-payment.ts'

/** Payments, beside the public API. */
export function payments(paying: Paying, cardTries: CardTries): Handlers<Contract['payments']> {
  return {
    create: async ({ body }, call) =>
      takePayment(await preparePayment(body, call, { ...paying, page: null }), call, { ...paying, cardTries }),

    continue: ({ params: { paymentId } }, call) =>
      continuePayment(paymentId, call, { ...paying, cardTries, fault: call.fault }),

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
