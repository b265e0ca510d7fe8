import type { Migration } from '../migrate.ts'

/** The ways in which stores ship: one JSON value a store, because they are set and read together. */
export const shippingOptions: Migration = {
  id: '0033-shipping-options',
  statements: [
    `CREATE TABLE shipping_options (
      account_id {text} NOT NULL, store_id {text} NOT NULL, options {text} NOT NULL,
      PRIMARY KEY (account_id, store_id)) {strict}`,
  ],
}
