import type { AppliedPromotion, Order, OrderStatus } from '@tillwright/contract'
import { soldPrices } from '../catalog/index.ts'
import { paymentsTable, requireWay } from '../ledger/index.ts'
import { indexWords, metadataWords } from '../lists/index.ts'
import type { Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { among, type Database, pick, readByIds, type RowOf, rowReader } from '../storage/index.ts'
import { ordersTable, type Pricing } from './tables.ts'

/** Orders of the account with the ids of their payments, in any order. */
export async function findOrders(ids: readonly string[], accountId: string, db: Database): Promise<Order[]> {
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
  order: Omit<Order, 'status' | 'createdAt' | 'paidAt' | 'paymentIds' | 'revision' | 'updatedAt'>,
  nowMs: number,
): Write[] {
  const { accountId, id } = order
  const insert: Write = {
    sql: `INSERT INTO orders (account_id, id, store_id, customer_id, status, currency, amount, lines, metadata, pricing, created_at,
        updated_at, is_preview, buyer)
      VALUES (?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      nowMs,
      Number(order.isPreview),
      order.buyer && JSON.stringify(order.buyer),
    ],
  }
  const sold = order.isPreview ? [] : soldPrices(order.lines, accountId)
  return [insert, ...sold, ...indexWords({ accountId, resource: 'order', id }, [], metadataWords(order.metadata))]
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
  taxAmount,
  deferredAmount,
  promotions,
  hooks,
}: Pricing): Pricing {
  const shipping = { shippingAmount, shippingDiscount, shippingOption }
  return { subtotal, discountAmount, ...shipping, taxAmount, deferredAmount, promotions, hooks }
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
    revision: row.revision,
    updatedAt: new Date(row.updated_at).toISOString(),
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
  // The order of a payment whose refund was reversed was paid before.
  const isPaid = from === 'pending' && to === 'paid'
  return {
    sql: `UPDATE orders SET status = '${to}', updated_at = ?${isPaid ? ', paid_at = ?' : ''}
      WHERE account_id = ? AND id = ? AND status = ?`,
    params: [nowMs, ...(isPaid ? [nowMs] : []), accountId, orderId, from],
    expect: 1,
    onRefused: () =>
      new ApiError('state_conflict', `The order '${orderId}' is no longer ${from}; read it to see where it stands.`),
  }
}
