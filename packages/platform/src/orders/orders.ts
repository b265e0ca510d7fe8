import type { AppliedPromotion, Contract, Order, OrderStatus } from '@tillwright/contract'
import { findStore, requireCharged } from '../catalog/index.ts'
import { requireWay } from '../ledger/index.ts'
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

  async quote({ body }, context) {
    const store = await findStore(body.storeId, context.caller.accountId, context.services.db)
    if (store === null) throw missing('store', body.storeId, 'storeId')
    requireCharged(store, body.currency)
    const { shipping: _, shippingOption: _1, ...price } = await priceOrder(body, context)
    return { body: { storeId: body.storeId, currency: body.currency, ...price } }
  },
}

/** An order of the account, or `null`. */
export async function findOrder(orderId: string, accountId: string, db: Database): Promise<Order | null> {
  const [row] = readOrders(await db.read('SELECT * FROM orders WHERE account_id = ? AND id = ?', [accountId, orderId]))
  return row === undefined ? null : toOrder(row)
}

const readOrders = rowReader(ordersTable)

/** The statement that records a new, unpaid order. */
export function insertOrder(order: Omit<Order, 'status' | 'createdAt' | 'paidAt'>, nowMs: number): Write {
  return {
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

function toOrder(row: RowOf<typeof ordersTable>): Order {
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
