import type { Migration } from '../migrate.ts'

/**
 * What the built-in 3-D Secure engine remembers. `acs_transactions` are the authentications that its issuer has seen:
 * `state` is JSON, `revision` its guard, `due_at` when something happens by itself. `acs_controls` say what the next
 * authentication of an account shall come to, or that of one transaction. `threeds_messages` are the messages of all
 * transactions in their order, without card numbers.
 */
export const threedsEngine: Migration = {
  id: '0011-threeds-engine',
  statements: [
    `CREATE TABLE acs_transactions (
      account_id {text} NOT NULL, transaction_id {text} NOT NULL, acs_transaction_id {text} NOT NULL,
      revision {int} NOT NULL, due_at {int}, state {text} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, transaction_id)) {strict}`,
    `CREATE UNIQUE INDEX acs_transactions_by_acs_id ON acs_transactions (acs_transaction_id)`,
    `CREATE INDEX acs_transactions_due ON acs_transactions (due_at) WHERE due_at IS NOT NULL`,
    `CREATE TABLE acs_controls (
      account_id {text} NOT NULL, transaction_id {text} NOT NULL, next {text} NOT NULL,
      PRIMARY KEY (account_id, transaction_id)) {strict}`,
    `CREATE TABLE threeds_messages (
      account_id {text} NOT NULL, transaction_id {text} NOT NULL, position {int} NOT NULL, at {int} NOT NULL,
      sender {text} NOT NULL, receiver {text} NOT NULL, type {text} NOT NULL, message {text} NOT NULL,
      PRIMARY KEY (account_id, transaction_id, position)) {strict}`,
  ],
}
