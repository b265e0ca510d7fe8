import { defineTable, int, text } from '../storage/index.ts'

/** Counts of an hour or a day: for a currency, or for a processor. */
export const statisticsCountsTable = defineTable('statistics_counts', {
  account_id: text,
  /** Empty for all stores together. */
  store_id: text,
  /** An hour or a day. */
  span_ms: int,
  starts_at: int,
  /** A currency or a processor. */
  subject: text,
  /** Payments, and amounts in minor units; zero at a processor. */
  created: int,
  succeeded: int,
  volume: int,
  failed: int,
  canceled: int,
  refunds: int,
  refunded_amount: int,
  chargebacks: int,
  disputed_amount: int,
  inquiries: int,
  /** At a processor; zero for a currency. */
  attempts: int,
  approved: int,
})

/** How far an account's events are counted. */
export const statisticsFoldsTable = defineTable('statistics_folds', { account_id: text, position: text })
