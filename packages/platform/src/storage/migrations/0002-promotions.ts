import type { Migration } from '../migrate.ts'

/**
 * Promotions, and what an order costs with them. `code_key` is what makes two codes the same; `live_code` is the same
 * while the promotion is live, and holds the code for it. `pricing` of orders that are older is NULL.
 */
export const promotions: Migration = {
  id: '0002-promotions',
  statements: [
    `CREATE TABLE promotions (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, code_key {text}, live_code {text},
      automatic {int} NOT NULL, enabled {int} NOT NULL, starts_at {int}, ends_at {int}, usage_limit {int},
      usage_count {int} NOT NULL, usage_reserved {int} NOT NULL, version {int} NOT NULL, resource {text} NOT NULL,
      created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE UNIQUE INDEX promotions_by_live_code ON promotions (account_id, store_id, live_code)
      WHERE live_code IS NOT NULL`,
    `CREATE INDEX promotions_by_code ON promotions (account_id, store_id, code_key, created_at)
      WHERE code_key IS NOT NULL`,
    `CREATE INDEX promotions_automatic ON promotions (account_id, store_id, created_at, id)
      WHERE automatic = 1 AND enabled = 1`,
    `ALTER TABLE orders ADD COLUMN pricing {text}`,
  ],
}
