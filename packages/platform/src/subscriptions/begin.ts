import { type OrderLine, type Payment, type PaymentSubscription, retryDaysOf, type Store } from '@tillwright/contract'
import type { Emitter } from '../events/index.ts'
import type { Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import type { Database } from '../storage/index.ts'
import { firstPaidPeriod, periodOf, retryAfterDays } from './periods.ts'
import { findIncomplete, hasAnother, insertSubscription, isoTime, type SubscriptionRecord } from './records.ts'
import type { SubscriptionTerms } from './tables.ts'

/** The subscriptions that a payment begins or renews, and the statements that record them. */
export interface RecurringPart {
  links: PaymentSubscription[]
  writes: Write[]
}

/** The order that a payment is for. */
export type BoughtWith = Pick<
  Payment,
  'accountId' | 'orderId' | 'storeId' | 'customerId' | 'paymentFlowId' | 'currency'
> & { paymentInstrumentId: string; selling: Selling | null }

/** How a store sells subscriptions. */
export interface Selling {
  /** Whether a customer may have several at once. */
  severalAtOnce: boolean
  /** Days from each declined try of a renewal to the next. */
  retryDays: readonly number[]
}

/** How a store sells subscriptions, by its settings. */
export function sellingOf(store: Pick<Store, 'multipleSubscriptionsPerCustomerEnabled' | 'rebillSettings'>): Selling {
  return { severalAtOnce: store.multipleSubscriptionsPerCustomerEnabled, retryDays: retryDaysOf(store) }
}

/** A customer who is about to buy. */
export interface Subscriber {
  accountId: string
  storeId: string
  customerId: string
  selling: Selling
}

/**
 * Refuses an order by which a customer would have several subscriptions, where the store sells one at a time.
 *
 * @throws {ApiError} `parameter_invalid` for several in one order, `state_conflict` for a customer who has one.
 */
export async function requireRoom(lines: readonly OrderLine[], subscriber: Subscriber, db: Database): Promise<void> {
  const recurring = lines.filter((line) => line.recurring !== null)
  if (subscriber.selling.severalAtOnce || recurring.length === 0) return
  if (recurring.length > 1) {
    const message = 'The store sells one subscription to a customer at a time; leave one recurring line.'
    throw new ApiError('parameter_invalid', message, { param: 'lines' })
  }
  // One that was sold before the store sold one at a time has no key; the key is for what is bought at the same moment.
  const sql = `SELECT 1 AS found FROM subscriptions WHERE account_id = ? AND customer_id = ? AND store_id = ?
    AND status <> 'canceled' LIMIT 1`
  const found = await db.read(sql, [subscriber.accountId, subscriber.customerId, subscriber.storeId])
  if (found.length > 0) throw hasAnother(subscriber)
}

function singleKeyOf({ storeId, customerId }: Pick<Subscriber, 'storeId' | 'customerId'>): string {
  return `${storeId} ${customerId}`
}

/** The subscriptions of an order's recurring lines, one a line. They begin when the order is paid. */
export function beginSubscriptions(lines: readonly OrderLine[], order: BoughtWith, emitter: Emitter): RecurringPart {
  const records = lines.flatMap((line) => recordOf(line, order, emitter))
  return { links: records.map(firstLink), writes: records.map(insertSubscription) }
}

function recordOf(
  line: OrderLine,
  { accountId, customerId, paymentInstrumentId, selling, ...order }: BoughtWith,
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
    retryDays: selling?.retryDays ?? [],
  }
  return [
    {
      id: newId('sub'),
      accountId,
      customerId,
      paymentInstrumentId,
      status: 'incomplete',
      terms,
      itemChanges: [],
      period: 0,
      dueMs: periodOf(terms, 0).endMs,
      scheduledMs: null,
      tries: 0,
      refusedInstrumentId: null,
      networkTransactionId: null,
      renewalPaymentId: null,
      singleKey: selling?.severalAtOnce === false ? singleKeyOf({ storeId, customerId }) : null,
      usageQuantity: 0,
      cancelAtPeriodEnd: false,
      canceledMs: null,
      paused: null,
      createdMs: nowMs,
      updatedMs: nowMs,
    },
  ]
}

/**
 * The subscriptions that an authorized payment begins now that it is captured: their periods and trials count from now,
 * not from the day when it was authorized.
 */
export async function beginLater(
  { accountId, subscriptions }: Pick<Payment, 'accountId' | 'subscriptions'>,
  { nowMs }: Emitter,
  db: Database,
): Promise<RecurringPart> {
  const ids = subscriptions.map(({ subscriptionId }) => subscriptionId)
  const records = (await findIncomplete(ids, accountId, db)).map((record) => ({
    ...record,
    terms: { ...record.terms, startMs: nowMs },
  }))
  const writes = records.map(({ id, terms, period }) => ({
    sql: `UPDATE subscriptions SET terms = ?, due_at = ? WHERE account_id = ? AND id = ? AND status = 'incomplete'`,
    params: [JSON.stringify(terms), periodOf(terms, period).endMs, accountId, id],
    expect: 1,
  }))
  const links = new Map(records.map((record) => [record.id, firstLink(record)]))
  return { links: subscriptions.map((link) => links.get(link.subscriptionId) ?? link), writes }
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
    retryAfterDays: null,
    requested: false,
  }
}

/** A subscription whose period is over, and that is about to be paid. */
export interface Renewal extends SubscriptionRecord {
  /** Whether the payment was requested; otherwise it is the schedule's. */
  isRequested: boolean
}

/**
 * The renewal's part of a payment, with the statement that keeps every other payment away from the same period: a
 * subscription has one payment under way at most, and a period that was paid is never due again. It is refused when the
 * subscription has changed since it was read.
 */
export function holdSubscription(renewal: Renewal, payment: Pick<Payment, 'id' | 'accountId'>): RecurringPart {
  const hold = {
    sql: `UPDATE subscriptions SET renewal_payment_id = ? WHERE account_id = ? AND id = ?
      AND renewal_payment_id IS NULL AND period = ? AND tries = ? AND status = ?
      AND cancel_at_period_end = ? AND payment_instrument_id = ? AND usage_quantity = ? AND item_changes = ?`,
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
      JSON.stringify(renewal.itemChanges),
    ],
    expect: 1,
    onRefused: () =>
      new ApiError(
        'state_conflict',
        `The subscription '${renewal.id}' is being charged or has changed; nothing was charged for this request. Read it again.`,
      ),
  }
  return { links: [renewal.cancelAtPeriodEnd ? lastLink(renewal) : renewalLink(renewal)], writes: [hold] }
}

function renewalLink({ id, terms, period, ...tried }: Renewal): PaymentSubscription {
  const next = period + 1
  const { startMs, endMs } = periodOf(terms, next)
  const times = { periodStart: isoTime(startMs), periodEnd: isoTime(endMs) }
  const status = next < firstPaidPeriod(terms) ? 'trialing' : 'active'
  return {
    subscriptionId: id,
    occasion: 'renewal',
    period: next,
    ...times,
    status,
    ...nextTry(terms, tried),
  }
}

/** A subscription paid in arrears owes its last period when it ends. */
function lastLink({ id, terms, period, ...tried }: Renewal): PaymentSubscription {
  const { startMs, endMs } = periodOf(terms, period)
  const times = { periodStart: isoTime(startMs), periodEnd: isoTime(endMs) }
  return {
    subscriptionId: id,
    occasion: 'last',
    period,
    ...times,
    status: 'canceled',
    ...nextTry(terms, tried),
  }
}

/** The next try after a decline; that of a requested payment leaves the schedule as it is. */
function nextTry(
  terms: SubscriptionTerms,
  { tries, isRequested }: Pick<Renewal, 'tries' | 'isRequested'>,
): Pick<PaymentSubscription, 'tries' | 'retryAfterDays' | 'requested'> {
  return { tries, retryAfterDays: isRequested ? null : retryAfterDays(terms, tries), requested: isRequested }
}
