import type { Contract, Payment } from '@tillwright/contract'
import { findPayments, readLedger, readPayment } from '../ledger/index.ts'
import { amountFilters, equalTo, findPaid, type ListTable, readList } from '../lists/index.ts'
import type { Handlers } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { withNextAction } from './record/index.ts'

/** Reads payments: one, or a list of them. */
export const paymentReads: Pick<Handlers<Contract['payments']>, 'get' | 'getLedger' | 'list'> = {
  async get({ params: { paymentId } }, { caller, services }) {
    const payment = await readPayment(paymentId, caller.accountId, services.db)
    if (payment === null) throw missing('payment', paymentId)
    return { body: withNextAction(payment, services) }
  },

  async getLedger({ params: { paymentId } }, { caller: { accountId }, services: { db } }) {
    const [payment, ledger] = await Promise.all([
      readPayment(paymentId, accountId, db),
      readLedger(paymentId, accountId, db),
    ])
    if (payment === null) throw missing('payment', paymentId)
    const lines = ledger.map(({ entry: entryId, ledgerAccount: account, booking, amount, createdAt }) => {
      return { entryId, booking, account, amount, createdAt }
    })
    const sum = lines.reduce((total, { amount }) => total + amount, 0)
    return { body: { paymentId, currency: payment.currency, sum, lines } }
  },

  async list({ query }, { caller: { accountId }, services }) {
    const { status, storeId, customerId, orderId, captured, q } = query
    const { db } = services
    const filters = [
      ...equalTo('order_id', orderId),
      ...equalTo('customer_id', customerId),
      ...equalTo('status', status),
      ...equalTo('store_id', storeId),
      ...(captured === undefined ? [] : [{ column: 'captured_amount', is: captured ? '>=' : '<', value: 1 } as const]),
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
  unindexed: { status: { has: (status) => status === 'processing', others: "status <> 'processing'" } },
  read: findPayments,
}
