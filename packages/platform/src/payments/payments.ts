import type { Contract } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Handlers } from '../call.ts'
import type { CardTries } from '../vault/card-tries.ts'
import { continuePayment } from './continue-payment.ts'
import { readPayment } from './read-payment.ts'
import { withNextAction } from './require-authentication.ts'
import { preparePayment, type Paying } from './start-payment.ts'
import { takePayment } from './take-payment.ts'

/** Creates and continues payments, and reads them. */
export function payments(
  paying: Paying,
  cardTries: CardTries,
): Pick<Handlers<Contract['payments']>, 'create' | 'continue' | 'get'> {
  return {
    create: async ({ body }, call) =>
      takePayment(await preparePayment(body, call, { ...paying, page: null }), call, { ...paying, cardTries }),

    continue: ({ params: { paymentId } }, call) =>
      continuePayment(paymentId, call, { ...paying, cardTries, fault: call.fault }),

    async get({ params: { paymentId } }, { caller, parts }) {
      const payment = await readPayment(paymentId, caller.accountId, parts.db)
      if (payment === null) throw missing('payment', paymentId)
      return { body: withNextAction(payment, parts) }
    },
  }
}
