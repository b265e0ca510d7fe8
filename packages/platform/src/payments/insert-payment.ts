import type { Payment } from '@tillwright/contract'
import type { Call, Write } from '../call.ts'

/**
 * The statement that records a payment.
 *
 * @param leaseUntilMs Until when it is its process's work, or its buyer's: Unix milliseconds.
 */
export function insertPayment(
  payment: Payment,
  leaseUntilMs: number,
  { nowMs, idempotencyKey }: Pick<Call, 'nowMs' | 'idempotencyKey'>,
): Write {
  return {
    sql: `INSERT INTO payments (account_id, id, order_id, store_id, customer_id, payment_instrument_id, payment_flow_id, status,
        amount, currency, idempotency_key, lease_until, created_at, updated_at, routing,
        threeds_session_id, capture_method, subscriptions, funnel_session_id, preview, statement_descriptor)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    ],
  }
}
