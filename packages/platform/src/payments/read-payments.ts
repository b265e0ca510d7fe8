import type { Contract, Payment } from '@tillwright/contract'
import { findPayments, readPayment } from '../ledger/index.ts'
import { amountFilters, equalTo, findPaid, type ListTable, readList } from '../lists/index.ts'
import type { Handlers } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { withNextAction } from './record/index.ts'

/** Reads payments: one, or a list of them. */
export const paymentReads: Pick<Handlers<Contract['payments']>, 'get' | 'list'> = {
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

const paymentList: ListTable<Payment> = {
  table: 'payments',
  orderedBy: { id: 'pay' },
  indexed: ['order_id', 'customer_id', 'card_last4', 'amount', 'status', 'store_id'],
  unindexed: { status: 'processing' },
  read: findPayments,
}
