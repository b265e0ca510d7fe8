import type { Migration } from '../migrate.ts'

/**
 * What payments need outside the simulators. `threeds_providers` are those that an operator has configured, one of each
 * name for all accounts (`settings` is JSON); what 3-D Secure leaves behind is found by its age. A payment says what the
 * buyer reads on the statement. A processor may tell of its disputes by itself, signed with a secret of its own, and a
 * dispute is known there by its `reference`.
 */
export const realPayments: Migration = {
  id: '0018-real-payments',
  statements: [
    `CREATE TABLE threeds_providers (
      name {text} PRIMARY KEY, settings {text} NOT NULL, created_at {int} NOT NULL) {strict}`,
    'CREATE INDEX threeds_messages_by_age ON threeds_messages (at)',
    'ALTER TABLE payments ADD COLUMN statement_descriptor {text}',
    'ALTER TABLE processors ADD COLUMN sealed_webhook_secret {text}',
    'ALTER TABLE disputes ADD COLUMN reference {text}',
    'CREATE UNIQUE INDEX disputes_by_reference ON disputes (account_id, reference) WHERE reference IS NOT NULL',
  ],
}
