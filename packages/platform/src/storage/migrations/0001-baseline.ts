import type { Migration } from '../migration.ts'

/** The processes of the platform, none of whom belongs to an account, and the time that they share. */
const cluster = [
  `CREATE TABLE processes (
    id {text} PRIMARY KEY, name {text} NOT NULL, roles {text} NOT NULL, version {text} NOT NULL, schema_number {int} NOT NULL,
    beats {int} NOT NULL,
    clock_offset {int} NOT NULL, started_at {int} NOT NULL, heartbeat_at {int} NOT NULL,
    circuits {text} NOT NULL DEFAULT '{}', report {text} NOT NULL) {strict}`,
  // One row. `ahead`: of the database's clock.
  `CREATE TABLE shared_time (
    id {int} PRIMARY KEY, at {int} NOT NULL, ahead {int} NOT NULL) {strict}`,
]

/** One row: the newest backup of this database. */
const backups = [
  `CREATE TABLE last_backup (
    id {int} PRIMARY KEY, taken_at {int} NOT NULL, version {text} NOT NULL, missing_blobs {int} NOT NULL,
    verified_at {int}) {strict}`,
]

const accounts = [
  `CREATE TABLE accounts (
    id {text} PRIMARY KEY, name {text} NOT NULL, plan {text} NOT NULL, rate_per_minute {int}, rate_burst {int},
    threeds_provider {text} NOT NULL DEFAULT 'vendor_a', revision {int} NOT NULL DEFAULT 1,
    updated_at {int} NOT NULL DEFAULT 0, created_at {int} NOT NULL, pages_off_at {int}) {strict}`,
  `CREATE TABLE api_keys (
    account_id {text} NOT NULL, id {text} NOT NULL, name {text}, kind {text} NOT NULL, hash {text} NOT NULL,
    last4 {text} NOT NULL, roles {text} NOT NULL, scopes {text} NOT NULL, store_id {text},
    allowed_origins {text} NOT NULL, created_at {int} NOT NULL, expires_at {int}, revoked_at {int},
    replaced_by {text}, created_by {text}, last_used_at {int}, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash)`,
  `CREATE TABLE rate_buckets (
    subject {text} PRIMARY KEY, full_at_us {int} NOT NULL) {strict}`,
  `CREATE TABLE idempotency_keys (
    account_id {text} NOT NULL, idempotency_key {text} NOT NULL, fingerprint {text} NOT NULL, status {int},
    body {text}, holder {text}, lease_until {int} NOT NULL, expires_at {int} NOT NULL,
    PRIMARY KEY (account_id, idempotency_key)) {strict}`,
  `CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at)`,
]

/**
 * People of accounts. Tokens, links and recovery codes are kept as SHA-256. Of one e-mail address an account has one
 * member; who was removed frees it.
 */
const members = [
  `CREATE TABLE members (
    account_id {text} NOT NULL, id {text} NOT NULL, email {text} NOT NULL, name {text}, role {text} NOT NULL,
    store_ids {text}, status {text} NOT NULL, invitation_hash {text}, invitation_expires_at {int},
    created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX members_by_email ON members (account_id, email) WHERE status <> 'removed'`,
  `CREATE INDEX members_by_time ON members (account_id, created_at, id)`,
  `CREATE INDEX members_by_role ON members (account_id, role) WHERE status = 'active'`,
  `CREATE UNIQUE INDEX members_by_invitation ON members (invitation_hash) WHERE invitation_hash IS NOT NULL`,
  `CREATE TABLE passkeys (
    account_id {text} NOT NULL, id {text} NOT NULL, member_id {text} NOT NULL, credential_id {text} NOT NULL,
    public_key {text} NOT NULL, counter {int} NOT NULL, transports {text} NOT NULL, name {text} NOT NULL,
    backed_up {int} NOT NULL, created_at {int} NOT NULL, last_used_at {int}, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (credential_id)`,
  `CREATE INDEX passkeys_by_member ON passkeys (account_id, member_id, created_at)`,
  `CREATE TABLE member_identities (
    account_id {text} NOT NULL, id {text} NOT NULL, member_id {text} NOT NULL, issuer {text} NOT NULL,
    subject {text} NOT NULL, email {text}, created_at {int} NOT NULL, last_used_at {int},
    PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX member_identities_by_subject ON member_identities (issuer, subject)`,
  `CREATE INDEX member_identities_by_member ON member_identities (account_id, member_id, created_at)`,
  `CREATE TABLE recovery_codes (
    account_id {text} NOT NULL, member_id {text} NOT NULL, hash {text} NOT NULL,
    PRIMARY KEY (account_id, member_id, hash)) {strict}`,
  `CREATE UNIQUE INDEX recovery_codes_by_hash ON recovery_codes (hash)`,
  `CREATE TABLE member_sessions (
    account_id {text} NOT NULL, id {text} NOT NULL, member_id {text} NOT NULL, token_hash {text} NOT NULL,
    method {text} NOT NULL, address {text} NOT NULL, user_agent {text}, created_at {int} NOT NULL,
    last_used_at {int} NOT NULL, expires_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX member_sessions_by_token ON member_sessions (token_hash)`,
  `CREATE INDEX member_sessions_by_member ON member_sessions (account_id, member_id, created_at)`,
  `CREATE INDEX member_sessions_by_expiry ON member_sessions (expires_at)`,
  // Belongs to no account: the member is not known before the sign-in.
  `CREATE TABLE sign_in_ceremonies (
    hash {text} PRIMARY KEY, kind {text} NOT NULL, challenge {text} NOT NULL, account_id {text}, member_id {text},
    expires_at {int} NOT NULL) {strict}`,
  `CREATE INDEX sign_in_ceremonies_by_expiry ON sign_in_ceremonies (expires_at)`,
]

const catalog = [
  `CREATE TABLE stores (
    account_id {text} NOT NULL, id {text} NOT NULL, name {text} NOT NULL, selected_payment_flow_id {text},
    credentials {text}, archived {int} NOT NULL, revision {int} NOT NULL, resource {text} NOT NULL,
    created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX stores_by_time ON stores (account_id, archived, created_at, id)`,
  `CREATE INDEX stores_by_flow ON stores (account_id, selected_payment_flow_id, id)`,
  `CREATE TABLE products (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, active {int} NOT NULL, archived {int} NOT NULL,
    revision {int} NOT NULL, resource {text} NOT NULL, created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX products_by_time ON products (account_id, archived, created_at, id)`,
  `CREATE INDEX products_by_store ON products (account_id, store_id, created_at, id)`,
  `CREATE TABLE variants (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, product_id {text} NOT NULL, sku {text},
    PRIMARY KEY (account_id, id)) {narrow}`,
  `CREATE UNIQUE INDEX variants_by_sku ON variants (account_id, store_id, sku) WHERE sku IS NOT NULL`,
  `CREATE TABLE prices (
    account_id {text} NOT NULL, id {text} NOT NULL, variant_id {text} NOT NULL, sold {int} NOT NULL,
    PRIMARY KEY (account_id, id)) {narrow}`,
  `CREATE TABLE shipping_options (
    account_id {text} NOT NULL, store_id {text} NOT NULL, options {text} NOT NULL, PRIMARY KEY (account_id, store_id)) {strict}`,
]

/** Questions that merchants' own servers answer. `hook_answers` keeps each answer for a day; orders keep theirs. */
const hooks = [
  `CREATE TABLE hooks (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, kind {text} NOT NULL, url {text} NOT NULL,
    timeout_ms {int} NOT NULL, on_failure {text} NOT NULL, active {int} NOT NULL, secrets {text} NOT NULL,
    created_at {int} NOT NULL, updated_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX hooks_by_kind ON hooks (account_id, store_id, kind)`,
  `CREATE TABLE hook_answers (
    account_id {text} NOT NULL, id {text} NOT NULL, hook_id {text} NOT NULL, asked_at {int} NOT NULL,
    usable_until {int} NOT NULL, record {text} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX hook_answers_by_hook ON hook_answers (account_id, hook_id, asked_at, id)`,
  `CREATE INDEX hook_answers_by_time ON hook_answers (asked_at)`,
]

/** The words by which resources are found: an index of its own, whose entries stand in the order of accounts. */
const search = [
  `CREATE TABLE search_words (
    account_id {text} NOT NULL, resource {text} NOT NULL, word {text} NOT NULL, id {text} NOT NULL,
    PRIMARY KEY (account_id, resource, word, id)) {narrow}`,
  `CREATE INDEX search_words_by_resource ON search_words (account_id, resource, id, word)`,
]

/** Events are counted as they happen, per hour, day and 32 days, so that statistics need not read them all. */
const events = [
  `CREATE TABLE events (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text}, customer_id {text}, event_type {text} NOT NULL,
    properties {text} NOT NULL, draft {int} NOT NULL, created_at {int} NOT NULL, processed_at {int},
    traceparent {text}, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX events_by_customer ON events (account_id, customer_id, id) WHERE customer_id IS NOT NULL`,
  // `shard`: the connection that counted; only the sum over all shards is meaningful.
  `CREATE TABLE event_counts (
    account_id {text} NOT NULL, span_ms {int} NOT NULL, starts_at {int} NOT NULL, store_id {text} NOT NULL,
    event_type {text} NOT NULL, draft {int} NOT NULL, shard {int} NOT NULL, total {int} NOT NULL,
    processed {int} NOT NULL, PRIMARY KEY (account_id, span_ms, starts_at, store_id, event_type, draft, shard)) {narrow}`,
  `CREATE INDEX event_counts_sharded ON event_counts (span_ms, starts_at) WHERE shard <> 0`,
  // `shard` as above.
  `CREATE TABLE delivery_counts (
    account_id {text} NOT NULL, span_ms {int} NOT NULL, starts_at {int} NOT NULL, shard {int} NOT NULL,
    delivered {int} NOT NULL, failed {int} NOT NULL, PRIMARY KEY (account_id, span_ms, starts_at, shard)) {narrow}`,
  // `store_id` is empty for all stores together.
  `CREATE TABLE statistics_counts (
    account_id {text} NOT NULL, store_id {text} NOT NULL, span_ms {int} NOT NULL, starts_at {int} NOT NULL,
    subject {text} NOT NULL, created {int} NOT NULL, succeeded {int} NOT NULL, volume {int} NOT NULL,
    failed {int} NOT NULL, canceled {int} NOT NULL, refunds {int} NOT NULL, refunded_amount {int} NOT NULL,
    chargebacks {int} NOT NULL, disputed_amount {int} NOT NULL, inquiries {int} NOT NULL, attempts {int} NOT NULL,
    approved {int} NOT NULL, PRIMARY KEY (account_id, store_id, span_ms, starts_at, subject)) {narrow}`,
  `CREATE TABLE statistics_folds (account_id {text} PRIMARY KEY, position {text} NOT NULL) {strict}`,
  `CREATE TABLE webhook_endpoints (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text}, url {text} NOT NULL, event_types {text} NOT NULL,
    drafts {int} NOT NULL, secrets {text} NOT NULL, enabled {int} NOT NULL, failing_since {int},
    revision {int} NOT NULL DEFAULT 1, updated_at {int} NOT NULL DEFAULT 0, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE TABLE webhook_deliveries (
    account_id {text} NOT NULL, event_id {text} NOT NULL, endpoint_id {text} NOT NULL, state {text} NOT NULL,
    attempts {int} NOT NULL, attempt_log {text} NOT NULL DEFAULT '[]', holder {text}, next_attempt_at {int} NOT NULL,
    last_status {int}, last_response {text}, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, event_id, endpoint_id)) {strict}`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE state = 'pending'`,
  `CREATE INDEX webhook_deliveries_held ON webhook_deliveries (holder) WHERE holder IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_failed
    ON webhook_deliveries (account_id, event_id, endpoint_id) WHERE state = 'failed'`,
]

/**
 * The audit log. Entries are only ever added, and deleted when their time is over. `audit_unsealed` lists those that
 * no seal covers yet; a seal covers the entries of about a second, and the hash of the seal before it.
 */
const audit = [
  `CREATE TABLE audit_entries (
    account_id {text} NOT NULL, id {text} NOT NULL, actor_kind {text} NOT NULL, actor_id {text} NOT NULL,
    actor_name {text}, address {text}, user_agent {text}, operation {text} NOT NULL, resource_type {text},
    resource_id {text}, status {int}, request_id {text}, changes {text}, changes_mac {text} NOT NULL, mac {text} NOT NULL,
    erased_by {text}, created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX audit_entries_by_resource ON audit_entries (account_id, resource_id, id)`,
  `CREATE INDEX audit_entries_by_actor ON audit_entries (account_id, actor_id, id) WHERE actor_kind <> 'key'`,
  `CREATE TABLE audit_unsealed (
    account_id {text} NOT NULL, id {text} NOT NULL, total {int} NOT NULL, entries {text} NOT NULL,
    PRIMARY KEY (account_id, id)) {narrow}`,
  `CREATE TABLE audit_seals (
    account_id {text} NOT NULL, sequence {int} NOT NULL, entries {text} NOT NULL, previous {text} NOT NULL,
    hash {text} NOT NULL, mac {text} NOT NULL, created_at {int} NOT NULL, PRIMARY KEY (account_id, sequence)) {strict}`,
  `CREATE INDEX audit_seals_by_age ON audit_seals (created_at)`,
  // Where the seals of an account begin, after those that were deleted, and where they end.
  `CREATE TABLE audit_chains (
    account_id {text} PRIMARY KEY, pruned_sequence {int} NOT NULL, pruned_hash {text} NOT NULL,
    head_sequence {int} NOT NULL, head_hash {text} NOT NULL, mac {text} NOT NULL, updated_at {int} NOT NULL) {strict}`,
]

/** Requests that were refused or failed, for a week: without what was sent. */
const requests = [
  `CREATE TABLE failed_requests (
    account_id {text} NOT NULL, id {text} NOT NULL, operation {text} NOT NULL, method {text} NOT NULL, path {text} NOT NULL,
    path_params {text} NOT NULL, status {int} NOT NULL, code {text} NOT NULL, message {text} NOT NULL, param {text},
    actor_kind {text} NOT NULL, actor_id {text} NOT NULL, actor_name {text}, store_id {text}, idempotency_key_hash {text},
    duration_ms {int} NOT NULL, left_out {int} NOT NULL, created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX failed_requests_by_time ON failed_requests (created_at)`,
]

/** Data keys, encrypted by a master key that is never stored here, and how far rows are sealed under the newest. */
const keys = [
  `CREATE TABLE data_keys (
    ring {text} NOT NULL, version {int} NOT NULL, state {text} NOT NULL, created_at {int} NOT NULL,
    active_at {int} NOT NULL, retired_at {int}, PRIMARY KEY (ring, version)) {strict}`,
  `CREATE TABLE data_key_wraps (
    ring {text} NOT NULL, version {int} NOT NULL, master_key_id {text} NOT NULL, master_key {text} NOT NULL,
    wrapped {text} NOT NULL, created_at {int} NOT NULL, PRIMARY KEY (ring, version, master_key_id)) {strict}`,
  `CREATE TABLE reseals (
    ring {text} NOT NULL, place {text} NOT NULL, version {int} NOT NULL, pass {int} NOT NULL,
    account_cursor {text} NOT NULL, id_cursor {text} NOT NULL, resealed {int} NOT NULL, done_at {int},
    PRIMARY KEY (ring, place)) {strict}`,
  `CREATE TABLE key_uses (
    ring {text} NOT NULL, version {int} NOT NULL, purpose {text} NOT NULL, operation {text} NOT NULL,
    total {int} NOT NULL, last_used_at {int} NOT NULL, PRIMARY KEY (ring, version, purpose, operation)) {strict}`,
]

const vault = [
  `CREATE TABLE vault_keys (
    id {text} PRIMARY KEY, public_jwk {text} NOT NULL,
    sealed_private_jwk {text} NOT NULL, created_at {int} NOT NULL) {strict}`,
  `CREATE TABLE cards (
    account_id {text} NOT NULL, id {text} NOT NULL, fingerprint {text} NOT NULL,
    sealed_key {text} NOT NULL, sealed_card {text} NOT NULL, brand {text} NOT NULL, last4 {text} NOT NULL,
    bin {text} NOT NULL, exp_month {int} NOT NULL, exp_year {int} NOT NULL, funding {text} NOT NULL,
    segment {text} NOT NULL, kind {text} NOT NULL DEFAULT 'number', wallet {text}, created_at {int} NOT NULL,
    purged_at {int}, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX cards_by_fingerprint ON cards (account_id, fingerprint)`,
  // The `frame_` columns record where a card came from, for as long as a decline may expose card testing.
  `CREATE TABLE card_tokens (
    account_id {text} NOT NULL, id {text} NOT NULL, card_id {text} NOT NULL, store_id {text}, key_id {text} NOT NULL,
    jwe_id {text} NOT NULL, frame_session {text}, frame_address {text}, expires_at {int} NOT NULL, used_at {int},
    PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX card_tokens_by_jwe ON card_tokens (account_id, jwe_id)`,
  `CREATE INDEX card_tokens_by_card ON card_tokens (account_id, card_id)`,
  `CREATE INDEX card_tokens_with_sender ON card_tokens (expires_at) WHERE frame_address IS NOT NULL`,
  // Forms whose buyers have solved a captcha.
  `CREATE TABLE frame_passes (
    account_id {text} NOT NULL, session {text} NOT NULL, expires_at {int} NOT NULL, PRIMARY KEY (account_id, session)) {strict}`,
  `CREATE INDEX frame_passes_by_expiry ON frame_passes (expires_at)`,
  // Sealed under keys that are in the memory of processes only.
  `CREATE TABLE security_codes (
    account_id {text} NOT NULL, id {text} NOT NULL, key_id {text} NOT NULL, sealed {text} NOT NULL,
    approval {text}, expires_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX security_codes_by_expiry ON security_codes (expires_at)`,
  // The wallets that an account takes: `id` is the wallet's name.
  `CREATE TABLE wallets (
    account_id {text} NOT NULL, id {text} NOT NULL, settings {text} NOT NULL, sealed_keys {text} NOT NULL,
    created_at {int} NOT NULL, updated_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE TABLE code_recipients (
    process_id {text} PRIMARY KEY, pair_id {text} NOT NULL, public_key {text} NOT NULL, joined_at {int} NOT NULL,
    expires_at {int} NOT NULL, proof {text} NOT NULL) {strict}`,
  `CREATE TABLE code_key_wraps (
    process_id {text} NOT NULL, key_id {text} NOT NULL, pair_id {text} NOT NULL, wrapped {text} NOT NULL,
    made_at {int} NOT NULL, PRIMARY KEY (process_id, key_id, pair_id)) {strict}`,
]

/** `progress` says how far an erasure has come, `receipt` what it has erased and kept. Neither has personal data. */
const privacy = [
  `CREATE TABLE customer_erasures (
    account_id {text} NOT NULL, id {text} NOT NULL, customer_id {text} NOT NULL, store_id {text} NOT NULL,
    status {text} NOT NULL, step {int} NOT NULL, progress {text} NOT NULL, receipt {text}, created_at {int} NOT NULL,
    finished_at {int}, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX customer_erasures_by_customer ON customer_erasures (account_id, customer_id)`,
  `CREATE INDEX customer_erasures_pending ON customer_erasures (created_at) WHERE status = 'pending'`,
]

const customers = [
  `CREATE TABLE customers (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, email {text} NOT NULL, email_key {text},
    first_name {text} NOT NULL, last_name {text} NOT NULL, details {text} NOT NULL,
    metadata {text} NOT NULL DEFAULT '{}', archived {int} NOT NULL DEFAULT 0, revision {int} NOT NULL DEFAULT 1,
    created_at {int} NOT NULL, updated_at {int} NOT NULL DEFAULT 0, erased_at {int},
    PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX customers_by_store ON customers (account_id, store_id, id)`,
  `CREATE UNIQUE INDEX customers_by_email 
    ON customers (account_id, store_id, email_key) WHERE email_key IS NOT NULL AND archived = 0`,
  // `is_customer_proven`: the merchant's server provided the customer id; anybody can type an e-mail address.
  `CREATE TABLE payment_instruments (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, customer_id {text} NOT NULL,
    card_id {text} NOT NULL, is_active {int} NOT NULL, is_default {int} NOT NULL,
    is_customer_proven {int} NOT NULL DEFAULT 0, consent {text}, replacement {text}, is_trusted {int} NOT NULL DEFAULT 0,
    revision {int} NOT NULL DEFAULT 1,
    created_at {int} NOT NULL, updated_at {int} NOT NULL DEFAULT 0, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX payment_instruments_by_customer ON payment_instruments (account_id, customer_id, id)`,
  `CREATE UNIQUE INDEX payment_instruments_default ON payment_instruments (account_id, customer_id) WHERE is_default = 1`,
  `CREATE INDEX payment_instruments_by_store ON payment_instruments (account_id, store_id, id)`,
  `CREATE TABLE processor_tokens (
    account_id {text} NOT NULL, payment_instrument_id {text} NOT NULL, processor_id {text} NOT NULL,
    processor_type {text} NOT NULL, token {text} NOT NULL, status {text} NOT NULL, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, payment_instrument_id, processor_id)) {strict}`,
]

const promotions = [
  // `code_key` is equal for equal codes; `live_code` is the same while the promotion is live, and reserves the code.
  `CREATE TABLE promotions (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, code_key {text}, live_code {text},
    automatic {int} NOT NULL, enabled {int} NOT NULL, starts_at {int}, ends_at {int}, usage_limit {int},
    usage_count {int} NOT NULL, usage_reserved {int} NOT NULL, archived {int} NOT NULL, revision {int} NOT NULL,
    resource {text} NOT NULL, created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX promotions_by_time ON promotions (account_id, archived, created_at, id)`,
  `CREATE INDEX promotions_by_store ON promotions (account_id, store_id, created_at, id)`,
  `CREATE UNIQUE INDEX promotions_by_live_code
    ON promotions (account_id, store_id, live_code) WHERE live_code IS NOT NULL`,
  `CREATE INDEX promotions_by_code ON promotions (account_id, store_id, code_key, created_at) WHERE code_key IS NOT NULL`,
  `CREATE INDEX promotions_automatic
    ON promotions (account_id, store_id, created_at, id) WHERE automatic = 1 AND enabled = 1 AND archived = 0`,
]

/** Payments and everything that happens to their money. The totals are in the payment's row, where the guards are. */
const ledger = [
  `CREATE TABLE payments (
    account_id {text} NOT NULL, id {text} NOT NULL, order_id {text} NOT NULL, store_id {text} NOT NULL,
    customer_id {text} NOT NULL, payment_instrument_id {text}, payment_flow_id {text} NOT NULL, method {text},
    return_url {text}, redirect_url {text}, expires_at {int}, card_brand {text} NOT NULL, card_last4 {text} NOT NULL, threeds_session_id {text}, funnel_session_id {text}, idempotency_key {text}, status {text} NOT NULL,
    decline_code {text}, currency {text} NOT NULL, amount {int} NOT NULL, captured_amount {int} NOT NULL DEFAULT 0,
    refund_reserved {int} NOT NULL DEFAULT 0, refund_tries {int} NOT NULL DEFAULT 0,
    refunded_amount {int} NOT NULL DEFAULT 0, disputed_amount {int} NOT NULL DEFAULT 0,
    capture_method {text} NOT NULL DEFAULT 'automatic', statement_descriptor {text}, routing {text},
    subscriptions {text}, preview {text}, agreement {text}, holder {text}, lease_until {int} NOT NULL, created_at {int} NOT NULL,
    updated_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {revised}`,
  `CREATE INDEX payments_under_way ON payments (account_id, lease_until) WHERE status = 'processing' AND expires_at IS NULL`,
  `CREATE INDEX payments_waiting ON payments (account_id, lease_until) WHERE status = 'requires_action' AND expires_at IS NULL`,
  // Those whose outcome a processor will tell, after their buyers have paid elsewhere: there may be many, for days.
  `CREATE INDEX payments_awaited ON payments (account_id, lease_until) WHERE expires_at IS NOT NULL`,
  `CREATE INDEX payments_by_customer ON payments (account_id, customer_id, id)`,
  `CREATE INDEX payments_by_order ON payments (account_id, order_id, id)`,
  `CREATE INDEX payments_by_store ON payments (account_id, store_id, id)`,
  // A payment is under way for seconds: that alone costs it no entry that its outcome would replace.
  `CREATE INDEX payments_by_status ON payments (account_id, status, id) WHERE status <> 'processing'`,
  `CREATE INDEX payments_by_card ON payments (account_id, card_last4, id)`,
  `CREATE INDEX payments_by_amount ON payments (account_id, amount, id)`,
  `CREATE TABLE payment_attempts (
    account_id {text} NOT NULL, id {text} NOT NULL, payment_id {text} NOT NULL, ordinal {int} NOT NULL DEFAULT 1,
    processor_id {text} NOT NULL, reference {text}, status {text} NOT NULL, outcome {text}, decline_code {text},
    advice {text}, network_transaction_id {text}, checks {text}, exemption {text}, fee {text}, decision {text} NOT NULL, card_fingerprint {text}, is_open {int} NOT NULL, created_at {int} NOT NULL, finished_at {int},
    PRIMARY KEY (account_id, id)) {revised}`,
  `CREATE UNIQUE INDEX payment_attempts_by_ordinal ON payment_attempts (account_id, payment_id, ordinal)`,
  // Prevents a second charge: at most one attempt per payment is in progress or successful. A column of its own says so, which
  // a success does not change: PostgreSQL then writes the row alone, and no index.
  `CREATE UNIQUE INDEX payment_attempts_open ON payment_attempts (account_id, payment_id) WHERE is_open = 1`,
  `CREATE INDEX payment_attempts_declined
    ON payment_attempts (account_id, card_fingerprint, created_at) WHERE is_open = 0`,
  // Captures, refunds and voids.
  `CREATE TABLE payment_follow_ups (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, payment_id {text} NOT NULL,
    order_id {text} NOT NULL, kind {text} NOT NULL, currency {text} NOT NULL, amount {int} NOT NULL, is_final {int} NOT NULL DEFAULT 1,
    reason {text}, status {text} NOT NULL, failure {text}, reference {text}, idempotency_key {text}, holder {text}, lease_until {int} NOT NULL, created_at {int} NOT NULL, finished_at {int},
    PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX payment_follow_ups_by_payment ON payment_follow_ups (account_id, payment_id, created_at, id)`,
  // Lists of refunds. A capture, which nearly every payment has, costs none of them.
  `CREATE INDEX refunds_by_time ON payment_follow_ups (account_id, created_at, id) WHERE kind = 'refund'`,
  `CREATE INDEX refunds_by_store ON payment_follow_ups (account_id, store_id, created_at, id) WHERE kind = 'refund'`,
  `CREATE INDEX refunds_by_status ON payment_follow_ups (account_id, status, created_at, id) WHERE kind = 'refund'`,
  // Prevents a second final capture, and one after a void.
  `CREATE UNIQUE INDEX payment_follow_ups_once
    ON payment_follow_ups (account_id, payment_id) WHERE kind <> 'refund' AND is_final = 1 AND status <> 'failed'`,
  `CREATE UNIQUE INDEX payment_follow_ups_pending ON payment_follow_ups (account_id, payment_id) WHERE status = 'pending'`,
  `CREATE INDEX payment_follow_ups_under_way
    ON payment_follow_ups (account_id, lease_until) WHERE status = 'pending' AND reference IS NULL`,
  // Accepted by the processor, which says later what comes of it.
  `CREATE INDEX payment_follow_ups_waiting
    ON payment_follow_ups (account_id, lease_until) WHERE status = 'pending' AND reference IS NOT NULL`,
  `CREATE TABLE refund_limits (
    account_id {text} NOT NULL, currency {text} NOT NULL, amount {int} NOT NULL,
    PRIMARY KEY (account_id, currency)) {strict}`,
  `CREATE TABLE refund_requests (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, payment_id {text} NOT NULL,
    amount {int} NOT NULL, currency {text} NOT NULL, reason {text}, refunded_before {int} NOT NULL,
    status {text} NOT NULL, requested_by {text} NOT NULL, decided_by {text}, refund_id {text},
    created_at {int} NOT NULL, expires_at {int} NOT NULL, decided_at {int}, PRIMARY KEY (account_id, id)) {strict}`,
  // One request of a payment waits at a time.
  `CREATE UNIQUE INDEX refund_requests_pending ON refund_requests (account_id, payment_id) WHERE status = 'pending'`,
  `CREATE INDEX refund_requests_overdue ON refund_requests (expires_at) WHERE status = 'pending'`,
  `CREATE INDEX refund_requests_by_payment ON refund_requests (account_id, payment_id, id)`,
  `CREATE INDEX refund_requests_by_store ON refund_requests (account_id, store_id, id)`,
  `CREATE INDEX refund_requests_by_status ON refund_requests (account_id, status, id)`,
  `CREATE TABLE disputes (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, payment_id {text} NOT NULL,
    order_id {text} NOT NULL, customer_id {text} NOT NULL, reference {text}, kind {text} NOT NULL, status {text} NOT NULL,
    reason {text} NOT NULL, amount {int} NOT NULL, currency {text} NOT NULL, respond_by {int}, evidence_at {int}, created_at {int} NOT NULL,
    closed_at {int}, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX disputes_by_payment ON disputes (account_id, payment_id, created_at, id)`,
  `CREATE INDEX disputes_by_store ON disputes (account_id, store_id, id)`,
  `CREATE INDEX disputes_by_status ON disputes (account_id, status, id)`,
  `CREATE UNIQUE INDEX disputes_by_reference ON disputes (account_id, reference) WHERE reference IS NOT NULL`,
  `CREATE TABLE ledger_entries (
    account_id {text} NOT NULL, payment_id {text} NOT NULL, entry {text} NOT NULL, booking {text} NOT NULL,
    ledger_account {text} NOT NULL, currency {text} NOT NULL, amount {int} NOT NULL, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, payment_id, entry, booking, ledger_account)) {narrow}`,
]

const orders = [
  `CREATE TABLE orders (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, customer_id {text} NOT NULL,
    status {text} NOT NULL, currency {text} NOT NULL, amount {int} NOT NULL, pricing {text} NOT NULL, lines {text} NOT NULL,
    metadata {text} NOT NULL, buyer {text}, is_preview {int} NOT NULL DEFAULT 0, revision {int} NOT NULL DEFAULT 1,
    created_at {int} NOT NULL, updated_at {int} NOT NULL DEFAULT 0,
    paid_at {int}, PRIMARY KEY (account_id, id)) {revised}`,
  `CREATE INDEX orders_by_customer ON orders (account_id, customer_id, id)`,
  `CREATE INDEX orders_by_store ON orders (account_id, store_id, id)`,
  // None by what changes when an order is paid: PostgreSQL then changes the row alone, and no index.
  `CREATE INDEX orders_by_amount ON orders (account_id, amount, id)`,
]

const processors = [
  // `config` is public JSON; `sealed_secret` is encrypted.
  `CREATE TABLE processors (
    account_id {text} NOT NULL, id {text} NOT NULL, name {text} NOT NULL, driver {text} NOT NULL, config {text},
    sealed_secret {text}, sealed_webhook_secret {text}, archived_at {int},
    revision {int} NOT NULL DEFAULT 1, updated_at {int} NOT NULL DEFAULT 0, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK (length(driver) BETWEEN 1 AND 40
      AND substr(driver, 1, 1) BETWEEN 'a' AND 'z'
      AND ltrim(driver, 'abcdefghijklmnopqrstuvwxyz0123456789_') = '')) {strict}`,
  // Reports of a processor that cannot be requested again.
  `CREATE TABLE processor_notifications (
    account_id {text} NOT NULL, processor_id {text} NOT NULL, reference {text} NOT NULL, event {text} NOT NULL,
    succeeded {int} NOT NULL, about {text} NOT NULL, payment_reference {text} NOT NULL, told {text} NOT NULL,
    received_at {int} NOT NULL, PRIMARY KEY (account_id, processor_id, reference, event, succeeded)) {strict}`,
  `CREATE INDEX processor_notifications_by_about ON processor_notifications (account_id, processor_id, about)`,
  `CREATE INDEX processor_notifications_by_payment
    ON processor_notifications (account_id, processor_id, payment_reference)`,
]

const routing = [
  `CREATE TABLE payment_flows (
    account_id {text} NOT NULL, id {text} NOT NULL, archived {int} NOT NULL, revision {int} NOT NULL, resource {text} NOT NULL,
    created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX payment_flows_in_order ON payment_flows (account_id, archived, id)`,
  `CREATE TABLE velocity_subjects (
    account_id {text} NOT NULL, subject {text} NOT NULL, blocked_until {int} NOT NULL, touched_at {int} NOT NULL,
    PRIMARY KEY (account_id, subject)) {strict}`,
  `CREATE INDEX velocity_subjects_by_age ON velocity_subjects (touched_at)`,
  `CREATE TABLE velocity_entries (
    account_id {text} NOT NULL, subject {text} NOT NULL, entry {text} NOT NULL, at {int} NOT NULL,
    PRIMARY KEY (account_id, subject, entry)) {strict}`,
  `CREATE INDEX velocity_entries_in_time ON velocity_entries (account_id, subject, at)`,
  `CREATE INDEX velocity_entries_by_age ON velocity_entries (at)`,
  // Payments of low value since a card's buyer was authenticated last; one without a payment is locked by all others.
  `CREATE TABLE low_value_payments (
    account_id {text} NOT NULL, card_fingerprint {text} NOT NULL, currency {text} NOT NULL, payment_id {text} NOT NULL,
    amount {int} NOT NULL, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, card_fingerprint, currency, payment_id)) {strict}`,
  `CREATE INDEX low_value_payments_by_payment ON low_value_payments (account_id, payment_id)`,
  `CREATE INDEX low_value_payments_locks ON low_value_payments (created_at) WHERE payment_id = ''`,
]

/** A directory server identifies a session only by its transaction id, `external_session_id`. */
const threeds = [
  `CREATE TABLE threeds_sessions (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, customer_id {text} NOT NULL,
    payment_instrument_id {text} NOT NULL, payment_id {text}, is_preview {int} NOT NULL DEFAULT 0,
    provider {text} NOT NULL, external_session_id {text} NOT NULL, status {text} NOT NULL, session_data {text},
    key_id {text}, request_hash {text}, return_url {text}, value_told_at {int}, outcome {text}, result {text}, method_started_at {int}, method_notified_at {int}, notified_at {int},
    cres_status {text}, holder {text}, lease_until {int} NOT NULL, expires_at {int} NOT NULL, created_at {int} NOT NULL,
    updated_at {int} NOT NULL, ended_at {int}, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX threeds_sessions_by_transaction ON threeds_sessions (external_session_id)`,
  `CREATE INDEX threeds_sessions_by_customer ON threeds_sessions (account_id, customer_id, id)`,
  `CREATE INDEX threeds_sessions_open ON threeds_sessions (account_id, expires_at) WHERE ended_at IS NULL`,
  // Without card numbers.
  `CREATE TABLE threeds_messages (
    account_id {text} NOT NULL, transaction_id {text} NOT NULL, position {int} NOT NULL, at {int} NOT NULL,
    sender {text} NOT NULL, receiver {text} NOT NULL, type {text} NOT NULL, message {text} NOT NULL,
    PRIMARY KEY (account_id, transaction_id, position)) {strict}`,
  `CREATE INDEX threeds_messages_by_age ON threeds_messages (at)`,
  `CREATE TABLE threeds_providers (
    name {text} PRIMARY KEY, settings {text} NOT NULL, created_at {int} NOT NULL) {strict}`,
]

const subscriptions = [
  `CREATE TABLE subscriptions (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, customer_id {text} NOT NULL,
    payment_instrument_id {text} NOT NULL, status {text} NOT NULL, terms {text} NOT NULL,
    item_changes {text} NOT NULL, period {int} NOT NULL, due_at {int} NOT NULL, scheduled_at {int}, tries {int} NOT NULL, refused_instrument_id {text}, network_transaction_id {text},
    renewal_payment_id {text}, usage_quantity {int} NOT NULL DEFAULT 0, single_key {text}, cancel_at_period_end {int} NOT NULL, canceled_at {int},
    paused_at {int}, paused_status {text},
    holder {text}, lease_until {int} NOT NULL, created_at {int} NOT NULL, updated_at {int} NOT NULL,
    PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX subscriptions_held ON subscriptions (holder) WHERE holder IS NOT NULL`,
  `CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE status IN ('trialing', 'active', 'past_due')`,
  `CREATE INDEX subscriptions_due_of_account ON subscriptions (account_id, due_at) WHERE status IN ('trialing', 'active', 'past_due')`,
  `CREATE INDEX subscriptions_by_customer ON subscriptions (account_id, customer_id, id)`,
  `CREATE INDEX subscriptions_by_store ON subscriptions (account_id, store_id, id)`,
  `CREATE INDEX subscriptions_by_status ON subscriptions (account_id, status, id)`,
  `CREATE UNIQUE INDEX subscriptions_single ON subscriptions (account_id, single_key) WHERE single_key IS NOT NULL AND status <> 'canceled'`,
  `CREATE TABLE usage_records (
    account_id {text} NOT NULL, subscription_id {text} NOT NULL, id {text} NOT NULL, quantity {int} NOT NULL,
    period {int} NOT NULL, occurred_at {int} NOT NULL, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, subscription_id, id)) {strict}`,
  `CREATE INDEX usage_records_by_period ON usage_records (account_id, subscription_id, period)`,
  `CREATE INDEX usage_records_by_time ON usage_records (account_id, subscription_id, created_at, id)`,
]

/** Tokens and codes arrive without their account, so the indexes on their hashes span all accounts. */
const funnels = [
  `CREATE TABLE funnels (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, archived {int} NOT NULL,
    revision {int} NOT NULL, resource {text} NOT NULL, created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE INDEX funnels_by_time ON funnels (account_id, archived, created_at, id)`,
  `CREATE INDEX funnels_by_store ON funnels (account_id, store_id, created_at, id)`,
  // Steps of active funnels; `page_id` is '' for any page. The first step of the newest funnel comes last.
  `CREATE TABLE funnel_pages (
    account_id {text} NOT NULL, funnel_id {text} NOT NULL, step_id {text} NOT NULL, store_id {text} NOT NULL,
    plugin_id {text} NOT NULL, page_id {text} NOT NULL, rank {int} NOT NULL, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, funnel_id, step_id)) {strict}`,
  `CREATE INDEX funnel_pages_by_page
    ON funnel_pages (account_id, store_id, plugin_id, page_id, created_at, funnel_id, rank)`,
  `CREATE TABLE funnel_sessions (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, customer_id {text},
    is_preview {int} NOT NULL DEFAULT 1, resource {text} NOT NULL, state {text}, revision {int} NOT NULL DEFAULT 1, token_hash {text} NOT NULL,
    token_expires_at {int} NOT NULL, code_hash {text}, code_expires_at {int}, started_at {int},
    last_activity_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX funnel_sessions_by_token ON funnel_sessions (token_hash)`,
  `CREATE INDEX funnel_sessions_by_customer ON funnel_sessions (account_id, customer_id, id)`,
  `CREATE INDEX funnel_sessions_by_activity ON funnel_sessions (last_activity_at)`,
  `CREATE UNIQUE INDEX funnel_sessions_by_code ON funnel_sessions (code_hash)`,
  // Kept for a day, so that a page holding a replaced token learns what happened to its session.
  `CREATE TABLE replaced_session_tokens (
    account_id {text} NOT NULL, token_hash {text} NOT NULL, replaced_at {int} NOT NULL,
    PRIMARY KEY (account_id, token_hash)) {strict}`,
  `CREATE UNIQUE INDEX replaced_session_tokens_by_hash ON replaced_session_tokens (token_hash)`,
  `CREATE INDEX replaced_session_tokens_by_time ON replaced_session_tokens (replaced_at)`,
]

/**
 * Deployments, files and settings never change, except for deletion marks; activations, aliases and routes record what
 * is in use. A host name has one owner across all accounts, so the name alone is its key.
 */
const plugins = [
  `CREATE TABLE plugins (
    account_id {text} NOT NULL, id {text} NOT NULL, slug {text}, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX plugins_by_slug ON plugins (account_id, slug) WHERE slug IS NOT NULL`,
  `CREATE TABLE plugin_assets (
    account_id {text} NOT NULL, sha256 {text} NOT NULL, size {int} NOT NULL, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, sha256)) {strict}`,
  `CREATE INDEX plugin_assets_by_hash ON plugin_assets (sha256)`,
  `CREATE INDEX plugin_assets_by_size ON plugin_assets (account_id, size)`,
  // Spans all accounts, for the sweeper: `made` distinguishes a row from a later one of the same hash; `doomed_by` is
  // deleting the bytes.
  `CREATE TABLE plugin_blobs (
    sha256 {text} PRIMARY KEY, account_id {text} NOT NULL, made {text} NOT NULL, touched_at {int} NOT NULL,
    doomed_at {int}, doomed_by {text}) {strict}`,
  `CREATE TABLE plugin_deployments (
    account_id {text} NOT NULL, id {text} NOT NULL, store_id {text} NOT NULL, plugin_id {text} NOT NULL,
    version {text} NOT NULL, content_hash {text} NOT NULL, host {text} NOT NULL, mode {text} NOT NULL,
    size {int} NOT NULL, name {text} NOT NULL, description {text} NOT NULL, manifest {text} NOT NULL,
    details {text} NOT NULL, deployed_by {text} NOT NULL, made_after {int} NOT NULL, archived_at {int}, offline_at {int},
    removed_at {int}, swept_at {int}, created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX plugin_deployments_live
    ON plugin_deployments (account_id, store_id, plugin_id, version) WHERE archived_at IS NULL`,
  `CREATE UNIQUE INDEX plugin_deployments_by_host ON plugin_deployments (host)`,
  `CREATE INDEX plugin_deployments_by_plugin ON plugin_deployments (account_id, store_id, plugin_id, created_at)`,
  `CREATE INDEX plugin_deployments_kept ON plugin_deployments (account_id, id) WHERE swept_at IS NULL`,
  `CREATE INDEX plugin_deployments_removed
    ON plugin_deployments (removed_at) WHERE removed_at IS NOT NULL AND swept_at IS NULL`,
  `CREATE TABLE plugin_files (
    account_id {text} NOT NULL, deployment_id {text} NOT NULL, path {text} NOT NULL, sha256 {text} NOT NULL,
    content_type {text} NOT NULL, size {int} NOT NULL, PRIMARY KEY (account_id, deployment_id, path)) {strict}`,
  `CREATE INDEX plugin_files_by_hash ON plugin_files (sha256, account_id)`,
  // Assets that a deployment exposes under `/_previews/`.
  `CREATE TABLE plugin_pictures (
    account_id {text} NOT NULL, deployment_id {text} NOT NULL, sha256 {text} NOT NULL, size {int} NOT NULL,
    PRIMARY KEY (account_id, deployment_id, sha256)) {strict}`,
  `CREATE INDEX plugin_pictures_by_hash ON plugin_pictures (sha256, account_id)`,
  `CREATE TABLE plugin_activations (
    account_id {text} NOT NULL, store_id {text} NOT NULL, plugin_id {text} NOT NULL, number {int} NOT NULL DEFAULT 1,
    deployment_id {text} NOT NULL, activated_at {int} NOT NULL, PRIMARY KEY (account_id, store_id, plugin_id)) {strict}`,
  // `before`: the number of the activation that a rollback returns to.
  `CREATE TABLE plugin_activation_log (
    account_id {text} NOT NULL, store_id {text} NOT NULL, plugin_id {text} NOT NULL, number {int} NOT NULL,
    before {int}, deployment_id {text} NOT NULL, activated_at {int} NOT NULL, activated_by {text} NOT NULL,
    PRIMARY KEY (account_id, store_id, plugin_id, number)) {strict}`,
  `CREATE TABLE plugin_aliases (
    account_id {text} NOT NULL, store_id {text} NOT NULL, name {text} NOT NULL, host {text} NOT NULL,
    plugin_id {text} NOT NULL, deployment_id {text} NOT NULL, follows {int} NOT NULL, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, store_id, name)) {strict}`,
  `CREATE UNIQUE INDEX plugin_aliases_by_host ON plugin_aliases (host)`,
  `CREATE INDEX plugin_aliases_by_deployment ON plugin_aliases (account_id, deployment_id)`,
  `CREATE TABLE plugin_revisions (
    account_id {text} NOT NULL, deployment_id {text} NOT NULL, revision {int} NOT NULL,
    source {text} NOT NULL DEFAULT 'author', changed_by {text} NOT NULL, created_at {int} NOT NULL,
    PRIMARY KEY (account_id, deployment_id, revision)) {strict}`,
  `CREATE TABLE plugin_settings (
    account_id {text} NOT NULL, deployment_id {text} NOT NULL, kind {text} NOT NULL, name {text} NOT NULL,
    revision {int} NOT NULL, hash {text} NOT NULL, value {text} NOT NULL,
    PRIMARY KEY (account_id, deployment_id, kind, name, revision)) {strict}`,
  // The author's last synchronised version, from which a merge starts, and what the author has sent last: they differ where
  // the merchant has changed the same.
  `CREATE TABLE plugin_setting_bases (
    account_id {text} NOT NULL, deployment_id {text} NOT NULL, kind {text} NOT NULL, name {text} NOT NULL,
    value {text} NOT NULL, sent {text} NOT NULL, position {int} NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, deployment_id, kind, name)) {strict}`,
  `CREATE TABLE domain_hostnames (
    hostname {text} PRIMARY KEY, account_id {text} NOT NULL, created_at {int} NOT NULL) {strict}`,
  `CREATE TABLE domain_routes (
    account_id {text} NOT NULL, id {text} NOT NULL, hostname {text} NOT NULL, path {text} NOT NULL,
    store_id {text} NOT NULL, plugin_id {text} NOT NULL, deployment_id {text} NOT NULL,
    follows {int} NOT NULL DEFAULT 0, created_at {int} NOT NULL, PRIMARY KEY (account_id, id)) {strict}`,
  `CREATE UNIQUE INDEX domain_routes_by_place ON domain_routes (hostname, path)`,
  `CREATE INDEX domain_routes_by_deployment ON domain_routes (account_id, deployment_id)`,
  `CREATE INDEX domain_routes_by_plugin ON domain_routes (account_id, store_id, plugin_id)`,
]

/**
 * All tables, by owning module. Every key starts with the account, so that a distributed engine keeps an account's rows
 * together; there are no foreign keys, sequences or triggers. Times are in milliseconds since the Unix epoch.
 */
export const baseline: Migration = {
  id: '0001-baseline',
  statements: [
    ...cluster,
    ...backups,
    ...accounts,
    ...members,
    ...catalog,
    ...audit,
    ...requests,
    ...hooks,
    ...search,
    ...events,
    ...keys,
    ...vault,
    ...customers,
    ...privacy,
    ...promotions,
    ...ledger,
    ...orders,
    ...processors,
    ...routing,
    ...threeds,
    ...subscriptions,
    ...funnels,
    ...plugins,
  ],
}
