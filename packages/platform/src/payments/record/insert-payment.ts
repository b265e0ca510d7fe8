import type { Payment } from '@tillwright/contract'
import type { Emitter } from '../../events/index.ts'
import { freePayment } from '../../ledger/index.ts'
import type { RequestContext, Write } from '../../request-context.ts'
import type { Route } from '../../routing/index.ts'

/** The part of a call that a payment begins with, so that a worker can begin one too. */
export type Starting = Emitter & Pick<RequestContext, 'services' | 'idempotencyKey'>

/**
 * The statement that records a payment.
 *
 * @param of.card The card that it is charged to.
 * @param of.leaseUntilMs Until when it is its process's work, or its buyer's: Unix milliseconds.
 */
export function insertPayment(
  payment: Payment,
  { card, leaseUntilMs }: { card: Route['card']; leaseUntilMs: number },
  { nowMs, idempotencyKey, services }: Starting,
): Write {
  const { authenticationType, recurringInfo, challengePreference, initiatedBy, setupFutureUsage } = payment
  const { id: holder } = services.cluster.self
  return {
    giveBack: freePayment({ ...payment, holder, leaseUntilMs }),
    sql: `INSERT INTO payments (account_id, id, order_id, store_id, customer_id, payment_instrument_id, payment_flow_id, status,
        amount, currency, idempotency_key, lease_until, created_at, updated_at, routing,
        threeds_session_id, capture_method, subscriptions, funnel_session_id, preview, statement_descriptor, agreement, holder, card_brand,
        card_last4, method, return_url)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      payment.accountId,
      payment.id,
      payment.orderId,
      payment.storeId,
      payment.customerId,
      payment.paymentInstrumentId,
      payment.paymentFlowId,
      payment.status,
      payment.amount,
      payment.currency,
      idempotencyKey,
      leaseUntilMs,
      nowMs,
      nowMs,
      JSON.stringify(payment.routing),
      payment.threedsSessionId,
      payment.captureMethod,
      payment.subscriptions.length === 0 ? null : JSON.stringify(payment.subscriptions),
      payment.funnelSessionId,
      payment.preview && JSON.stringify(payment.preview),
      payment.statementDescriptor,
      JSON.stringify({ authenticationType, recurringInfo, challengePreference, initiatedBy, setupFutureUsage }),
      holder,
      card.brand,
      card.last4,
      payment.paymentMethod.type === 'card' ? null : JSON.stringify(payment.paymentMethod),
      payment.returnUrl,
    ],
  }
}
