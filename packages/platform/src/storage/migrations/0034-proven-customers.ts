import type { Migration } from '../migrate.ts'

/**
 * Whether the merchant's server has named the customer of an instrument by id. Anybody can type an e-mail address, so that
 * no limit counts an instrument against a customer who was found by one.
 */
export const provenCustomers: Migration = {
  id: '0034-proven-customers',
  statements: ['ALTER TABLE payment_instruments ADD COLUMN is_customer_proven {int} NOT NULL DEFAULT 0'],
}
