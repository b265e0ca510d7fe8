import type { Migration } from '../migrate.ts'

/**
 * Codes that hand a session over: at most one a session, as its SHA-256. Tokens that died by it are kept for a day, so
 * that a page that holds one learns what has become of its session. Neither comes with its account, so the indexes are
 * over all of them.
 */
export const sessionCodes: Migration = {
  id: '0030-session-codes',
  statements: [
    `ALTER TABLE funnel_sessions ADD COLUMN code_hash {text}`,
    `ALTER TABLE funnel_sessions ADD COLUMN code_expires_at {int}`,
    `CREATE UNIQUE INDEX funnel_sessions_by_code ON funnel_sessions (code_hash)`,
    `CREATE TABLE replaced_session_tokens (
      account_id {text} NOT NULL, token_hash {text} NOT NULL, replaced_at {int} NOT NULL,
      PRIMARY KEY (account_id, token_hash)) {strict}`,
    `CREATE UNIQUE INDEX replaced_session_tokens_by_hash ON replaced_session_tokens (token_hash)`,
    `CREATE INDEX replaced_session_tokens_by_time ON replaced_session_tokens (replaced_at)`,
  ],
}
