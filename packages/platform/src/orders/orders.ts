import type { AppliedPromotion, Contract, Order, OrderStatus } from '@tillwright/contract'
import { findStore, requireCharged } from '../catalog/index.ts'
import { paymentsTable, requireWay } from '../ledger/index.ts'
import {
  among,
  amountFilters,
  type Condition,
  equalTo,
  findByMetadata,
  findOrdered,
  indexWords,
  type ListTable,
  metadataWords,
  readByIds,
  readList,
} from '../lists/index.ts'
import type { Handlers, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, pick, type RowOf, rowReader } from '../storage/index.ts'
import { priceOrder } from './price-order.ts'
import { ordersTable, type Pricing } from './tables.ts'

/** Handlers of orders outside the public API. */
export const orders: Handlers<Contract['orders']> = {
  async get({ params: { orderId } }, { caller, services }) {
    const order = await findOrder(orderId, caller.accountId, services.db)
    if (order === null) throw missing('order', orderId)
    return { body: order }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { status, storeId, customerId, metadata, q } = query
    const withMetadata =
      metadata === undefined ? null : await findByMetadata(metadata, { accountId, resource: 'order', db })
    const filters: Condition[] = [
      ...(withMetadata === null ? [] : [{ column: 'id', is: 'in', value: withMetadata } as const]),
      ...equalTo('customer_id', customerId),
      ...equalTo('status', status),
      ...equalTo('store_id', storeId),
      ...amountFilters(query),
    ]
    const anyOf = q === undefined ? null : await findOrdered(q, { table: 'orders', accountId, db })
    return { body: await readList(orderList, { accountId, query, filters, anyOf }, db) }
  },

  async quote({ body }, context) {
    const store = await findStore(body.storeId, context.caller.accountId, context.services.db)
    if (store === null) throw missing('store', body.storeId, 'storeId')
    requireCharged(store, body.currency)
    const { shipping: _, shippingOption: _1, ...price } = await priceOrder(body, context)
    return { body: { storeId: body.storeId, currency: body.currency, ...price } }
  },
}

const orderList: ListTable<Order> = {
  table: 'orders',
  orderedBy: { id: 'order' },
  indexed: ['customer_id', 'amount', 'status', 'store_id'],
  read: findOrders,
}

/** Orders of the account with the ids of their payments, in any order. */
async function findOrders(ids: readonly string[], accountId: string, db: Database): Promise<Order[]> {
  const { sql, params } = among(ids)
  const ofOrders = `SELECT id, order_id FROM payments WHERE account_id = ? AND order_id ${sql} ORDER BY order_id, id`
  const [rows, payments] = await Promise.all([
    readByIds(ordersTable, { table: 'orders', ids, accountId }, db),
    db.read(ofOrders, [accountId, ...params]),
  ])
  const paymentsOf = Map.groupBy(readPaymentIds(payments), ({ order_id: id }) => id)
  return rows.map((row) =>
    toOrder(
      row,
      (paymentsOf.get(row.id) ?? []).map(({ id }) => id),
    ),
  )
}

const readPaymentIds = rowReader(pick(paymentsTable, 'id', 'order_id'))

/** An order of the account, or `null`. */
export async function findOrder(orderId: string, accountId: string, db: Database): Promise<Order | null> {
  const [order] = await findOrders([orderId], accountId, db)
  return order ?? null
}

/** The statements that record a new, unpaid order. */
export function insertOrder(
  order: Omit<Order, 'status' | 'createdAt' | 'paidAt' | 'paymentIds'>,
  nowMs: number,
): Write[] {
  const { accountId, id } = order
  const insert: Write = {
    sql: `INSERT INTO orders (account_id, id, store_id, customer_id, status, currency, amount, lines, metadata, pricing, created_at,
        is_preview, buyer)
      VALUES (?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      order.accountId,
      order.id,
      order.storeId,
      order.customerId,
      order.currency,
      order.amount,
      JSON.stringify(order.lines),
      JSON.stringify(order.metadata),
      JSON.stringify(pricingOf(order)),
      nowMs,
      Number(order.isPreview),
      order.buyer && JSON.stringify(order.buyer),
    ],
  }
  return [insert, ...indexWords({ accountId, resource: 'order', id }, [], metadataWords(order.metadata))]
}

/** The promotions that an order was priced with, of which it holds a use each: a preview holds none. */
export async function promotionsOf(orderId: string, accountId: string, db: Database): Promise<AppliedPromotion[]> {
  const sql = 'SELECT pricing, is_preview FROM orders WHERE account_id = ? AND id = ?'
  const [row] = readPrices(await db.read(sql, [accountId, orderId]))
  return row === undefined || row.is_preview ? [] : row.pricing.promotions.applied
}

const readPrices = rowReader(pick(ordersTable, 'pricing', 'is_preview'))

function pricingOf({
  subtotal,
  discountAmount,
  shippingAmount,
  shippingDiscount,
  shippingOption,
  deferredAmount,
  promotions,
}: Pricing): Pricing {
  return { subtotal, discountAmount, shippingAmount, shippingDiscount, shippingOption, deferredAmount, promotions }
}

function toOrder(row: RowOf<typeof ordersTable>, paymentIds: string[]): Order {
  return {
    id: row.id,
    accountId: row.account_id,
    storeId: row.store_id,
    customerId: row.customer_id,
    status: row.status,
    currency: row.currency,
    amount: row.amount,
    ...row.pricing,
    lines: row.lines,
    metadata: row.metadata,
    isPreview: row.is_preview,
    paymentIds,
    buyer: row.buyer,
    createdAt: new Date(row.created_at).toISOString(),
    paidAt: row.paid_at === null ? null : new Date(row.paid_at).toISOString(),
  }
}

/** An order's change of status. */
export interface OrderMove {
  accountId: string
  orderId: string
  from: OrderStatus
  to: OrderStatus
  nowMs: number
}

/**
 * The only statement that changes an order's status. Guarded by the previous status.
 *
 * @throws {RangeError} If the table of statuses has no such transition: a bug in the caller.
 */
export function moveOrder({ accountId, orderId, from, to, nowMs }: OrderMove): Write {
  requireWay('order', from, to)
  const isPaid = to === 'paid'
  return {
    sql: `UPDATE orders SET status = '${to}'${isPaid ? ', paid_at = ?' : ''}
      WHERE account_id = ? AND id = ? AND status = ?`,
    params: [...(isPaid ? [nowMs] : []), accountId, orderId, from],
    expect: 1,
    onRefused: () =>
      new ApiError('state_conflict', `The order '${orderId}' is no longer ${from}; read it to see where it stands.`),
  }
}
