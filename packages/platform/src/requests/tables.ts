import { defineTable, int, json, nullable, oneOf, text } from '../storage/index.ts'

export const failedRequestsTable = defineTable('failed_requests', {
  account_id: text,
  /** The request's id. */
  id: text,
  operation: text,
  method: text,
  path: text,
  path_params: json<Record<string, string>>(),
  status: int,
  code: text,
  message: text,
  param: nullable(text),
  actor_kind: oneOf(['key', 'member', 'session']),
  actor_id: text,
  actor_name: nullable(text),
  store_id: nullable(text),
  idempotency_key_hash: nullable(text),
  duration_ms: int,
  /** Failures of the same minute that are only counted. */
  left_out: int,
  created_at: int,
})
