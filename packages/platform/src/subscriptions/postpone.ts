import type { EventProperties } from '@tillwright/contract'
import { emit, type Emitter } from '../events/index.ts'
import type { Write } from '../request-context.ts'
import { FAULT_RETRY_MS, periodOf } from './periods.ts'
import { isoTime, type SubscriptionRecord } from './records.ts'

/** Why a renewal cannot begin now. */
interface Postponement {
  reason: EventProperties<'s_subscription_postponed'>['reason']
  /** Unix milliseconds; in an hour unless given. */
  untilMs?: number
}

/**
 * The statements that postpone a renewal when no processor can be asked now, or the card's network asks to wait. That does
 * not count as a try. It is told once a period, when the period has just ended: nobody else would, because there is no
 * payment. One that is past due is known to be unpaid.
 */
export function postpone(record: SubscriptionRecord, { reason, untilMs }: Postponement, emitter: Emitter): Write[] {
  const { id: subscriptionId, accountId, customerId, period, terms, dueMs } = record
  const { nowMs } = emitter
  const nextMs = untilMs ?? nowMs + FAULT_RETRY_MS
  const move: Write = {
    sql: `UPDATE subscriptions SET due_at = ?, lease_until = 0, holder = NULL, updated_at = ?
      WHERE account_id = ? AND id = ? AND period = ? AND renewal_payment_id IS NULL
        AND status <> 'paused' AND status <> 'canceled'`,
    params: [nextMs, nowMs, accountId, subscriptionId, period],
    expect: 1,
  }
  if (dueMs !== periodOf(terms, period).endMs) return [move]
  const status = record.status === 'trialing' ? 'trialing' : 'active'
  const properties = { subscriptionId, status, reason, nextPaymentAt: isoTime(nextMs) } as const
  return [move, ...emit('s_subscription_postponed', { storeId: terms.storeId, customerId, properties }, emitter)]
}
