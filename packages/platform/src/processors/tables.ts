import type { PaymentFlow } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, text } from '../storage/index.ts'

/** An operator's settings for a processor, unparsed; `readProcessorSettings` and its driver parse them. */
export type RawProcessorSettings = Record<string, unknown>

/** A secret that a processor signs its events with. */
export interface SealedWebhookSecret {
  sealed: string
  /** Unix time in milliseconds, once it was replaced: it is taken until then. */
  expiresAt: number | null
}

export const processorsTable = defineTable('processors', {
  account_id: text,
  id: text,
  name: text,
  driver: text,
  config: nullable(json<RawProcessorSettings>()),
  sealed_secret: nullable(text),
  /** What was set last, and what was set before it. */
  sealed_webhook_secret: nullable(json<SealedWebhookSecret[]>()),
  archived_at: nullable(int),
  revision: int,
  updated_at: int,
  created_at: int,
})

/** Routing writes flows; the checks at start, below it, read them too. */
export const paymentFlowsTable = defineTable('payment_flows', {
  account_id: text,
  id: text,
  archived: flag,
  revision: int,
  resource: json<PaymentFlow>(),
  created_at: int,
})
