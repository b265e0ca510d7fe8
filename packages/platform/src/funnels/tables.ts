import type { Funnel, FunnelSession } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, text } from '../storage/index.ts'

export const funnelsTable = defineTable('funnels', {
  account_id: text,
  id: text,
  store_id: text,
  archived: flag,
  revision: int,
  resource: json<Funnel>(),
  created_at: int,
})

export const funnelPagesTable = defineTable('funnel_pages', {
  account_id: text,
  funnel_id: text,
  step_id: text,
  store_id: text,
  plugin_id: text,
  page_id: text,
  rank: int,
  created_at: int,
})

export const funnelSessionsTable = defineTable('funnel_sessions', {
  account_id: text,
  id: text,
  store_id: text,
  customer_id: nullable(text),
  is_preview: flag,
  resource: json<FunnelSession>(),
  /** The state that the session's page has gathered; `sessions` defines its type. */
  state: nullable(json<Record<string, unknown>>()),
  revision: int,
  token_hash: text,
  token_expires_at: int,
  code_hash: nullable(text),
  code_expires_at: nullable(int),
  started_at: nullable(int),
  last_activity_at: int,
})
