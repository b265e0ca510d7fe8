import type { Subscription, SubscriptionStatus } from '@tillwright/contract'
import { type Condition, type ListTable } from '../lists/index.ts'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { among, type Database, readByIds, type RowOf, rowReader } from '../storage/index.ts'
import { amountDue, endsUnpaid, termsOf } from './amount-due.ts'
import { periodOf } from './periods.ts'
import { type ItemChange, subscriptionsTable, type SubscriptionTerms } from './tables.ts'

/** A subscription as it is stored. Times are in Unix milliseconds. */
export interface SubscriptionRecord {
  id: string
  accountId: string
  customerId: string
  paymentInstrumentId: string
  /** `incomplete` until its order is paid; hidden from the API until then. */
  status: SubscriptionStatus | 'incomplete'
  /** Those of the current period. */
  terms: SubscriptionTerms
  /** Every change of the item, also those that have come into force; earliest first. */
  itemChanges: readonly ItemChange[]
  /** The number of the current period. */
  period: number
  /** When it is renewed, or tried again. */
  dueMs: number
  /** When its schedule tries again, while it is due earlier because another card was set; `null` otherwise. */
  scheduledMs: number | null
  /** How many tries to renew it were declined since it was paid last. */
  tries: number
  /** The instrument whose issuer has said that it will not pay, however often it is asked. */
  refusedInstrumentId: string | null
  /** The network's id of the payment that agreed to the subscription with its present instrument; `null` if unknown. */
  networkTransactionId: string | null
  /** The payment that is under way for it. */
  renewalPaymentId: string | null
  /** Equal for two subscriptions of which a customer may have one at a time; `null` where there may be several. */
  singleKey: string | null
  /** The usage reported for the current period; 0 unless billed by usage. */
  usageQuantity: number
  cancelAtPeriodEnd: boolean
  canceledMs: number | null
  /** Since when it is paused, and the status that it goes on with; `null` if it is not. */
  paused: { sinceMs: number; status: Exclude<SubscriptionStatus, 'paused' | 'canceled'> } | null
  createdMs: number
  updatedMs: number
}

/** A subscription of the account whose order was paid, or `null`. */
export async function findSubscription(
  id: string,
  accountId: string,
  db: Database,
): Promise<SubscriptionRecord | null> {
  const sql = `SELECT * FROM subscriptions WHERE account_id = ? AND id = ? AND status <> 'incomplete'`
  return readSubscriptions(await db.read(sql, [accountId, id])).map(fromRow)[0] ?? null
}

/** Subscriptions whose order is not paid yet, in any order. */
export async function findIncomplete(
  ids: readonly string[],
  accountId: string,
  db: Database,
): Promise<SubscriptionRecord[]> {
  const { sql, params } = among(ids)
  const select = `SELECT * FROM subscriptions WHERE account_id = ? AND id ${sql} AND status = 'incomplete'`
  return readSubscriptions(await db.read(select, [accountId, ...params])).map(fromRow)
}

/**
 * The subscription that a request names.
 *
 * @throws {ApiError} `resource_missing`.
 */
export async function knownSubscription(
  subscriptionId: string,
  { caller, services }: Pick<RequestContext, 'caller' | 'services'>,
): Promise<SubscriptionRecord> {
  const record = await findSubscription(subscriptionId, caller.accountId, services.db)
  if (record === null) throw missing('subscription', subscriptionId, 'subscriptionId')
  return record
}

const readSubscriptions = rowReader(subscriptionsTable)

/** Subscriptions as a list, to be filtered by `begun`. */
export const subscriptionList: ListTable<Subscription> = {
  table: 'subscriptions',
  orderedBy: { id: 'sub' },
  indexed: ['customer_id', 'status', 'store_id'],
  read: async (ids, accountId, db) =>
    (await readByIds(subscriptionsTable, { table: 'subscriptions', ids, accountId }, db)).map((row) =>
      toSubscription(fromRow(row)),
    ),
}

/** Subscriptions whose order was paid. */
export const begun: Condition = { column: 'status', is: 'not in', value: ['incomplete'] }

/** The statement that records a new subscription. */
export function insertSubscription(record: SubscriptionRecord): Write {
  return {
    sql: `INSERT INTO subscriptions (account_id, id, store_id, customer_id, payment_instrument_id, status, terms, item_changes, period, due_at,
        tries, cancel_at_period_end, lease_until, created_at, updated_at, single_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, '[]', ?, ?, 0, 0, 0, ?, ?, ?)`,
    params: [
      record.accountId,
      record.id,
      record.terms.storeId,
      record.customerId,
      record.paymentInstrumentId,
      record.status,
      JSON.stringify(record.terms),
      record.period,
      record.dueMs,
      record.createdMs,
      record.updatedMs,
      record.singleKey,
    ],
    ...(record.singleKey !== null && { onRefused: () => hasAnother(record) }),
  }
}

/** The error for a customer of a store that sells each one subscription at a time. */
export function hasAnother({ customerId }: Pick<SubscriptionRecord, 'customerId'>): ApiError {
  const message = `The customer '${customerId}' has a subscription already, or is paying for one, and the store sells one at a time; cancel that first.`
  return new ApiError('state_conflict', message, { param: 'lines' })
}

/** The error for a change that would meet a charge, or another change. */
export function underWay({ id }: SubscriptionRecord): ApiError {
  return new ApiError(
    'state_conflict',
    `The subscription '${id}' is being charged or has changed; read it, and try again.`,
  )
}

/** The subscription as the API shows it. */
export function toSubscription(record: SubscriptionRecord): Subscription {
  const { terms, status } = record
  const { startMs: _, firstAmount: _1, retryDays: _2, pauses: _3, ...shown } = terms
  const period = periodOf(terms, record.period)
  const isCharged = status !== 'canceled' && status !== 'paused'
  if (status === 'incomplete') throw new Error(`The subscription ${record.id} has not begun.`)
  return {
    id: record.id,
    accountId: record.accountId,
    customerId: record.customerId,
    paymentInstrumentId: record.paymentInstrumentId,
    ...shown,
    status,
    currentPeriodStart: isoTime(period.startMs),
    currentPeriodEnd: isoTime(period.endMs),
    nextPaymentAt: isCharged ? isoTime(record.dueMs) : null,
    nextPaymentAmount: isCharged ? nextAmount(record) : null,
    pendingChange: pendingChange(record),
    usageQuantity: terms.billingTiming === 'usage' ? record.usageQuantity : null,
    cancelAtPeriodEnd: record.cancelAtPeriodEnd,
    pausedAt: record.paused === null ? null : isoTime(record.paused.sinceMs),
    canceledAt: record.canceledMs === null ? null : isoTime(record.canceledMs),
    createdAt: isoTime(record.createdMs),
    updatedAt: isoTime(record.updatedMs),
  }
}

function nextAmount(record: SubscriptionRecord): number {
  return endsUnpaid(record) ? 0 : amountDue(record)
}

function pendingChange({ terms, itemChanges, period }: SubscriptionRecord): Subscription['pendingChange'] {
  const last = itemChanges.at(-1)
  if (last === undefined || last.period <= period) return null
  const { period: from, ...item } = last
  return { ...item, effectiveAt: isoTime(periodOf(terms, from).startMs) }
}

/** Unix milliseconds as the API writes them. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

function fromRow(row: RowOf<typeof subscriptionsTable>): SubscriptionRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    customerId: row.customer_id,
    paymentInstrumentId: row.payment_instrument_id,
    status: row.status,
    terms: termsOf(row.terms, row.item_changes, row.period),
    itemChanges: row.item_changes,
    period: row.period,
    dueMs: row.due_at,
    scheduledMs: row.scheduled_at,
    tries: row.tries,
    refusedInstrumentId: row.refused_instrument_id,
    networkTransactionId: row.network_transaction_id,
    renewalPaymentId: row.renewal_payment_id,
    singleKey: row.single_key,
    usageQuantity: row.usage_quantity,
    cancelAtPeriodEnd: row.cancel_at_period_end,
    canceledMs: row.canceled_at,
    paused: pausedOf(row),
    createdMs: row.created_at,
    updatedMs: row.updated_at,
  }
}

function pausedOf({ status, paused_at: sinceMs, paused_status: before }: RowOf<typeof subscriptionsTable>) {
  if (status !== 'paused' || sinceMs === null || before === null) return null
  return before === 'paused' || before === 'canceled' ? null : { sinceMs, status: before }
}

/**
 * The statement that counts the usage of a subscription's new period, of which some may have been reported before the
 * period began for the platform. It follows the one that begins the period, which keeps further records waiting.
 */
export function countUsage({ accountId, subscriptionId }: { accountId: string; subscriptionId: string }): Write {
  return {
    sql: `UPDATE subscriptions SET usage_quantity = (SELECT COALESCE(SUM(u.quantity), 0) FROM usage_records u
        WHERE u.account_id = ? AND u.subscription_id = ? AND u.period = subscriptions.period)
      WHERE account_id = ? AND id = ?`,
    params: [accountId, subscriptionId, accountId, subscriptionId],
  }
}
