import type { Contract } from '@tillwright/contract'
import { emit } from '../events/index.ts'
import type { Handlers, Reply, RequestContext, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { periodOf, withPause } from './periods.ts'
import { knownSubscription, isoTime, type SubscriptionRecord, toSubscription } from './records.ts'

type PauseHandlers = Pick<Handlers<Contract['subscriptions']>, 'pause' | 'resume'>

/**
 * Pauses: time stands still for a subscription. The time left of its period, of its trial, or until a declined renewal
 * is tried again, is the same when it goes on.
 */
export const pauses: PauseHandlers = {
  async pause({ params: { subscriptionId } }, context) {
    const record = await knownSubscription(subscriptionId, context)
    const { status } = record
    if (status === 'canceled') throw conflict(`The subscription '${record.id}' is canceled; sell a new one.`)
    if (status === 'paused')
      throw conflict(`The subscription '${record.id}' is paused already; resume it when it goes on.`)
    if (status === 'incomplete') throw new Error(`The subscription ${record.id} has not begun.`)
    const paused = { sinceMs: context.nowMs, status }
    return replyOf(record, { ...record, status: 'paused', paused, updatedMs: context.nowMs }, [
      pauseRow(record, context),
      ...pauseEvent(record, context),
    ])
  },

  async resume({ params: { subscriptionId } }, context) {
    const record = await knownSubscription(subscriptionId, context)
    const { paused, terms, period } = record
    if (paused === null) throw conflict(`The subscription '${record.id}' is not paused; there is nothing to resume.`)
    const ms = Math.max(0, context.nowMs - paused.sinceMs)
    const resumed: SubscriptionRecord = {
      ...record,
      status: paused.status,
      terms: { ...terms, pauses: withPause(terms.pauses ?? [], { period, ms }) },
      dueMs: record.dueMs + ms,
      scheduledMs: record.scheduledMs === null ? null : record.scheduledMs + ms,
      paused: null,
      updatedMs: context.nowMs,
    }
    const writes = [...resumeRow(record, resumed), ...resumeEvent(resumed, context)]
    return replyOf(record, resumed, writes)
  },
}

function replyOf(
  before: SubscriptionRecord,
  after: SubscriptionRecord,
  writes: Write[],
): Reply<ReturnType<typeof toSubscription>> {
  return { body: toSubscription(after), writes, change: { before: toSubscription(before) } }
}

function conflict(message: string): ApiError {
  return new ApiError('state_conflict', message)
}

/**
 * Refused while a payment is under way for the period, and after one that has ended meanwhile. A renewal that has begun and put
 * no payment on record yet is refused in turn, because the status is in its guard.
 */
function pauseRow({ id, accountId, period, tries }: SubscriptionRecord, { nowMs }: RequestContext): Write {
  return {
    sql: `UPDATE subscriptions SET paused_at = ?, paused_status = status, status = 'paused', lease_until = 0,
        holder = NULL, updated_at = ?
      WHERE account_id = ? AND id = ? AND period = ? AND tries = ? AND renewal_payment_id IS NULL
        AND status <> 'paused' AND status <> 'canceled'`,
    params: [nowMs, nowMs, accountId, id, period, tries],
    expect: 1,
    onRefused: () => conflict(`The subscription '${id}' is being renewed or has changed; read it, and pause it then.`),
  }
}

/** Refused when another request was faster. The first statement locks the row by its account. */
function resumeRow({ id, accountId, paused }: SubscriptionRecord, resumed: SubscriptionRecord): Write[] {
  const place = [accountId, id]
  const lock: Write = {
    sql: `UPDATE subscriptions SET status = paused_status, updated_at = ?
      WHERE account_id = ? AND id = ? AND status = 'paused' AND paused_at = ?`,
    params: [resumed.updatedMs, ...place, paused?.sinceMs ?? 0],
    expect: 1,
    onRefused: () => conflict(`The subscription '${id}' has changed meanwhile; read it again.`),
  }
  const move: Write = {
    sql: `UPDATE subscriptions SET terms = ?, due_at = ?, scheduled_at = ?, paused_at = NULL, paused_status = NULL
      WHERE account_id = ? AND id = ?`,
    params: [JSON.stringify(resumed.terms), resumed.dueMs, resumed.scheduledMs, ...place],
  }
  return [lock, move]
}

function pauseEvent(
  { id: subscriptionId, customerId, terms: { storeId } }: SubscriptionRecord,
  context: RequestContext,
) {
  const properties = { subscriptionId, status: 'paused', pausedAt: isoTime(context.nowMs) } as const
  return emit('s_subscription_paused', { storeId, customerId, properties }, context)
}

function resumeEvent(resumed: SubscriptionRecord, context: RequestContext): Write[] {
  const { id: subscriptionId, customerId, terms, period, dueMs } = resumed
  const { startMs, endMs } = periodOf(terms, period)
  const { status } = toSubscription(resumed)
  const times = {
    currentPeriodStart: isoTime(startMs),
    currentPeriodEnd: isoTime(endMs),
    nextPaymentAt: isoTime(dueMs),
  }
  return emit(
    's_subscription_resumed',
    { storeId: terms.storeId, customerId, properties: { subscriptionId, status, ...times } },
    context,
  )
}
