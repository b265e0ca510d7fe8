import type { Payment } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../accounts/idempotency-keys.ts'
import type { Call, Write } from '../call.ts'
import { CONTINUE_WITHIN_MS } from './require-authentication.ts'
import type { SessionRecord } from './threeds/session-record.ts'

/**
 * The statement that records a payment. One that waits for a session is nobody's work until the session's time is over.
 */
export function insertPayment(
  payment: Payment,
  session: SessionRecord | null,
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
      session === null ? nowMs + CLAIM_LEASE_MS : session.expiresAtMs + CONTINUE_WITHIN_MS,
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
