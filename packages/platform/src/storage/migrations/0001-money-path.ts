import type { Migration } from '../migrate.ts'

/**
 * The tables of the money path. `{text}`, `{int}` and `{strict}` become the engine's own words. Every key begins with the account, so
 * that a distributed engine keeps an account's rows together; there are no foreign keys, sequences or triggers.
 */
export const moneyPath: Migration = {
  id: '0001-money-path',
  statements: [
    `CREATE TABLE accounts (
      id {text} PRIMARY KEY, name {text} NOT NULL, plan {text} NOT NULL,
      rate_per_minute {int}, rate_burst {int}, created_at {int} NOT NULL,
      threeds_provider {text} NOT NULL DEFAULT 'vendor_a') {strict}`,
    `CREATE TABLE api_keys (
      account_id {text} NOT NULL, id {text} NOT NULL, kind {text} NOT NULL, hash {text} NOT NULL, last4 {text} NOT NULL,
      roles {text} NOT NULL, scopes {text} NOT NULL, store_id {text}, allowed_origins {text} NOT NULL,
      created_at {int} NOT NULL, expires_at {int}, revoked_at {int}, last_used_at {int},
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash)`,
    `CREATE TABLE rate_buckets (subject {text} PRIMARY KEY, full_at_us {int} NOT NULL) {strict}`,
    `CREATE TABLE idempotency_keys (
      account_id {text} NOT NULL, idempotency_key {text} NOT NULL, fingerprint {text} NOT NULL, status {int}, body {text},
      lease_until {int} NOT NULL, expires_at {int} NOT NULL,
      PRIMARY KEY (account_id, idempotency_key)) {strict}`,
    `CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at)`,
    `CREATE TABLE stores (
      account_id {text} NOT NULL, id {text} NOT NULL, name {text} NOT NULL, selected_payment_flow_id {text},
      credentials {text}, resource {text} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE TABLE products (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, resource {text} NOT NULL,
      created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE TABLE variants (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, product_id {text} NOT NULL, sku {text},
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE UNIQUE INDEX variants_by_sku ON variants (account_id, store_id, sku) WHERE sku IS NOT NULL`,
    `CREATE TABLE customers (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, email {text} NOT NULL,
      email_key {text}, first_name {text} NOT NULL, last_name {text} NOT NULL, details {text} NOT NULL,
      created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE UNIQUE INDEX customers_by_email ON customers (account_id, store_id, email_key) WHERE email_key IS NOT NULL`,
    `CREATE TABLE events (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text}, customer_id {text}, event_type {text} NOT NULL,
      properties {text} NOT NULL, draft {int} NOT NULL, created_at {int} NOT NULL, processed_at {int},
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE TABLE webhook_endpoints (
      account_id {text} NOT NULL, id {text} NOT NULL, url {text} NOT NULL, event_types {text} NOT NULL,
      drafts {int} NOT NULL, secrets {text} NOT NULL, enabled {int} NOT NULL, failing_since {int},
      created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE TABLE webhook_deliveries (
      account_id {text} NOT NULL, event_id {text} NOT NULL, endpoint_id {text} NOT NULL, state {text} NOT NULL,
      attempts {int} NOT NULL, next_attempt_at {int} NOT NULL, last_status {int},
      last_response {text}, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, event_id, endpoint_id)) {strict}`,
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE state = 'pending'`,
    `CREATE TABLE vault_keys (
      id {text} PRIMARY KEY, public_jwk {text} NOT NULL, master_key_id {text} NOT NULL,
      sealed_private_jwk {text} NOT NULL, created_at {int} NOT NULL) {strict}`,
    `CREATE TABLE cards (
      account_id {text} NOT NULL, id {text} NOT NULL, fingerprint {text} NOT NULL, master_key_id {text} NOT NULL,
      sealed_key {text} NOT NULL, sealed_card {text} NOT NULL, brand {text} NOT NULL, last4 {text} NOT NULL,
      bin {text} NOT NULL, exp_month {int} NOT NULL, exp_year {int} NOT NULL, funding {text} NOT NULL,
      segment {text} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE INDEX cards_by_fingerprint ON cards (account_id, fingerprint)`,
    `CREATE TABLE card_tokens (
      account_id {text} NOT NULL, id {text} NOT NULL, card_id {text} NOT NULL, store_id {text}, key_id {text} NOT NULL,
      jwe_id {text} NOT NULL, expires_at {int} NOT NULL, used_at {int},
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE UNIQUE INDEX card_tokens_by_jwe ON card_tokens (account_id, jwe_id)`,
    `CREATE TABLE payment_instruments (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, customer_id {text} NOT NULL,
      card_id {text} NOT NULL, is_active {int} NOT NULL, is_default {int} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE INDEX payment_instruments_by_customer ON payment_instruments (account_id, customer_id)`,
    `CREATE TABLE processors (
      account_id {text} NOT NULL, id {text} NOT NULL, name {text} NOT NULL, driver {text} NOT NULL,
      archived_at {int}, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id),
      CHECK (length(driver) BETWEEN 1 AND 40
        AND substr(driver, 1, 1) BETWEEN 'a' AND 'z'
        AND ltrim(driver, 'abcdefghijklmnopqrstuvwxyz0123456789_') = '')) {strict}`,
    `CREATE TABLE payment_flows (
      account_id {text} NOT NULL, id {text} NOT NULL, resource {text} NOT NULL, archived_at {int}, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE TABLE orders (
      account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, customer_id {text} NOT NULL,
      status {text} NOT NULL, currency {text} NOT NULL, amount {int} NOT NULL, lines {text} NOT NULL,
      metadata {text} NOT NULL, created_at {int} NOT NULL, paid_at {int},
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE TABLE payments (
      account_id {text} NOT NULL, id {text} NOT NULL, order_id {text} NOT NULL, store_id {text} NOT NULL,
      customer_id {text} NOT NULL, payment_instrument_id {text} NOT NULL, payment_flow_id {text} NOT NULL,
      status {text} NOT NULL, amount {int} NOT NULL, currency {text} NOT NULL, decline_code {text},
      idempotency_key {text}, lease_until {int} NOT NULL, created_at {int} NOT NULL, updated_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE INDEX payments_under_way ON payments (lease_until) WHERE status = 'processing'`,
    `CREATE TABLE payment_attempts (
      account_id {text} NOT NULL, id {text} NOT NULL, payment_id {text} NOT NULL, processor_id {text} NOT NULL,
      status {text} NOT NULL, decline_code {text}, decision {text} NOT NULL, created_at {int} NOT NULL,
      PRIMARY KEY (account_id, id)) {strict}`,
    `CREATE INDEX payment_attempts_by_payment ON payment_attempts (account_id, payment_id)`,
  ],
}
