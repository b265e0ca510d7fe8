import type { Contract, Payment } from '@tillwright/contract'
import { findPayments, readPayment } from '../ledger/index.ts'
import { amountFilters, equalTo, findPaid, type ListTable, readList } from '../lists/index.ts'
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
): Pick<Handlers<Contract['payments']>, 'create' | 'continue' | 'get' | 'list'> {
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

    async list({ query }, { caller: { accountId }, services }) {
      const { status, storeId, customerId, orderId, q } = query
      const { db } = services
      const filters = [
        ...equalTo('order_id', orderId),
        ...equalTo('customer_id', customerId),
        ...equalTo('status', status),
        ...equalTo('store_id', storeId),
        ...amountFilters(query),
      ]
      const anyOf = q === undefined ? null : await findPaid(q, { table: 'payments', accountId, db })
      const { data, ...page } = await readList(paymentList, { accountId, query, filters, anyOf }, db)
      return { body: { data: data.map((payment) => withNextAction(payment, services)), ...page } }
    },
  }
}

const paymentList: ListTable<Payment> = {
  table: 'payments',
  orderedBy: { id: 'pay' },
  indexed: ['order_id', 'customer_id', 'card_last4', 'amount', 'status', 'store_id'],
  read: findPayments,
}
