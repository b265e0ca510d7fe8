import type { Write } from '../../call.ts'
import { emit, type Emitter } from '../../events/emit.ts'
import { retryAt } from './retry-at.ts'
import { isoTime } from './subscription-record.ts'

/** A try to renew a subscription that the card's issuer has declined, or would. */
export interface FailedTry {
  subscriptionId: string
  accountId: string
  storeId: string
  customerId: string
  /** How many were declined before. */
  tries: number
  /** The payment that was declined; `null` where the card was not asked again. */
  heldBy: string | null
}

/** The statements that have a renewal tried again later, or end the subscription after the last try. */
export function failTry(failed: FailedTry, emitter: Emitter): Write[] {
  const { subscriptionId, storeId, customerId, tries, heldBy } = failed
  const nextMs = retryAt(tries, emitter.nowMs)
  const subject = { storeId, customerId }
  if (nextMs === null) {
    const canceled = { subscriptionId, status: 'canceled', reason: 'unpaid' } as const
    return [
      move(failed, { status: 'canceled', dueMs: emitter.nowMs, canceledMs: emitter.nowMs }, emitter),
      ...emit('s_subscription_canceled', { ...subject, properties: canceled }, emitter),
    ]
  }
  const moved = move(failed, { status: 'past_due', dueMs: nextMs, canceledMs: null }, emitter)
  if (tries > 0 || heldBy === null) return [moved]
  const properties = { subscriptionId, status: 'past_due', paymentId: heldBy, nextPaymentAt: isoTime(nextMs) } as const
  return [moved, ...emit('s_subscription_past_due', { ...subject, properties }, emitter)]
}

interface Moved {
  status: 'past_due' | 'canceled'
  dueMs: number
  canceledMs: number | null
}

/** The status is a word of our own; as a parameter it would stand before the account, which locks are ordered by. */
function move(failed: FailedTry, { status, dueMs, canceledMs }: Moved, { nowMs }: Emitter): Write {
  const { accountId, subscriptionId, tries, heldBy } = failed
  return {
    sql: `UPDATE subscriptions SET status = '${status}', due_at = ?, canceled_at = ?, tries = tries + 1,
        renewal_payment_id = NULL, lease_until = 0, updated_at = ?
      WHERE account_id = ? AND id = ? AND tries = ? AND COALESCE(renewal_payment_id, '') = ?`,
    params: [dueMs, canceledMs, nowMs, accountId, subscriptionId, tries, heldBy ?? ''],
    expect: 1,
  }
}
