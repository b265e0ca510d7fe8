import type { Migration } from '../migrate.ts'

/**
 * 3-D Secure in the buyer's browser. A session knows the payment that waits for it, what its browser and its issuer have
 * sent (`method_...`, `notified_at`, `cres_status`), what the directory server said at last (`result`, JSON), and when
 * it ended. It is found by its transaction id, which is all that a directory server knows of it.
 */
export const threedsInTheBrowser: Migration = {
  id: '0012-threeds-in-the-browser',
  statements: [
    'ALTER TABLE threeds_sessions ADD COLUMN payment_id {text}',
    'ALTER TABLE threeds_sessions ADD COLUMN method_started_at {int}',
    'ALTER TABLE threeds_sessions ADD COLUMN method_notified_at {int}',
    'ALTER TABLE threeds_sessions ADD COLUMN notified_at {int}',
    'ALTER TABLE threeds_sessions ADD COLUMN cres_status {text}',
    'ALTER TABLE threeds_sessions ADD COLUMN result {text}',
    'ALTER TABLE threeds_sessions ADD COLUMN ended_at {int}',
    `UPDATE threeds_sessions SET ended_at = updated_at
      WHERE status NOT IN ('created', 'method_pending', 'authenticating', 'challenge_required')`,
    'CREATE UNIQUE INDEX threeds_sessions_by_transaction ON threeds_sessions (external_session_id)',
    'CREATE INDEX threeds_sessions_open ON threeds_sessions (expires_at) WHERE ended_at IS NULL',
    'ALTER TABLE payments ADD COLUMN threeds_session_id {text}',
    `CREATE INDEX payments_waiting ON payments (lease_until) WHERE status = 'requires_action'`,
  ],
}
