import type { Migration } from '../migrate.ts'

/**
 * Events counted as they happen, by the hour, the day and 32 days, so that statistics do not read them all. `shard` is what the
 * connection writes under that moved the counter; it counts in the sum alone. What else the events and webhooks need:
 * endpoints of one store, the tries of each delivery, and indexes for a customer's events and for failed deliveries.
 */
export const eventCounts: Migration = {
  id: '0006-event-counts',
  statements: [
    `CREATE TABLE event_counts (
      account_id {text} NOT NULL, span_ms {int} NOT NULL, starts_at {int} NOT NULL, store_id {text} NOT NULL,
      event_type {text} NOT NULL, draft {int} NOT NULL, shard {int} NOT NULL,
      total {int} NOT NULL, processed {int} NOT NULL,
      PRIMARY KEY (account_id, span_ms, starts_at, store_id, event_type, draft, shard)) {strict}`,
    `INSERT INTO event_counts
      (account_id, span_ms, starts_at, store_id, event_type, draft, shard, total, processed)
      SELECT e.account_id, span.ms, e.created_at / span.ms * span.ms, COALESCE(e.store_id, ''), e.event_type, e.draft, 0,
        count(*), count(e.processed_at)
      FROM events e CROSS JOIN (SELECT 3600000 AS ms UNION ALL SELECT 86400000 UNION ALL SELECT 2764800000) AS span
      GROUP BY 1, 2, 3, 4, 5, 6`,
    `CREATE INDEX event_counts_sharded ON event_counts (span_ms, starts_at) WHERE shard <> 0`,
    `CREATE INDEX events_by_customer ON events (account_id, customer_id, id) WHERE customer_id IS NOT NULL`,
    `CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (account_id, event_id, endpoint_id) WHERE state = 'failed'`,
    `ALTER TABLE webhook_deliveries ADD COLUMN attempt_log {text} NOT NULL DEFAULT '[]'`,
    `ALTER TABLE webhook_endpoints ADD COLUMN store_id {text}`,
  ],
}
