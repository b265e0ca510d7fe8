import { refundRequestStatus } from '@tillwright/contract'
import { defineTable, int, nullable, oneOf, text } from '../storage/index.ts'

export const refundLimitsTable = defineTable('refund_limits', { account_id: text, currency: text, amount: int })

export const refundRequestsTable = defineTable('refund_requests', {
  account_id: text,
  id: text,
  store_id: text,
  payment_id: text,
  amount: int,
  currency: text,
  reason: nullable(text),
  refunded_before: int,
  status: oneOf(refundRequestStatus.options),
  requested_by: text,
  decided_by: nullable(text),
  refund_id: nullable(text),
  created_at: int,
  expires_at: int,
  decided_at: nullable(int),
})
