import type { Migration } from '../migrate.ts'

/**
 * Where a card was sent from, for as long as its decline may tell of a tester: the form's session and the address. And
 * the forms whose buyers have solved a challenge.
 */
export const cardSenders: Migration = {
  id: '0014-card-senders',
  statements: [
    'ALTER TABLE card_tokens ADD COLUMN frame_session {text}',
    'ALTER TABLE card_tokens ADD COLUMN frame_address {text}',
    'CREATE INDEX card_tokens_by_card ON card_tokens (account_id, card_id)',
    'CREATE INDEX card_tokens_with_sender ON card_tokens (expires_at) WHERE frame_address IS NOT NULL',
    `CREATE TABLE frame_passes (
      account_id {text} NOT NULL, session {text} NOT NULL, expires_at {int} NOT NULL,
      PRIMARY KEY (account_id, session)) {strict}`,
    'CREATE INDEX frame_passes_by_expiry ON frame_passes (expires_at)',
  ],
}
