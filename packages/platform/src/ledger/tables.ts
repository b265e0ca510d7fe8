import {
  type AttemptChecks,
  type AttemptExemption,
  type AttemptFee,
  attemptOutcome,
  attemptStatus,
  booking,
  captureMethod,
  disputeKind,
  disputeStatus,
  ledgerAccount,
  postAuthorizationFailure,
  postAuthorizationStatus,
  type Payment,
  type PaymentAttempt,
  type PaymentRouting,
  paymentStatus,
  type ShownPaymentMethod,
} from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, oneOf, text } from '../storage/index.ts'

/** Terms that a payment asks its buyer to agree to, or that were agreed to before. */
export type PaymentAgreement = Pick<
  Payment,
  'authenticationType' | 'recurringInfo' | 'challengePreference' | 'initiatedBy' | 'setupFutureUsage'
>

export const paymentsTable = defineTable('payments', {
  account_id: text,
  id: text,
  order_id: text,
  store_id: text,
  customer_id: text,
  /** NULL where the method is no card. */
  payment_instrument_id: nullable(text),
  payment_flow_id: text,
  /** NULL for a card. */
  method: nullable(json<ShownPaymentMethod>()),
  /** Where the buyer comes back to in the end, and where they go first; NULL for methods that lead nowhere. */
  return_url: nullable(text),
  redirect_url: nullable(text),
  /** When its processor has to know the outcome; NULL where none is awaited. */
  expires_at: nullable(int),
  /** As displayed: the network and the last four digits. */
  card_brand: text,
  card_last4: text,
  threeds_session_id: nullable(text),
  funnel_session_id: nullable(text),
  idempotency_key: nullable(text),
  status: oneOf(paymentStatus.options),
  decline_code: nullable(text),
  currency: text,
  amount: int,
  captured_amount: int,
  refund_reserved: int,
  refund_tries: int,
  refunded_amount: int,
  disputed_amount: int,
  capture_method: oneOf(captureMethod.options),
  statement_descriptor: nullable(text),
  /** NULL for a single payment without a preference. */
  agreement: nullable(json<PaymentAgreement>()),
  routing: nullable(json<Partial<PaymentRouting>>()),
  subscriptions: nullable(json<Payment['subscriptions']>()),
  /** The simulated result of a preview; NULL for a payment that moves money. */
  preview: nullable(json<NonNullable<Payment['preview']>>()),
  holder: nullable(text),
  lease_until: int,
  created_at: int,
  updated_at: int,
})

export const paymentAttemptsTable = defineTable('payment_attempts', {
  account_id: text,
  id: text,
  payment_id: text,
  ordinal: int,
  processor_id: text,
  reference: nullable(text),
  status: oneOf(attemptStatus.options),
  outcome: nullable(oneOf(attemptOutcome.options)),
  decline_code: nullable(text),
  advice: nullable(text),
  network_transaction_id: nullable(text),
  checks: nullable(json<AttemptChecks>()),
  exemption: nullable(json<AttemptExemption>()),
  fee: nullable(json<AttemptFee>()),
  decision: json<PaymentAttempt['decision']>(),
  card_fingerprint: nullable(text),
  /** Under way or successful: of these a payment has one at most. */
  is_open: flag,
  created_at: int,
  finished_at: nullable(int),
})

export const postAuthorizationsTable = defineTable('payment_follow_ups', {
  account_id: text,
  id: text,
  store_id: text,
  payment_id: text,
  order_id: text,
  kind: oneOf(['capture', 'refund', 'void']),
  currency: text,
  amount: int,
  /** Whether nothing is captured after it. */
  is_final: flag,
  reason: nullable(text),
  status: oneOf(postAuthorizationStatus.options),
  failure: nullable(oneOf(postAuthorizationFailure.options)),
  reference: nullable(text),
  idempotency_key: nullable(text),
  holder: nullable(text),
  lease_until: int,
  created_at: int,
  finished_at: nullable(int),
})

export const disputesTable = defineTable('disputes', {
  account_id: text,
  id: text,
  store_id: text,
  payment_id: text,
  order_id: text,
  customer_id: text,
  reference: nullable(text),
  kind: oneOf(disputeKind.options),
  status: oneOf(disputeStatus.options),
  reason: text,
  amount: int,
  currency: text,
  respond_by: nullable(int),
  evidence_at: nullable(int),
  created_at: int,
  closed_at: nullable(int),
})

export const ledgerEntriesTable = defineTable('ledger_entries', {
  account_id: text,
  payment_id: text,
  entry: text,
  booking: oneOf(booking.options),
  ledger_account: oneOf(ledgerAccount.options),
  currency: text,
  amount: int,
  created_at: int,
})
