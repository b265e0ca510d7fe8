import { type Order, type OrderLine, orderStatus } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, oneOf, text } from '../storage/index.ts'

/** An order's price and how it was computed. The lines' amounts, the shipping less its discount, and the tax sum to `amount`. */
export type OrderPrice = Pick<
  Order,
  | 'amount'
  | 'subtotal'
  | 'discountAmount'
  | 'shippingAmount'
  | 'shippingDiscount'
  | 'shippingOption'
  | 'taxAmount'
  | 'deferredAmount'
  | 'lines'
  | 'promotions'
  | 'hooks'
>

/** The details of an order's price. */
export type Pricing = Omit<OrderPrice, 'amount' | 'lines'>

export const ordersTable = defineTable('orders', {
  account_id: text,
  id: text,
  store_id: text,
  customer_id: text,
  status: oneOf(orderStatus.options),
  currency: text,
  amount: int,
  pricing: json<Pricing>(),
  lines: json<OrderLine[]>(),
  metadata: json<Order['metadata']>(),
  buyer: nullable(json<NonNullable<Order['buyer']>>()),
  is_preview: flag,
  revision: int,
  created_at: int,
  updated_at: int,
  paid_at: nullable(int),
})
