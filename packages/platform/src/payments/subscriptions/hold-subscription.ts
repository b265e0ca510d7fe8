import type { Payment, PaymentSubscription } from '@tillwright/contract'
import { firstPaidPeriod, periodOf } from './period-of.ts'
import type { RecurringPart } from './begin-subscriptions.ts'
import { isoTime, type SubscriptionRecord } from './subscription-record.ts'

/** A subscription whose period is over, and that is about to be paid. */
export type Renewal = SubscriptionRecord

/**
 * What the payment of a renewal does, and the statement that keeps every other payment away from the same period: a
 * subscription has one payment under way at most, and a period that was paid is never due again. It is refused when the
 * subscription has changed since it was read.
 */
export function holdSubscription(renewal: Renewal, payment: Pick<Payment, 'id' | 'accountId'>): RecurringPart {
  const hold = {
    sql: `UPDATE subscriptions SET renewal_payment_id = ? WHERE account_id = ? AND id = ?
      AND renewal_payment_id IS NULL AND period = ? AND tries = ? AND status = ?
      AND cancel_at_period_end = ? AND payment_instrument_id = ?`,
    params: [
      payment.id,
      payment.accountId,
      renewal.id,
      renewal.period,
      renewal.tries,
      renewal.status,
      Number(renewal.cancelAtPeriodEnd),
      renewal.paymentInstrumentId,
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
