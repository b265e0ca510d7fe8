import type { Payment, PaymentSubscription } from '@tillwright/contract'
import { emit, type Emitter } from '../events/index.ts'
import type { Write } from '../request-context.ts'
import { waitOfAdvice } from '../routing/index.ts'
import { DAY_MS, FAULT_RETRY_MS } from './periods.ts'
import { isoTime, countUsage, type SubscriptionRecord } from './records.ts'

/** A payment with what it does for subscriptions. */
type Completed = Pick<
  Payment,
  | 'id'
  | 'accountId'
  | 'orderId'
  | 'storeId'
  | 'customerId'
  | 'paymentInstrumentId'
  | 'attempts'
  | 'subscriptions'
  | 'initiatedBy'
>

/** The statements by which a payment that has succeeded begins, renews or ends its subscriptions. */
export function subscriptionsPaid(payment: Completed, emitter: Emitter): Write[] {
  return payment.subscriptions.flatMap((link) => {
    switch (link.occasion) {
      case 'first':
        return [
          begin(link, payment, emitter),
          ...subscriptionEvent('s_subscription_created', link, { payment, emitter }),
        ]
      case 'renewal':
        return [
          renew(link, payment, emitter),
          ...(payment.initiatedBy === 'buyer' ? [adopt(link, payment)] : []),
          countNew(link, payment),
          ...subscriptionEvent('s_subscription_renewed', link, { payment, emitter }),
        ]
      case 'last':
        return [end(link, payment, emitter), ...endEvent(link, payment, emitter)]
    }
  })
}

/**
 * The statements by which a payment that came to nothing leaves its subscriptions: those that it should have begun are
 * forgotten, one that was declined is tried again for a week, and a fault, which says nothing of the card, is not
 * counted. A requested payment does not change when the schedule tries again.
 */
export function subscriptionsUnpaid(payment: Completed, status: 'declined' | 'failed', emitter: Emitter): Write[] {
  return payment.subscriptions.flatMap((link) => {
    if (link.occasion === 'first') return [forget(link, payment)]
    const refused = status === 'declined' && needsAnotherCard(payment) ? [refuse(link, payment)] : []
    if (link.requested) return [letGo(link, { payment, status, emitter }), ...refused]
    if (status === 'failed') return [tryAfterFault(link, payment, emitter)]
    const { id: paymentId, accountId, storeId, customerId } = payment
    const { subscriptionId, tries, retryAfterDays } = link
    const failed = failTry(
      {
        subscriptionId,
        accountId,
        storeId,
        customerId,
        tries,
        retryAfterDays,
        waitMs: waitOf(payment),
        heldBy: paymentId,
      },
      emitter,
    )
    return [...failed, ...refused]
  })
}

function waitOf({ attempts }: Completed): number {
  return Math.max(0, ...attempts.map(({ advice }) => waitOfAdvice(advice)))
}

/** Whether the issuer has said that no later try will pass either, or wants a buyer who is not there. */
function needsAnotherCard({ attempts }: Completed): boolean {
  return attempts.some(({ outcome }) => outcome === 'hard_decline' || outcome === 'authentication_required')
}

/** Its renewals refer to this payment, whatever else is agreed to with the same card later. */
function begin({ subscriptionId, status }: PaymentSubscription, payment: Completed, { nowMs }: Emitter): Write {
  const { accountId, attempts } = payment
  const networkTransactionId = attempts.at(-1)?.networkTransactionId ?? null
  return {
    sql: `UPDATE subscriptions SET status = ?, network_transaction_id = ?, updated_at = ?
      WHERE account_id = ? AND id = ? AND status = 'incomplete'`,
    params: [status, networkTransactionId, nowMs, accountId, subscriptionId],
    expect: 1,
  }
}

function renew(link: PaymentSubscription, { id, accountId }: Completed, { nowMs }: Emitter): Write {
  return {
    sql: `UPDATE subscriptions SET status = ?, period = ?, due_at = ?, scheduled_at = NULL, tries = 0, refused_instrument_id = NULL,
        renewal_payment_id = NULL, lease_until = 0, holder = NULL, updated_at = ?
      WHERE account_id = ? AND id = ? AND renewal_payment_id = ?`,
    params: [link.status, link.period, Date.parse(link.periodEnd), nowMs, accountId, link.subscriptionId, id],
    expect: 1,
  }
}

/** A payment made by the buyer becomes the one that later renewals refer to, and its card the one that they charge. */
function adopt(
  { subscriptionId }: PaymentSubscription,
  { accountId, paymentInstrumentId, attempts }: Completed,
): Write {
  return {
    sql: 'UPDATE subscriptions SET payment_instrument_id = ?, network_transaction_id = ? WHERE account_id = ? AND id = ?',
    params: [paymentInstrumentId, attempts.at(-1)?.networkTransactionId ?? null, accountId, subscriptionId],
  }
}

function countNew({ subscriptionId }: PaymentSubscription, { accountId }: Completed): Write {
  return countUsage({ accountId, subscriptionId })
}

function end({ subscriptionId }: PaymentSubscription, { id, accountId }: Completed, { nowMs }: Emitter): Write {
  return {
    sql: `UPDATE subscriptions SET status = 'canceled', canceled_at = ?, renewal_payment_id = NULL, updated_at = ?
      WHERE account_id = ? AND id = ? AND renewal_payment_id = ?`,
    params: [nowMs, nowMs, accountId, subscriptionId, id],
    expect: 1,
  }
}

/** The instrument is not asked again for this subscription; one that a buyer has tried by a link is not its own. */
function refuse({ subscriptionId }: PaymentSubscription, { accountId, paymentInstrumentId }: Completed): Write {
  return {
    sql: 'UPDATE subscriptions SET refused_instrument_id = ? WHERE account_id = ? AND id = ? AND payment_instrument_id = ?',
    params: [paymentInstrumentId, accountId, subscriptionId, paymentInstrumentId],
  }
}

/** The statement that has a card asked again which its issuer has renewed: what it refused for good is that card no more. */
export function forgetRefusal({
  accountId,
  customerId,
  paymentInstrumentId,
}: Pick<Payment, 'accountId' | 'customerId'> & { paymentInstrumentId: string }): Write {
  return {
    sql: `UPDATE subscriptions SET refused_instrument_id = NULL
      WHERE account_id = ? AND customer_id = ? AND refused_instrument_id = ?`,
    params: [accountId, customerId, paymentInstrumentId],
  }
}

interface LettingGo {
  payment: Completed
  status: 'declined' | 'failed'
  emitter: Emitter
}

/**
 * The subscription is as it was before the payment was requested, by name or by setting another card. After a fault
 * that card is charged all the same, an hour later.
 */
function letGo({ subscriptionId }: PaymentSubscription, { payment, status, emitter }: LettingGo): Write {
  const { id, accountId } = payment
  const { nowMs } = emitter
  const due =
    status === 'declined'
      ? 'due_at = COALESCE(scheduled_at, due_at), scheduled_at = NULL'
      : 'due_at = CASE WHEN scheduled_at IS NULL THEN due_at ELSE CAST(? AS BIGINT) END'
  return {
    sql: `UPDATE subscriptions SET ${due}, renewal_payment_id = NULL, lease_until = 0, holder = NULL, updated_at = ?
      WHERE account_id = ? AND id = ? AND renewal_payment_id = ?`,
    params: [...(status === 'declined' ? [] : [nowMs + FAULT_RETRY_MS]), nowMs, accountId, subscriptionId, id],
    expect: 1,
  }
}

/** The statement that leaves a subscription to its schedule again where no processor was asked. */
export function backToSchedule({ id, accountId, period }: SubscriptionRecord, { nowMs }: Emitter): Write {
  return {
    sql: `UPDATE subscriptions SET due_at = COALESCE(scheduled_at, due_at), scheduled_at = NULL, lease_until = 0,
        holder = NULL, updated_at = ?
      WHERE account_id = ? AND id = ? AND period = ? AND renewal_payment_id IS NULL AND status <> 'paused'`,
    params: [nowMs, accountId, id, period],
  }
}

function forget({ subscriptionId }: PaymentSubscription, { accountId }: Completed): Write {
  return {
    sql: `DELETE FROM subscriptions WHERE account_id = ? AND id = ? AND status = 'incomplete'`,
    params: [accountId, subscriptionId],
  }
}

function tryAfterFault(
  { subscriptionId }: PaymentSubscription,
  { id, accountId }: Completed,
  { nowMs }: Emitter,
): Write {
  return {
    sql: `UPDATE subscriptions SET due_at = ?, renewal_payment_id = NULL, lease_until = 0, holder = NULL, updated_at = ?
      WHERE account_id = ? AND id = ? AND renewal_payment_id = ?`,
    params: [nowMs + FAULT_RETRY_MS, nowMs, accountId, subscriptionId, id],
    expect: 1,
  }
}

function subscriptionEvent(
  type: 's_subscription_created' | 's_subscription_renewed',
  { subscriptionId, status, periodStart, periodEnd }: PaymentSubscription,
  { payment, emitter }: { payment: Completed; emitter: Emitter },
): Write[] {
  const { id: paymentId, orderId, storeId, customerId, paymentInstrumentId } = payment
  if (paymentInstrumentId === null) throw new Error(`The payment ${paymentId} of a subscription has no card.`)
  const period = { currentPeriodStart: periodStart, currentPeriodEnd: periodEnd }
  const properties = { subscriptionId, status, orderId, paymentId, paymentInstrumentId, ...period }
  return emit(type, { storeId, customerId, properties }, emitter)
}

function endEvent(
  { subscriptionId }: PaymentSubscription,
  { storeId, customerId }: Completed,
  emitter: Emitter,
): Write[] {
  const properties = { subscriptionId, status: 'canceled', reason: 'requested' } as const
  return emit('s_subscription_canceled', { storeId, customerId, properties }, emitter)
}

/** A try to renew a subscription that the card's issuer has declined, or would. */
export interface FailedTry {
  subscriptionId: string
  accountId: string
  storeId: string
  customerId: string
  /** How many were declined before. */
  tries: number
  /** Days until the next try; `null` after the last one. */
  retryAfterDays: number | null
  /** How long the card's network asks to wait at least, in milliseconds; 0 where it does not. */
  waitMs: number
  /** The payment that was declined; `null` where the card was not asked again. */
  heldBy: string | null
}

/** The statements that have a renewal tried again later, or end the subscription after the last try. */
export function failTry(failed: FailedTry, emitter: Emitter): Write[] {
  const { subscriptionId, storeId, customerId, tries, retryAfterDays, waitMs, heldBy } = failed
  const subject = { storeId, customerId }
  if (retryAfterDays === null) {
    const canceled = { subscriptionId, status: 'canceled', reason: 'unpaid' } as const
    return [
      move(failed, { status: 'canceled', dueMs: emitter.nowMs, canceledMs: emitter.nowMs }, emitter),
      ...emit('s_subscription_canceled', { ...subject, properties: canceled }, emitter),
    ]
  }
  const nextMs = emitter.nowMs + Math.max(retryAfterDays * DAY_MS, waitMs)
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
    sql: `UPDATE subscriptions SET status = '${status}', due_at = ?, scheduled_at = NULL, canceled_at = ?,
        tries = tries + 1, renewal_payment_id = NULL, lease_until = 0, holder = NULL, updated_at = ?
      WHERE account_id = ? AND id = ? AND tries = ? AND COALESCE(renewal_payment_id, '') = ?
        AND status <> 'paused' AND status <> 'canceled'`,
    params: [dueMs, canceledMs, nowMs, accountId, subscriptionId, tries, heldBy ?? ''],
    expect: 1,
  }
}
