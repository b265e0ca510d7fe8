import type { AppliedPromotion, Contract, Order, OrderLine, OrderStatus } from '@tillwright/contract'
import { findStore } from '../catalog/index.ts'
import { requireWay } from '../ledger/index.ts'
import type { Handlers, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import type { Database, Row } from '../storage/index.ts'
import { type OrderPrice, plainPrice, priceOrder } from './price-order.ts'

/** Orders, beside the public API. */
export const orders: Handlers<Contract['orders']> = {
  async get({ params: { orderId } }, { caller, parts }) {
    const order = await findOrder(orderId, caller.accountId, parts.db)
    if (order === null) throw missing('order', orderId)
    return { body: order }
  },

  async quote({ body }, call) {
    const store = await findStore(body.storeId, call.caller.accountId, call.parts.db)
    if (store === null) throw missing('store', body.storeId, 'storeId')
    const { shipping: _, shippingOption: _1, ...price } = await priceOrder(body, call)
    return { body: { storeId: body.storeId, currency: body.currency, ...price } }
  },
}

/** An order of the account, or `null`. */
export async function findOrder(orderId: string, accountId: string, db: Database): Promise<Order | null> {
  const [row] = await db.read('SELECT * FROM orders WHERE account_id = ? AND id = ?', [accountId, orderId])
  return row === undefined ? null : toOrder(row)
}

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
  const [row] = await db.read('SELECT amount, pricing, is_preview FROM orders WHERE account_id = ? AND id = ?', [
    accountId,
    orderId,
  ])
  return row === undefined || row['is_preview'] === 1 ? [] : readPricing(row).promotions.applied
}

type Pricing = Omit<OrderPrice, 'amount' | 'lines'>

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

/**
 * Orders from before there were promotions have no pricing of their own, those from before subscriptions and shipping
 * options not all, and older ones do not know when their promotions were to end.
 */
function readPricing(row: Row): Pricing {
  const stored = row['pricing']
  if (stored == null) return pricingOf(plainPrice(Number(row['amount'])))
  const pricing: Pricing = { deferredAmount: 0, shippingOption: null, ...JSON.parse(String(stored)) } // written by `insertOrder` alone
  const { applied, leftOut } = pricing.promotions
  return {
    ...pricing,
    promotions: { applied: applied.map((each) => ({ ...each, endsAt: each.endsAt ?? null })), leftOut },
  }
}

/** A line from before there were promotions, or subscriptions, says nothing of them. */
function toLine(stored: OrderLine): OrderLine {
  return {
    ...stored,
    discountAmount: stored.discountAmount ?? 0,
    deferredAmount: stored.deferredAmount ?? 0,
    recurring: stored.recurring ?? null,
    promotionId: stored.promotionId ?? null,
  }
}

function toOrder(row: Row): Order {
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    storeId: String(row['store_id']),
    customerId: String(row['customer_id']),
    status: String(row['status']) as Order['status'], // written from this union alone
    currency: String(row['currency']),
    amount: Number(row['amount']),
    ...readPricing(row),
    lines: (JSON.parse(String(row['lines'])) as OrderLine[]).map(toLine), // written by `insertOrder` alone
    metadata: JSON.parse(String(row['metadata'])),
    isPreview: row['is_preview'] === 1,
    buyer: JSON.parse(String(row['buyer'] ?? 'null')),
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    paidAt: row['paid_at'] === null ? null : new Date(Number(row['paid_at'])).toISOString(),
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
 * The one statement that changes an order's status. Its guard is the status it leaves.
 *
 * @throws {RangeError} When the table of statuses has no such way: a bug of the caller.
 */
export function moveOrder({ accountId, orderId, from, to, nowMs }: OrderMove): Write {
  requireWay('order', from, to)
  const isPaid = to === 'paid'
  return {
    sql: `UPDATE orders SET status = '${to}'${isPaid ? ', paid_at = ?' : ''}
      WHERE account_id = ? AND id = ? AND status = ?`,
    params: [...(isPaid ? [nowMs] : []), accountId, orderId, from],
    expect: 1,
    otherwise: () =>
      new ApiError('state_conflict', `The order '${orderId}' is no longer ${from}; read it to see where it stands.`),
  }
}
