import type { Migration } from '../migrate.ts'

/**
 * The 3-D Secure providers that an operator has configured, one of each name for all accounts; `settings` is JSON. What
 * 3-D Secure leaves behind is found by its age.
 */
export const threedsProviders: Migration = {
  id: '0018-threeds-providers',
  statements: [
    `CREATE TABLE threeds_providers (
      name {text} PRIMARY KEY, settings {text} NOT NULL, created_at {int} NOT NULL) {strict}`,
    'CREATE INDEX acs_transactions_by_age ON acs_transactions (created_at)',
    'CREATE INDEX threeds_messages_by_age ON threeds_messages (at)',
  ],
}
