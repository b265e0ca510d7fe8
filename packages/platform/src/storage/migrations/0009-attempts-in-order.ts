import type { Migration } from '../migrate.ts'

/**
 * The attempts of a payment in their order by one index. Without their id in it SQLite takes the primary key, which has
 * the order, and reads all attempts of the account.
 */
export const attemptsInOrder: Migration = {
  id: '0009-attempts-in-order',
  statements: [
    'DROP INDEX payment_attempts_by_payment',
    'CREATE INDEX payment_attempts_in_order ON payment_attempts (account_id, payment_id, id)',
  ],
}
