import type { Migration } from '../migrate.ts'

/**
 * Funnels and the sessions that go through them. A session's token is its SHA-256 alone; no account comes with it, so its
 * index is over all of them.
 */
export const funnels: Migration = {
  id: '0004-funnels',
  statements: [
    `CREATE TABLE funnels (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, revision {int} NOT NULL,
      resource {text} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE INDEX funnels_by_time ON funnels (account_id, created_at, id)`,
    `CREATE INDEX funnels_by_store ON funnels (account_id, store_id, created_at, id)`,
    `CREATE TABLE funnel_sessions (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, resource {text} NOT NULL,
      token_hash {text} NOT NULL, token_expires_at {int} NOT NULL, last_activity_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE UNIQUE INDEX funnel_sessions_by_token ON funnel_sessions (token_hash)`,
    `CREATE INDEX funnel_sessions_by_activity ON funnel_sessions (last_activity_at)`,
  ],
}
