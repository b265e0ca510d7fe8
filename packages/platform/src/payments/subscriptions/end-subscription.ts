import type { Write } from '../../call.ts'
import { emit, type Emitter } from '../../events/emit.ts'
import { FAULT_RETRY_MS } from './retry-at.ts'
import type { SubscriptionRecord } from './subscription-record.ts'

/** The statements that end a subscription because somebody has asked for it. Refused while a payment is under way for it. */
export function cancelAtEnd(
  { id: subscriptionId, accountId, customerId, terms, period }: SubscriptionRecord,
  emitter: Emitter,
): Write[] {
  const { nowMs } = emitter
  const properties = { subscriptionId, status: 'canceled', reason: 'requested' } as const
  return [
    {
      sql: `UPDATE subscriptions SET status = 'canceled', canceled_at = ?, updated_at = ?
        WHERE account_id = ? AND id = ? AND period = ? AND renewal_payment_id IS NULL AND status <> 'canceled'`,
      params: [nowMs, nowMs, accountId, subscriptionId, period],
      expect: 1,
    },
    ...emit('s_subscription_canceled', { storeId: terms.storeId, customerId, properties }, emitter),
  ]
}

/** The statement that has a renewal begin later for which nobody can be asked now. That counts as no try. */
export function postpone({ id, accountId, period }: SubscriptionRecord, { nowMs }: Emitter): Write {
  return {
    sql: `UPDATE subscriptions SET due_at = ?, lease_until = 0, updated_at = ?
      WHERE account_id = ? AND id = ? AND period = ? AND renewal_payment_id IS NULL`,
    params: [nowMs + FAULT_RETRY_MS, nowMs, accountId, id, period],
  }
}
