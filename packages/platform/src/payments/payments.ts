import type { Contract } from '@tillwright/contract'
import { readPayment } from '../ledger/index.ts'
import type { Handlers } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import type { CardTries } from '../vault/index.ts'
import { continuePayment } from './continue-payment.ts'
import { type Paying, preparePayment } from './prepare/index.ts'
import { withNextAction } from './record/index.ts'
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

    async get({ params: { paymentId } }, { caller, services }) {
      const payment = await readPayment(paymentId, caller.accountId, services.db)
      if (payment === null) throw missing('payment', paymentId)
      return { body: withNextAction(payment, services) }
    },
  }
}
