import type { Contract, NewUsageRecord, UsageRecord } from '@tillwright/contract'
import type { Handlers, RequestContext, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { type Database, newestFirst, readPage, type Row, type RowOf, rowReader } from '../storage/index.ts'
import { firstPaidPeriod, periodOf } from './periods.ts'
import { isoTime, knownSubscription, type SubscriptionRecord } from './records.ts'
import { usageRecordsTable } from './tables.ts'

type UsageHandlers = Pick<Handlers<Contract['subscriptions']>, 'createUsageRecord' | 'listUsageRecords'>

/** How far a reporting server's clock may be ahead. */
const CLOCK_SKEW_MS = 5 * 60 * 1_000

/** Usage of subscriptions: reported while it happens, billed when its period ends. */
export const usageRecords: UsageHandlers = {
  async createUsageRecord({ params: { subscriptionId }, body }, context) {
    const subscription = await metered(subscriptionId, context)
    const earlier = body.id === undefined ? null : await findRecord(body.id, subscription, context.services.db)
    if (earlier !== null) return { body: repeated(body, earlier, subscription) }
    const record = newRecord(body, subscription, context)
    return { body: toUsageRecord(record, subscription), writes: usageWrites(record, subscription) }
  },

  async listUsageRecords({ params: { subscriptionId }, query }, context) {
    const subscription = await metered(subscriptionId, context)
    const sql = 'SELECT * FROM usage_records WHERE account_id = ? AND subscription_id = ?'
    const read = (rows: readonly Row[]) => readRecords(rows).map((row) => toUsageRecord(row, subscription))
    const list = { sql, params: [subscription.accountId, subscriptionId], ...newestFirst, read }
    return { body: await readPage(list, query, context.services.db) }
  },
}

type UsageRow = RowOf<typeof usageRecordsTable>

const readRecords = rowReader(usageRecordsTable)

async function metered(subscriptionId: string, { caller, services }: RequestContext): Promise<SubscriptionRecord> {
  const subscription = await knownSubscription(subscriptionId, { caller, services })
  if (subscription.terms.billingTiming === 'usage') return subscription
  const message = `The subscription '${subscriptionId}' is not billed by usage: its price has another billingTiming.`
  throw new ApiError('state_conflict', message)
}

async function findRecord(
  id: string,
  { accountId, id: subscriptionId }: SubscriptionRecord,
  db: Database,
): Promise<UsageRow | null> {
  const sql = 'SELECT * FROM usage_records WHERE account_id = ? AND subscription_id = ? AND id = ?'
  return readRecords(await db.read(sql, [accountId, subscriptionId, id]))[0] ?? null
}

/** A record that is sent again changes nothing; its time counts only if it is sent again too. */
function repeated(body: NewUsageRecord, earlier: UsageRow, subscription: SubscriptionRecord): UsageRecord {
  const isSame =
    body.quantity === earlier.quantity &&
    (body.occurredAt === undefined || Date.parse(body.occurredAt) === earlier.occurred_at)
  if (isSame) return toUsageRecord(earlier, subscription)
  const message = `The usage record '${earlier.id}' exists already with another quantity or time; send another id, or none.`
  throw new ApiError('resource_exists', message, { param: 'id' })
}

function newRecord(body: NewUsageRecord, subscription: SubscriptionRecord, { nowMs, newId }: RequestContext): UsageRow {
  const occurredMs = body.occurredAt === undefined ? nowMs : Date.parse(body.occurredAt)
  requireTime(occurredMs, subscription, nowMs)
  requireRunning(occurredMs, subscription)
  const period = countedIn(occurredMs, subscription)
  if (subscription.status === 'canceled' || (subscription.cancelAtPeriodEnd && period > subscription.period)) {
    const message = `The subscription '${subscription.id}' has ended or ends with the period before; nothing more is billed.`
    throw new ApiError('state_conflict', message)
  }
  const billable = subscription.usageQuantity + (period === subscription.period ? body.quantity : 0)
  if (billable > maxQuantity(subscription)) {
    const message = 'The usage of the period costs more than 9007199254740991 minor units; report less.'
    throw new ApiError('parameter_invalid', message, { param: 'quantity' })
  }
  return {
    account_id: subscription.accountId,
    subscription_id: subscription.id,
    id: body.id ?? newId('usage'),
    quantity: body.quantity,
    period,
    occurred_at: occurredMs,
    created_at: nowMs,
  }
}

function requireTime(occurredMs: number, { terms }: SubscriptionRecord, nowMs: number): void {
  if (occurredMs >= terms.startMs && occurredMs <= nowMs + CLOCK_SKEW_MS) return
  const start = isoTime(terms.startMs)
  const message = `occurredAt must lie between the start of the subscription, ${start}, and now; leave it out for now.`
  throw new ApiError('parameter_invalid', message, { param: 'occurredAt' })
}

/** Refuses usage during a pause. Usage from before the pause can still be reported. */
function requireRunning(occurredMs: number, { id, paused }: SubscriptionRecord): void {
  if (paused === null || occurredMs < paused.sinceMs) return
  const message = `The subscription '${id}' is paused since ${isoTime(paused.sinceMs)}; resume it, or send occurredAt before that.`
  throw new ApiError('state_conflict', message)
}

/**
 * The number of the period that usage is billed with: the one it happened in, or the first that is still open if that
 * one has been billed, or is about to be. That of a trial is free, whenever it is reported.
 */
function countedIn(occurredMs: number, { terms, period, tries, renewalPaymentId }: SubscriptionRecord): number {
  if (occurredMs < periodOf(terms, firstPaidPeriod(terms)).startMs) return 0
  let number = renewalPaymentId === null && tries === 0 ? period : period + 1
  while (periodOf(terms, number).endMs <= occurredMs) number += 1
  return number
}

/** The usage of a period that its amount can still be written for. */
function maxQuantity({ terms: { unitAmount } }: SubscriptionRecord): number {
  return unitAmount === 0 ? Number.MAX_SAFE_INTEGER : Math.floor(Number.MAX_SAFE_INTEGER / unitAmount)
}

/**
 * The statements that record usage. The first one counts it for the subscription's period, and is refused if that has
 * changed since it was read: by then the usage might belong to another period.
 */
function usageWrites(record: UsageRow, subscription: SubscriptionRecord): Write[] {
  const { accountId, id, period, tries, renewalPaymentId, cancelAtPeriodEnd } = subscription
  const counted = record.period === period ? record.quantity : 0
  return [
    {
      sql: `UPDATE subscriptions SET usage_quantity = usage_quantity + CAST(? AS BIGINT)
        WHERE account_id = ? AND id = ? AND period = ? AND tries = ? AND COALESCE(renewal_payment_id, '') = ?
          AND cancel_at_period_end = ? AND status <> 'canceled'
          AND usage_quantity + CAST(? AS BIGINT) <= CAST(? AS BIGINT)`,
      params: [
        counted,
        accountId,
        id,
        period,
        tries,
        renewalPaymentId ?? '',
        Number(cancelAtPeriodEnd),
        counted,
        maxQuantity(subscription),
      ],
      expect: 1,
    },
    {
      sql: `INSERT INTO usage_records (account_id, subscription_id, id, quantity, period, occurred_at, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
      params: [accountId, id, record.id, record.quantity, record.period, record.occurred_at, record.created_at],
    },
  ]
}

function toUsageRecord(record: UsageRow, { terms }: SubscriptionRecord): UsageRecord {
  const { startMs, endMs } = periodOf(terms, record.period)
  return {
    id: record.id,
    subscriptionId: record.subscription_id,
    quantity: record.quantity,
    occurredAt: isoTime(record.occurred_at),
    periodStart: isoTime(startMs),
    periodEnd: isoTime(endMs),
    createdAt: isoTime(record.created_at),
  }
}
