import type { Migration } from '../migrate.ts'

/**
 * 3-D Secure sessions. `lease_until` says until when somebody is asking the provider; `outcome` is JSON, `NULL` until
 * the provider has answered.
 */
export const threeds: Migration = {
  id: '0005-threeds',
  statements: [
    `CREATE TABLE threeds_sessions (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, customer_id {text} NOT NULL,
      payment_instrument_id {text} NOT NULL, provider {text} NOT NULL, external_session_id {text} NOT NULL,
      status {text} NOT NULL, session_data {text}, outcome {text}, lease_until {int} NOT NULL,
      expires_at {int} NOT NULL, created_at {int} NOT NULL, updated_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
  ],
}
