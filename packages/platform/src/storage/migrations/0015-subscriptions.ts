import type { Migration } from '../migrate.ts'

/**
 * Recurring prices that were bought, and what a payment does for them. A subscription is found by when it is due, and by
 * its customer.
 */
export const subscriptions: Migration = {
  id: '0015-subscriptions',
  statements: [
    `CREATE TABLE subscriptions (
      account_id {text} NOT NULL, id {text} NOT NULL, customer_id {text} NOT NULL,
      payment_instrument_id {text} NOT NULL, status {text} NOT NULL, terms {text} NOT NULL, period {int} NOT NULL,
      due_at {int} NOT NULL, tries {int} NOT NULL, refused_instrument_id {text}, renewal_payment_id {text},
      cancel_at_period_end {int} NOT NULL, canceled_at {int}, lease_until {int} NOT NULL,
      created_at {int} NOT NULL, updated_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE status IN ('trialing', 'active', 'past_due')`,
    `CREATE INDEX subscriptions_by_customer ON subscriptions (account_id, customer_id, created_at, id)`,
    `ALTER TABLE payments ADD COLUMN subscriptions {text}`,
  ],
}
