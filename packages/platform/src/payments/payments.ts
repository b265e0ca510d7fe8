import type { Contract } from '@tillwright/contract'
import { readPayment } from '../ledger/index.ts'
import type { Handlers } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import type { CardTries } from '../vault/index.ts'
import { takePayment } from './charge-payment.ts'
import { continuePayment } from './continue-payment.ts'
import { type Paying, preparePayment } from './prepare/index.ts'
import { withNextAction } from './record/index.ts'

/** Creates and continues payments, and reads them. */
export function payments(
  paying: Paying,
  cardTries: CardTries,
): Pick<Handlers<Contract['payments']>, 'create' | 'continue' | 'get'> {
  return {
    create: async ({ body }, context) =>
      takePayment(await preparePayment(body, context, { ...paying, page: null }), context, { ...paying, cardTries }),

    continue: ({ params: { paymentId } }, context) =>
      continuePayment(paymentId, context, { ...paying, cardTries, fault: context.fault }),

    async get({ params: { paymentId } }, { caller, services }) {
      const payment = await readPayment(paymentId, caller.accountId, services.db)
      if (payment === null) throw missing('payment', paymentId)
      return { body: withNextAction(payment, services) }
    },
  }
}
