import type { Migration } from '../migrate.ts'

/** Payments that succeeded before were all captured at once, by processors that were all simulated. */
const payBefore = [
  `UPDATE payments SET captured_amount = amount WHERE status = 'succeeded'`,
  `UPDATE payment_attempts SET reference = 'simulated_' || id WHERE status = 'succeeded' AND reference IS NULL`,
  `INSERT INTO payment_follow_ups
      (account_id, id, payment_id, kind, amount, status, lease_until, created_at, finished_at)
    SELECT account_id, 'cap_' || substr(id, 5), id, 'capture', amount, 'succeeded', 0, created_at, updated_at
    FROM payments WHERE status = 'succeeded'`,
  `INSERT INTO ledger_entries (account_id, payment_id, entry, booking, ledger_account, currency, amount, created_at)
    SELECT account_id, id, 'cap_' || substr(id, 5), 'captured', 'processor', currency, amount, updated_at
    FROM payments WHERE status = 'succeeded'`,
  `INSERT INTO ledger_entries (account_id, payment_id, entry, booking, ledger_account, currency, amount, created_at)
    SELECT account_id, id, 'cap_' || substr(id, 5), 'captured', 'sales', currency, -amount, updated_at
    FROM payments WHERE status = 'succeeded'`,
]

/**
 * What happens to money after it was authorised: captures, refunds and voids (`payment_follow_ups`), disputes, and the
 * ledger. The sums stand in the payment's row, where the guards are.
 *
 * `payment_follow_ups_once` is the guard against a second capture, and against a capture of what was voided;
 * `payment_follow_ups_pending` has those of one payment tried one after the other.
 */
export const money: Migration = {
  id: '0017-money',
  statements: [
    `ALTER TABLE payments ADD COLUMN capture_method {text} NOT NULL DEFAULT 'automatic'`,
    `ALTER TABLE payments ADD COLUMN captured_amount {int} NOT NULL DEFAULT 0`,
    `ALTER TABLE payments ADD COLUMN refund_reserved {int} NOT NULL DEFAULT 0`,
    `ALTER TABLE payments ADD COLUMN refund_tries {int} NOT NULL DEFAULT 0`,
    `ALTER TABLE payments ADD COLUMN refunded_amount {int} NOT NULL DEFAULT 0`,
    `ALTER TABLE payments ADD COLUMN disputed_amount {int} NOT NULL DEFAULT 0`,
    `CREATE TABLE payment_follow_ups (
      account_id {text} NOT NULL, id {text} NOT NULL, payment_id {text} NOT NULL, kind {text} NOT NULL,
      amount {int} NOT NULL, reason {text}, status {text} NOT NULL, failure {text}, reference {text},
      idempotency_key {text}, lease_until {int} NOT NULL, created_at {int} NOT NULL, finished_at {int},
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE INDEX payment_follow_ups_by_payment ON payment_follow_ups (account_id, payment_id, created_at, id)`,
    `CREATE UNIQUE INDEX payment_follow_ups_once ON payment_follow_ups (account_id, payment_id)
      WHERE kind <> 'refund' AND status <> 'failed'`,
    `CREATE UNIQUE INDEX payment_follow_ups_pending ON payment_follow_ups (account_id, payment_id)
      WHERE status = 'pending'`,
    `CREATE INDEX payment_follow_ups_under_way ON payment_follow_ups (lease_until) WHERE status = 'pending'`,
    `CREATE TABLE disputes (
      account_id {text} NOT NULL, id {text} NOT NULL, payment_id {text} NOT NULL, kind {text} NOT NULL,
      status {text} NOT NULL, reason {text} NOT NULL, amount {int} NOT NULL, currency {text} NOT NULL,
      created_at {int} NOT NULL, closed_at {int},
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE INDEX disputes_by_payment ON disputes (account_id, payment_id, created_at, id)`,
    `CREATE TABLE ledger_entries (
      account_id {text} NOT NULL, payment_id {text} NOT NULL, entry {text} NOT NULL, booking {text} NOT NULL,
      ledger_account {text} NOT NULL, currency {text} NOT NULL, amount {int} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, payment_id, entry, booking, ledger_account)) {strict}`,
    ...payBefore,
  ],
}
