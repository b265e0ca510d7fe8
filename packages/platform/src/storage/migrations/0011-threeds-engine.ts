import type { Migration } from '../migrate.ts'

/** The messages of all 3-D Secure transactions in their order, without card numbers. */
export const threedsEngine: Migration = {
  id: '0011-threeds-engine',
  statements: [
    `CREATE TABLE threeds_messages (
      account_id {text} NOT NULL, transaction_id {text} NOT NULL, position {int} NOT NULL, at {int} NOT NULL,
      sender {text} NOT NULL, receiver {text} NOT NULL, type {text} NOT NULL, message {text} NOT NULL,
      PRIMARY KEY (account_id, transaction_id, position)) {strict}`,
  ],
}
