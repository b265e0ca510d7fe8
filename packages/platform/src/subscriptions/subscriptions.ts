import type { Contract, Subscription } from '@tillwright/contract'
import { findInstrument } from '../customers/index.ts'
import { emit, type Emitter } from '../events/index.ts'
import { type Condition, equalTo, findOfCustomers, readList } from '../lists/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { endsUnpaid } from './amount-due.ts'
import { changeItem, writeItemChanges } from './change-item.ts'
import { pauses } from './pauses.ts'
import { periodOf, retryAfterDays } from './periods.ts'
import {
  begun,
  knownSubscription,
  subscriptionList,
  type SubscriptionRecord,
  toSubscription,
  underWay,
} from './records.ts'
import { usageRecords } from './usage.ts'

/**
 * Subscriptions, in addition to the public API. They begin with a payment and are renewed by a worker; their renewals, which
 * charge cards, have `retry`, and the page of an unpaid one its link.
 */
export const subscriptions: Omit<Handlers<Contract['subscriptions']>, 'retry' | 'createRecoveryLink'> = {
  ...usageRecords,
  ...pauses,

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { status, storeId, customerId, cancelAtPeriodEnd, q } = query
    const filters = [
      ...equalTo('customer_id', customerId),
      ...equalTo('store_id', storeId),
      ...equalTo('cancel_at_period_end', cancelAtPeriodEnd),
      ...chargedBetween(query),
      ...(status === undefined ? [begun] : equalTo('status', status)),
    ]
    const anyOf = q === undefined ? null : await findOfCustomers(q, { table: 'subscriptions', accountId, db })
    return { body: await readList(subscriptionList, { accountId, query, filters, anyOf }, db) }
  },

  async get({ params: { subscriptionId } }, context) {
    return { body: toSubscription(await knownSubscription(subscriptionId, context)) }
  },

  async cancel({ params: { subscriptionId }, body: { atPeriodEnd } }, context) {
    const record = await knownSubscription(subscriptionId, context)
    requireAlive(record)
    const change = { before: toSubscription(record) }
    const updatedMs = context.nowMs
    if (atPeriodEnd && !endsAtOnce(record, context)) {
      const ending: SubscriptionRecord = { ...record, cancelAtPeriodEnd: true, updatedMs }
      const events = record.cancelAtPeriodEnd ? [] : changeEvent(ending, ['cancelAtPeriodEnd'], context)
      return { body: toSubscription(ending), writes: [endWithPeriod(record, context), ...events], change }
    }
    const canceled: SubscriptionRecord = {
      ...record,
      status: 'canceled',
      canceledMs: context.nowMs,
      paused: null,
      updatedMs,
    }
    const [end, ...events] = cancelAtEnd(record, context)
    const writes = end === undefined ? events : [{ ...end, onRefused: () => underWay(record) }, ...events]
    return { body: toSubscription(canceled), writes, change }
  },

  async update({ params: { subscriptionId }, body }, context) {
    const { paymentInstrumentId, cancelAtPeriodEnd } = body
    const record = await knownSubscription(subscriptionId, context)
    requireAlive(record)
    if (paymentInstrumentId !== undefined) await requireInstrument(paymentInstrumentId, record, context)
    const other = paymentInstrumentId === record.paymentInstrumentId ? undefined : paymentInstrumentId
    if (other !== undefined && mayEnd(record)) throw underWay(record)
    const itemChanges = await changeItem(record, body, context)
    const isOtherItem = JSON.stringify(itemChanges) !== JSON.stringify(record.itemChanges)
    const changed = {
      ...record,
      itemChanges,
      updatedMs: context.nowMs,
      ...(other !== undefined && { paymentInstrumentId: other, ...dueWith(other, record, context) }),
      ...(cancelAtPeriodEnd === false && { cancelAtPeriodEnd }),
    }
    const fields = [
      ...(['paymentInstrumentId', 'cancelAtPeriodEnd'] as const).filter((field) => changed[field] !== record[field]),
      ...(isOtherItem ? (['pendingChange'] as const) : []),
    ]
    const writes = [
      ...(isOtherItem ? writeItemChanges(record, itemChanges, context) : []),
      ...(fields.includes('paymentInstrumentId') ? [chargeTo(changed)] : []),
      ...(fields.includes('cancelAtPeriodEnd') ? [goOn(record, context)] : []),
      ...(fields.length === 0 ? [] : changeEvent(changed, fields, context)),
    ]
    if (writes.length === 0) return { body: toSubscription(record) }
    return { body: toSubscription(changed), writes, change: { before: toSubscription(record) } }
  },
}

/** What is paused or canceled is not charged next, and keeps the time that it had. */
function chargedBetween(sent: {
  nextPaymentFrom?: string | undefined
  nextPaymentBefore?: string | undefined
}): Condition[] {
  const { nextPaymentFrom: from, nextPaymentBefore: before } = sent
  if (from === undefined && before === undefined) return []
  return [
    { column: 'status', is: 'not in', value: ['paused', 'canceled'] },
    ...(from === undefined ? [] : [{ column: 'due_at', is: '>=', value: Date.parse(from) } as const]),
    ...(before === undefined ? [] : [{ column: 'due_at', is: '<', value: Date.parse(before) } as const]),
  ]
}

/**
 * Whether nothing is left to wait for: time stands still, or the period is over and nothing is owed for it. A charge that is
 * under way is waited for: if it succeeds, the next period is paid, and ends later.
 */
function endsAtOnce(record: SubscriptionRecord, { nowMs }: RequestContext): boolean {
  const isOver = record.renewalPaymentId === null && periodOf(record.terms, record.period).endMs <= nowMs
  return record.status === 'paused' || (isOver && endsUnpaid({ ...record, cancelAtPeriodEnd: true }))
}

function changeEvent(changed: SubscriptionRecord, fields: readonly (keyof Subscription)[], emitter: Emitter): Write[] {
  const { id: subscriptionId, customerId, terms } = changed
  const { status } = toSubscription(changed)
  const properties = { subscriptionId, status, changed: [...fields] }
  return emit('s_subscription_updated', { storeId: terms.storeId, customerId, properties }, emitter)
}

function requireAlive({ id, status }: SubscriptionRecord): void {
  if (status !== 'canceled') return
  throw new ApiError('state_conflict', `The subscription '${id}' is canceled; sell a new one.`)
}

async function requireInstrument(id: string, record: SubscriptionRecord, { services }: RequestContext): Promise<void> {
  const instrument = await findInstrument(id, record.accountId, services.db)
  if (instrument?.storeId !== record.terms.storeId || instrument.customerId !== record.customerId) {
    const place = `that belongs to the customer '${record.customerId}' in the store '${record.terms.storeId}'`
    throw missing('payment instrument', id, { param: 'paymentInstrumentId', place })
  }
  if (instrument.isActive) return
  throw new ApiError('state_conflict', 'The payment instrument is no longer active; ask the customer for another card.')
}

function endWithPeriod(record: SubscriptionRecord, { nowMs }: RequestContext): Write {
  const { id, accountId, period, renewalPaymentId } = record
  return {
    sql: `UPDATE subscriptions SET cancel_at_period_end = 1, updated_at = ?
      WHERE account_id = ? AND id = ? AND period = ? AND COALESCE(renewal_payment_id, '') = ?
        AND status <> 'canceled' AND status <> 'paused'`,
    params: [nowMs, accountId, id, period, renewalPaymentId ?? ''],
    expect: 1,
    onRefused: () => underWay(record),
  }
}

/** Refused while its last period is charged, which ends it, and once it has ended. */
function goOn(record: SubscriptionRecord, { nowMs }: RequestContext): Write {
  const { id, accountId, period } = record
  return {
    sql: `UPDATE subscriptions SET cancel_at_period_end = 0, updated_at = ?
      WHERE account_id = ? AND id = ? AND period = ? AND renewal_payment_id IS NULL AND status <> 'canceled'`,
    params: [nowMs, accountId, id, period],
    expect: 1,
    onRefused: () => underWay(record),
  }
}

/** Whether a payment is under way whose decline ends the subscription: another card would come too late, and unnoticed. */
function mayEnd({ renewalPaymentId, tries, terms }: SubscriptionRecord): boolean {
  return renewalPaymentId !== null && retryAfterDays(terms, tries) === null
}

/**
 * When a subscription is due with the card that is set. One that is past due is charged at once, outside of its
 * schedule: that is none of the schedule's tries, which come at their times. One whose try is due anyway is tried with
 * this card.
 */
function dueWith(
  paymentInstrumentId: string,
  { status, dueMs, scheduledMs, refusedInstrumentId, renewalPaymentId }: SubscriptionRecord,
  { nowMs }: RequestContext,
): Pick<SubscriptionRecord, 'dueMs' | 'scheduledMs'> {
  const isFree = status === 'past_due' && dueMs > nowMs && renewalPaymentId === null
  return isFree && paymentInstrumentId !== refusedInstrumentId
    ? { dueMs: nowMs, scheduledMs: scheduledMs ?? dueMs }
    : { dueMs, scheduledMs }
}

/**
 * A payment that is under way goes on with the former instrument. The network's id of what was agreed is of that card
 * alone.
 */
function chargeTo(changed: SubscriptionRecord): Write {
  const { id, accountId, paymentInstrumentId, dueMs, scheduledMs, status, tries, terms, updatedMs } = changed
  const unlessUnderWay = (column: string) =>
    `${column} = CASE WHEN renewal_payment_id IS NULL THEN CAST(? AS BIGINT) ELSE ${column} END`
  return {
    sql: `UPDATE subscriptions SET ${unlessUnderWay('due_at')}, ${unlessUnderWay('scheduled_at')},
        updated_at = ?,
        payment_instrument_id = (SELECT id FROM payment_instruments WHERE account_id = ? AND id = ?),
        network_transaction_id = CASE WHEN payment_instrument_id = ? THEN network_transaction_id END
      WHERE account_id = ? AND id = ? AND status = ? AND tries = ? AND (renewal_payment_id IS NULL OR tries < ?)`,
    params: [
      dueMs,
      scheduledMs,
      updatedMs,
      accountId,
      paymentInstrumentId,
      paymentInstrumentId,
      accountId,
      id,
      status,
      tries,
      terms.retryDays.length,
    ],
    expect: 1,
  }
}

/**
 * The statements that end a subscription on request. Refused while a payment is under way for it, and when its cancellation
 * was taken back since it was read.
 */
export function cancelAtEnd(
  { id: subscriptionId, accountId, customerId, terms, period, usageQuantity, cancelAtPeriodEnd }: SubscriptionRecord,
  emitter: Emitter,
): Write[] {
  const { nowMs } = emitter
  const properties = { subscriptionId, status: 'canceled', reason: 'requested' } as const
  return [
    {
      sql: `UPDATE subscriptions SET status = 'canceled', canceled_at = ?, updated_at = ?
        WHERE account_id = ? AND id = ? AND period = ? AND renewal_payment_id IS NULL AND status <> 'canceled'
          AND usage_quantity = ? AND cancel_at_period_end = ?`,
      params: [nowMs, nowMs, accountId, subscriptionId, period, usageQuantity, Number(cancelAtPeriodEnd)],
      expect: 1,
    },
    ...emit('s_subscription_canceled', { storeId: terms.storeId, customerId, properties }, emitter),
  ]
}
