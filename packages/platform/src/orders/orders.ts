import type { Contract, Order } from '@tillwright/contract'
import { requireCharged, requireOpenStore } from '../catalog/index.ts'
import { changed, requireMetadata, updateRow } from '../changes/index.ts'
import { refuseErased } from '../customers/index.ts'
import { emit } from '../events/index.ts'
import {
  amountFilters,
  equalTo,
  findOrdered,
  type ListTable,
  metadataFilter,
  metadataWords,
  readList,
  replaceWords,
} from '../lists/index.ts'
import type { Handlers } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { findOrder, findOrders } from './order-records.ts'
import { priceOrder } from './price-order.ts'

/** Handlers of orders outside the public API. */
export const orders: Handlers<Contract['orders']> = {
  async get({ params: { orderId } }, { caller, services }) {
    const order = await findOrder(orderId, caller.accountId, services.db)
    if (order === null) throw missing('order', orderId)
    return { body: order }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { status, storeId, customerId, metadata, q } = query
    const filters = [
      ...metadataFilter(metadata),
      ...equalTo('customer_id', customerId),
      ...equalTo('status', status),
      ...equalTo('store_id', storeId),
      ...amountFilters(query),
    ]
    const anyOf = q === undefined ? null : await findOrdered(q, { table: 'orders', accountId, db })
    return { body: await readList(orderList, { accountId, query, filters, anyOf }, db) }
  },

  async update({ params: { orderId }, body }, context) {
    const { accountId } = context.caller
    const current = await findOrder(orderId, accountId, context.services.db)
    if (current === null) throw missing('order', orderId)
    const change = changed({ what: 'order', current, sent: body }, context)
    if (change === null) return { body: current }
    const { resource, fields } = change
    const { metadata, storeId, customerId, revision } = resource
    requireMetadata(metadata)
    const instead = 'their orders are not changed any more'
    const notErased = await refuseErased(customerId, { param: 'metadata', instead }, context)
    const set = { metadata: JSON.stringify(metadata), updated_at: context.nowMs }
    const [claim, replace] = updateRow('orders', set, { accountId, resource })
    const properties = { orderId, revision, changed: fields }
    return {
      body: resource,
      writes: [
        claim,
        notErased,
        replace,
        ...replaceWords({ accountId, resource: 'order', id: orderId }, [], metadataWords(metadata)),
        ...emit('s_order_updated', { storeId, customerId, properties }, context),
      ],
      change: { before: { id: orderId, metadata: current.metadata }, after: { id: orderId, metadata } },
    }
  },

  async quote({ body }, context) {
    const store = await requireOpenStore(body.storeId, context)
    requireCharged(store, body.currency)
    const { shipping: _, shippingOption: _1, hooks: _2, ...price } = await priceOrder(body, context)
    return { body: { storeId: body.storeId, currency: body.currency, ...price } }
  },
}

const orderList: ListTable<Order> = {
  table: 'orders',
  orderedBy: { id: 'order' },
  indexed: ['customer_id', 'amount', 'store_id'],
  read: findOrders,
}
