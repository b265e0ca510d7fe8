import type { Migration } from '../migrate.ts'

/**
 * What a processor is told apart by (`config`, JSON) and speaks with (`sealed_secret`); what it calls an attempt
 * (`reference`); and the simulator's ledger with the money that follows an authorisation.
 */
export const processors: Migration = {
  id: '0010-processors',
  statements: [
    'ALTER TABLE processors ADD COLUMN config {text}',
    'ALTER TABLE processors ADD COLUMN sealed_secret {text}',
    'ALTER TABLE payment_attempts ADD COLUMN reference {text}',
    'ALTER TABLE simulator_charges ADD COLUMN authorised {int} NOT NULL DEFAULT 0',
    'ALTER TABLE simulator_charges ADD COLUMN captured {int} NOT NULL DEFAULT 0',
    'ALTER TABLE simulator_charges ADD COLUMN refunded {int} NOT NULL DEFAULT 0',
    'ALTER TABLE simulator_charges ADD COLUMN voided {int} NOT NULL DEFAULT 0',
    `UPDATE simulator_charges SET authorised = amount, captured = amount,
      outcome = '{"outcome":"succeeded","reference":"simulated_' || attempt_id || '"}'
      WHERE outcome = '{"outcome":"succeeded"}'`,
    `CREATE TABLE simulator_moves (
      id {text} PRIMARY KEY, attempt_id {text} NOT NULL, kind {text} NOT NULL, amount {int} NOT NULL,
      created_at {int} NOT NULL) {strict}`,
  ],
}
