import { type Recurrence, subscriptionStatus } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, oneOf, text } from '../storage/index.ts'
import type { Pause } from './periods.ts'

/** What a period of a subscription is paid for. */
export interface SubscribedItem {
  productId: string
  variantId: string
  priceId: string
  name: string
  quantity: number
  /** For one unit and one period, in minor units. */
  unitAmount: number
}

/** The item of a period and of those after it, until the next change. */
export interface ItemChange extends SubscribedItem {
  /** The number of the first period that has it. */
  period: number
}

/** The terms of a subscription. Once its order is paid, nothing of them changes but the pauses; items change beside them. */
export interface SubscriptionTerms extends Recurrence, SubscribedItem {
  storeId: string
  orderId: string
  paymentFlowId: string
  currency: string
  /** The price of the first period if it is not paid with the order, less the order's discounts. */
  firstAmount: number
  /** When it began, in Unix milliseconds. */
  startMs: number
  /** Days from each declined try of a renewal to the next. */
  retryDays: readonly number[]
  /** Its pauses; absent for none. */
  pauses?: readonly Pause[]
}

export const subscriptionsTable = defineTable('subscriptions', {
  account_id: text,
  id: text,
  store_id: text,
  customer_id: text,
  payment_instrument_id: text,
  status: oneOf([...subscriptionStatus.options, 'incomplete']),
  terms: json<SubscriptionTerms>(),
  /** By period, earliest first. */
  item_changes: json<readonly ItemChange[]>(),
  period: int,
  due_at: int,
  /** When the schedule tries again, while another card is to be charged before; `due_at` is for that one then. */
  scheduled_at: nullable(int),
  tries: int,
  refused_instrument_id: nullable(text),
  /** The network's id of the payment with which the buyer agreed to it, with the instrument that it has now. */
  network_transaction_id: nullable(text),
  renewal_payment_id: nullable(text),
  /** The usage reported for the current period. */
  usage_quantity: int,
  /** Equal for two subscriptions of which a customer may have one at a time; NULL where there may be several. */
  single_key: nullable(text),
  cancel_at_period_end: flag,
  canceled_at: nullable(int),
  /** Since when it is paused, and the status that it had. */
  paused_at: nullable(int),
  paused_status: nullable(oneOf(subscriptionStatus.options)),
  holder: nullable(text),
  lease_until: int,
  created_at: int,
  updated_at: int,
})

export const usageRecordsTable = defineTable('usage_records', {
  account_id: text,
  subscription_id: text,
  id: text,
  quantity: int,
  /** The number of the period that it is billed with. */
  period: int,
  occurred_at: int,
  created_at: int,
})
