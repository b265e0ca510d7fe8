import { type Order, type OrderLine, orderStatus } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, oneOf, text } from '../storage/index.ts'
import type { OrderPrice } from './price-order.ts'

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
  created_at: int,
  paid_at: nullable(int),
})
