import type { OrderLine, Payment, PaymentSubscription } from '@tillwright/contract'
import type { Emitter } from '../events/index.ts'
import type { Write } from '../request-context.ts'
import { firstPaidPeriod, periodOf } from './periods.ts'
import { insertSubscription, isoTime, type SubscriptionRecord } from './records.ts'
import type { SubscriptionTerms } from './tables.ts'

/** The subscriptions that a payment begins or renews, and the statements that record them. */
export interface RecurringPart {
  links: PaymentSubscription[]
  writes: Write[]
}

/** The order that a payment is for. */
export type BoughtWith = Pick<
  Payment,
  'accountId' | 'orderId' | 'storeId' | 'customerId' | 'paymentInstrumentId' | 'paymentFlowId' | 'currency'
>

/** The subscriptions of an order's recurring lines, one a line. They begin when the order is paid. */
export function beginSubscriptions(lines: readonly OrderLine[], order: BoughtWith, emitter: Emitter): RecurringPart {
  const records = lines.flatMap((line) => recordOf(line, order, emitter))
  return { links: records.map(firstLink), writes: records.map(insertSubscription) }
}

function recordOf(
  line: OrderLine,
  { accountId, customerId, paymentInstrumentId, ...order }: BoughtWith,
  { nowMs, newId }: Emitter,
): SubscriptionRecord[] {
  if (line.recurring === null) return []
  const { storeId, orderId, paymentFlowId, currency } = order
  const { productId, variantId, priceId, name, quantity, unitAmount, deferredAmount: firstAmount } = line
  const bought = { productId, variantId, priceId, name, quantity, unitAmount, firstAmount }
  const terms: SubscriptionTerms = {
    ...line.recurring,
    ...bought,
    storeId,
    orderId,
    paymentFlowId,
    currency,
    startMs: nowMs,
  }
  return [
    {
      id: newId('sub'),
      accountId,
      customerId,
      paymentInstrumentId,
      status: 'incomplete',
      terms,
      period: 0,
      dueMs: periodOf(terms, 0).endMs,
      tries: 0,
      refusedInstrumentId: null,
      renewalPaymentId: null,
      usageQuantity: 0,
      cancelAtPeriodEnd: false,
      canceledMs: null,
      createdMs: nowMs,
      updatedMs: nowMs,
    },
  ]
}

function firstLink({ id, terms, period, tries }: SubscriptionRecord): PaymentSubscription {
  const { startMs, endMs } = periodOf(terms, period)
  return {
    subscriptionId: id,
    occasion: 'first',
    period,
    periodStart: isoTime(startMs),
    periodEnd: isoTime(endMs),
    status: terms.trialDays > 0 ? 'trialing' : 'active',
    tries,
  }
}

/** A subscription whose period is over, and that is about to be paid. */
export type Renewal = SubscriptionRecord

/**
 * The renewal's part of a payment, with the statement that keeps every other payment away from the same period: a
 * subscription has one payment under way at most, and a period that was paid is never due again. It is refused when the
 * subscription has changed since it was read.
 */
export function holdSubscription(renewal: Renewal, payment: Pick<Payment, 'id' | 'accountId'>): RecurringPart {
  const hold = {
    sql: `UPDATE subscriptions SET renewal_payment_id = ? WHERE account_id = ? AND id = ?
      AND renewal_payment_id IS NULL AND period = ? AND tries = ? AND status = ?
      AND cancel_at_period_end = ? AND payment_instrument_id = ? AND usage_quantity = ?`,
    params: [
      payment.id,
      payment.accountId,
      renewal.id,
      renewal.period,
      renewal.tries,
      renewal.status,
      Number(renewal.cancelAtPeriodEnd),
      renewal.paymentInstrumentId,
      renewal.usageQuantity,
    ],
    expect: 1,
  }
  return { links: [renewal.cancelAtPeriodEnd ? lastLink(renewal) : renewalLink(renewal)], writes: [hold] }
}

function renewalLink({ id, terms, period, tries }: Renewal): PaymentSubscription {
  const next = period + 1
  const { startMs, endMs } = periodOf(terms, next)
  const times = { periodStart: isoTime(startMs), periodEnd: isoTime(endMs) }
  const status = next < firstPaidPeriod(terms) ? 'trialing' : 'active'
  return { subscriptionId: id, occasion: 'renewal', period: next, ...times, status, tries }
}

/** One that is paid in arrears owes its last period when it ends. */
function lastLink({ id, terms, period, tries }: Renewal): PaymentSubscription {
  const { startMs, endMs } = periodOf(terms, period)
  const times = { periodStart: isoTime(startMs), periodEnd: isoTime(endMs) }
  return { subscriptionId: id, occasion: 'last', period, ...times, status: 'canceled', tries }
}
