import type { Migration } from '../migrate.ts'

/**
 * What routing a payment over several processors needs: the attempts' order and outcomes, what was decided of a payment as a
 * whole, a customer's last success, a card's declines, and the counters of abuse detection.
 *
 * The index `payment_attempts_open` is the guard against a second charge: of a payment's attempts one at most is under
 * way or has come to something, so that none begins as long as the outcome of another is unknown.
 */
export const routing: Migration = {
  id: '0013-routing',
  statements: [
    `ALTER TABLE payment_attempts ADD COLUMN ordinal {int} NOT NULL DEFAULT 1`,
    `ALTER TABLE payment_attempts ADD COLUMN outcome {text}`,
    `ALTER TABLE payment_attempts ADD COLUMN advice {text}`,
    `ALTER TABLE payment_attempts ADD COLUMN finished_at {int}`,
    `ALTER TABLE payment_attempts ADD COLUMN card_fingerprint {text}`,
    `DROP INDEX payment_attempts_in_order`,
    `CREATE UNIQUE INDEX payment_attempts_by_ordinal ON payment_attempts (account_id, payment_id, ordinal)`,
    `CREATE UNIQUE INDEX payment_attempts_open ON payment_attempts (account_id, payment_id)
      WHERE status <> 'declined' AND status <> 'failed'`,
    `CREATE INDEX payment_attempts_declined ON payment_attempts (account_id, card_fingerprint, created_at)
      WHERE status = 'declined'`,
    `ALTER TABLE payments ADD COLUMN routing {text}`,
    `CREATE INDEX payments_by_customer ON payments (account_id, customer_id, payment_flow_id, id)`,
    `CREATE TABLE velocity_subjects (
      account_id {text} NOT NULL, subject {text} NOT NULL, blocked_until {int} NOT NULL, touched_at {int} NOT NULL,
      PRIMARY KEY (account_id, subject)) {strict}`,
    `CREATE INDEX velocity_subjects_by_age ON velocity_subjects (touched_at)`,
    `CREATE TABLE velocity_entries (
      account_id {text} NOT NULL, subject {text} NOT NULL, entry {text} NOT NULL, at {int} NOT NULL,
      PRIMARY KEY (account_id, subject, entry)) {strict}`,
    `CREATE INDEX velocity_entries_in_time ON velocity_entries (account_id, subject, at)`,
    `CREATE INDEX velocity_entries_by_age ON velocity_entries (at)`,
  ],
}
