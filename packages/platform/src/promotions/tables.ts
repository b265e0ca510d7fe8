import type { Promotion } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, text } from '../storage/index.ts'

export const promotionsTable = defineTable('promotions', {
  account_id: text,
  id: text,
  store_id: text,
  code_key: nullable(text),
  live_code: nullable(text),
  automatic: flag,
  enabled: flag,
  starts_at: nullable(int),
  ends_at: nullable(int),
  usage_limit: nullable(int),
  usage_count: int,
  usage_reserved: int,
  version: int,
  /** All but the count, which changes without the rest. */
  resource: json<Omit<Promotion, 'usageCount'>>(),
  created_at: int,
})
