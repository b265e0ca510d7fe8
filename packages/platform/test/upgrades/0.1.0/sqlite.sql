-- Generated from the migrations by `pnpm run schema`. Do not edit.

CREATE TABLE accounts (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, plan TEXT NOT NULL, rate_per_minute INTEGER, rate_burst INTEGER,
    threeds_provider TEXT NOT NULL DEFAULT 'vendor_a', revision INTEGER NOT NULL DEFAULT 1,
    updated_at INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, pages_off_at INTEGER) STRICT;

CREATE TABLE acs_controls (
    account_id TEXT NOT NULL, transaction_id TEXT NOT NULL, next TEXT NOT NULL,
    PRIMARY KEY (account_id, transaction_id)) STRICT;

CREATE TABLE acs_transactions (
    account_id TEXT NOT NULL, transaction_id TEXT NOT NULL, acs_transaction_id TEXT NOT NULL,
    revision INTEGER NOT NULL, due_at INTEGER, state TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, transaction_id)) STRICT;
CREATE UNIQUE INDEX acs_transactions_by_acs_id ON acs_transactions (acs_transaction_id);
CREATE INDEX acs_transactions_by_age ON acs_transactions (created_at);
CREATE INDEX acs_transactions_due ON acs_transactions (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE api_keys (
    account_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT, kind TEXT NOT NULL, hash TEXT NOT NULL,
    last4 TEXT NOT NULL, roles TEXT NOT NULL, scopes TEXT NOT NULL, store_id TEXT,
    allowed_origins TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER,
    replaced_by TEXT, created_by TEXT, last_used_at INTEGER, PRIMARY KEY (account_id, id)) STRICT;
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);

CREATE TABLE audit_chains (
    account_id TEXT PRIMARY KEY, pruned_sequence INTEGER NOT NULL, pruned_hash TEXT NOT NULL,
    head_sequence INTEGER NOT NULL, head_hash TEXT NOT NULL, mac TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;

CREATE TABLE audit_entries (
    account_id TEXT NOT NULL, id TEXT NOT NULL, actor_kind TEXT NOT NULL, actor_id TEXT NOT NULL,
    actor_name TEXT, address TEXT, user_agent TEXT, operation TEXT NOT NULL, resource_type TEXT,
    resource_id TEXT, status INTEGER, request_id TEXT, changes TEXT, changes_mac TEXT NOT NULL, mac TEXT NOT NULL,
    erased_by TEXT, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX audit_entries_by_actor ON audit_entries (account_id, actor_id, id) WHERE actor_kind <> 'key';
CREATE INDEX audit_entries_by_resource ON audit_entries (account_id, resource_id, id);

CREATE TABLE audit_seals (
    account_id TEXT NOT NULL, sequence INTEGER NOT NULL, entries TEXT NOT NULL, previous TEXT NOT NULL,
    hash TEXT NOT NULL, mac TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, sequence)) STRICT;
CREATE INDEX audit_seals_by_age ON audit_seals (created_at);

CREATE TABLE audit_unsealed (
    account_id TEXT NOT NULL, id TEXT NOT NULL, total INTEGER NOT NULL, entries TEXT NOT NULL,
    PRIMARY KEY (account_id, id)) STRICT, WITHOUT ROWID;

CREATE TABLE card_tokens (
    account_id TEXT NOT NULL, id TEXT NOT NULL, card_id TEXT NOT NULL, store_id TEXT, key_id TEXT NOT NULL,
    jwe_id TEXT NOT NULL, frame_session TEXT, frame_address TEXT, expires_at INTEGER NOT NULL, used_at INTEGER,
    PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX card_tokens_by_card ON card_tokens (account_id, card_id);
CREATE UNIQUE INDEX card_tokens_by_jwe ON card_tokens (account_id, jwe_id);
CREATE INDEX card_tokens_with_sender ON card_tokens (expires_at) WHERE frame_address IS NOT NULL;

CREATE TABLE cards (
    account_id TEXT NOT NULL, id TEXT NOT NULL, fingerprint TEXT NOT NULL,
    sealed_key TEXT NOT NULL, sealed_card TEXT NOT NULL, brand TEXT NOT NULL, last4 TEXT NOT NULL,
    bin TEXT NOT NULL, exp_month INTEGER NOT NULL, exp_year INTEGER NOT NULL, funding TEXT NOT NULL,
    segment TEXT NOT NULL, kind TEXT NOT NULL DEFAULT 'number', wallet TEXT, created_at INTEGER NOT NULL,
    purged_at INTEGER, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX cards_by_fingerprint ON cards (account_id, fingerprint);

CREATE TABLE code_key_wraps (
    process_id TEXT NOT NULL, key_id TEXT NOT NULL, pair_id TEXT NOT NULL, wrapped TEXT NOT NULL,
    made_at INTEGER NOT NULL, PRIMARY KEY (process_id, key_id, pair_id)) STRICT;

CREATE TABLE code_recipients (
    process_id TEXT PRIMARY KEY, pair_id TEXT NOT NULL, public_key TEXT NOT NULL, joined_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL, proof TEXT NOT NULL) STRICT;

CREATE TABLE customer_erasures (
    account_id TEXT NOT NULL, id TEXT NOT NULL, customer_id TEXT NOT NULL, store_id TEXT NOT NULL,
    status TEXT NOT NULL, step INTEGER NOT NULL, progress TEXT NOT NULL, receipt TEXT, created_at INTEGER NOT NULL,
    finished_at INTEGER, PRIMARY KEY (account_id, id)) STRICT;
CREATE UNIQUE INDEX customer_erasures_by_customer ON customer_erasures (account_id, customer_id);
CREATE INDEX customer_erasures_pending ON customer_erasures (created_at) WHERE status = 'pending';

CREATE TABLE customers (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, email TEXT NOT NULL, email_key TEXT,
    first_name TEXT NOT NULL, last_name TEXT NOT NULL, details TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '{}', archived INTEGER NOT NULL DEFAULT 0, revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL DEFAULT 0, erased_at INTEGER,
    PRIMARY KEY (account_id, id)) STRICT;
CREATE UNIQUE INDEX customers_by_email 
    ON customers (account_id, store_id, email_key) WHERE email_key IS NOT NULL AND archived = 0;
CREATE INDEX customers_by_store ON customers (account_id, store_id, id);

CREATE TABLE data_key_wraps (
    ring TEXT NOT NULL, version INTEGER NOT NULL, master_key_id TEXT NOT NULL, master_key TEXT NOT NULL,
    wrapped TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (ring, version, master_key_id)) STRICT;

CREATE TABLE data_keys (
    ring TEXT NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL,
    active_at INTEGER NOT NULL, retired_at INTEGER, PRIMARY KEY (ring, version)) STRICT;

CREATE TABLE delivery_counts (
    account_id TEXT NOT NULL, span_ms INTEGER NOT NULL, starts_at INTEGER NOT NULL, shard INTEGER NOT NULL,
    delivered INTEGER NOT NULL, failed INTEGER NOT NULL, PRIMARY KEY (account_id, span_ms, starts_at, shard)) STRICT, WITHOUT ROWID;

CREATE TABLE disputes (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, payment_id TEXT NOT NULL,
    order_id TEXT NOT NULL, customer_id TEXT NOT NULL, reference TEXT, kind TEXT NOT NULL, status TEXT NOT NULL,
    reason TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL, respond_by INTEGER, evidence_at INTEGER, created_at INTEGER NOT NULL,
    closed_at INTEGER, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX disputes_by_payment ON disputes (account_id, payment_id, created_at, id);
CREATE UNIQUE INDEX disputes_by_reference ON disputes (account_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX disputes_by_status ON disputes (account_id, status, id);
CREATE INDEX disputes_by_store ON disputes (account_id, store_id, id);

CREATE TABLE domain_hostnames (
    hostname TEXT PRIMARY KEY, account_id TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;

CREATE TABLE domain_routes (
    account_id TEXT NOT NULL, id TEXT NOT NULL, hostname TEXT NOT NULL, path TEXT NOT NULL,
    store_id TEXT NOT NULL, plugin_id TEXT NOT NULL, deployment_id TEXT NOT NULL,
    follows INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX domain_routes_by_deployment ON domain_routes (account_id, deployment_id);
CREATE UNIQUE INDEX domain_routes_by_place ON domain_routes (hostname, path);
CREATE INDEX domain_routes_by_plugin ON domain_routes (account_id, store_id, plugin_id);

CREATE TABLE event_counts (
    account_id TEXT NOT NULL, span_ms INTEGER NOT NULL, starts_at INTEGER NOT NULL, store_id TEXT NOT NULL,
    event_type TEXT NOT NULL, draft INTEGER NOT NULL, shard INTEGER NOT NULL, total INTEGER NOT NULL,
    processed INTEGER NOT NULL, PRIMARY KEY (account_id, span_ms, starts_at, store_id, event_type, draft, shard)) STRICT, WITHOUT ROWID;
CREATE INDEX event_counts_sharded ON event_counts (span_ms, starts_at) WHERE shard <> 0;

CREATE TABLE events (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT, customer_id TEXT, event_type TEXT NOT NULL,
    properties TEXT NOT NULL, draft INTEGER NOT NULL, created_at INTEGER NOT NULL, processed_at INTEGER,
    traceparent TEXT, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX events_by_customer ON events (account_id, customer_id, id) WHERE customer_id IS NOT NULL;

CREATE TABLE failed_requests (
    account_id TEXT NOT NULL, id TEXT NOT NULL, operation TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
    path_params TEXT NOT NULL, status INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, param TEXT,
    actor_kind TEXT NOT NULL, actor_id TEXT NOT NULL, actor_name TEXT, store_id TEXT, idempotency_key_hash TEXT,
    duration_ms INTEGER NOT NULL, left_out INTEGER NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX failed_requests_by_time ON failed_requests (created_at);

CREATE TABLE frame_passes (
    account_id TEXT NOT NULL, session TEXT NOT NULL, expires_at INTEGER NOT NULL, PRIMARY KEY (account_id, session)) STRICT;
CREATE INDEX frame_passes_by_expiry ON frame_passes (expires_at);

CREATE TABLE funnel_pages (
    account_id TEXT NOT NULL, funnel_id TEXT NOT NULL, step_id TEXT NOT NULL, store_id TEXT NOT NULL,
    plugin_id TEXT NOT NULL, page_id TEXT NOT NULL, rank INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, funnel_id, step_id)) STRICT;
CREATE INDEX funnel_pages_by_page
    ON funnel_pages (account_id, store_id, plugin_id, page_id, created_at, funnel_id, rank);

CREATE TABLE funnel_sessions (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, customer_id TEXT,
    is_preview INTEGER NOT NULL DEFAULT 1, resource TEXT NOT NULL, state TEXT, revision INTEGER NOT NULL DEFAULT 1, token_hash TEXT NOT NULL,
    token_expires_at INTEGER NOT NULL, code_hash TEXT, code_expires_at INTEGER, started_at INTEGER,
    last_activity_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX funnel_sessions_by_activity ON funnel_sessions (last_activity_at);
CREATE UNIQUE INDEX funnel_sessions_by_code ON funnel_sessions (code_hash);
CREATE INDEX funnel_sessions_by_customer ON funnel_sessions (account_id, customer_id, id);
CREATE UNIQUE INDEX funnel_sessions_by_token ON funnel_sessions (token_hash);

CREATE TABLE funnels (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, archived INTEGER NOT NULL,
    revision INTEGER NOT NULL, resource TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX funnels_by_store ON funnels (account_id, store_id, created_at, id);
CREATE INDEX funnels_by_time ON funnels (account_id, archived, created_at, id);

CREATE TABLE hook_answers (
    account_id TEXT NOT NULL, id TEXT NOT NULL, hook_id TEXT NOT NULL, asked_at INTEGER NOT NULL,
    usable_until INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX hook_answers_by_hook ON hook_answers (account_id, hook_id, asked_at, id);
CREATE INDEX hook_answers_by_time ON hook_answers (asked_at);

CREATE TABLE hooks (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, kind TEXT NOT NULL, url TEXT NOT NULL,
    timeout_ms INTEGER NOT NULL, on_failure TEXT NOT NULL, active INTEGER NOT NULL, secrets TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE UNIQUE INDEX hooks_by_kind ON hooks (account_id, store_id, kind);

CREATE TABLE idempotency_keys (
    account_id TEXT NOT NULL, idempotency_key TEXT NOT NULL, fingerprint TEXT NOT NULL, status INTEGER,
    body TEXT, holder TEXT, lease_until INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, idempotency_key)) STRICT;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires_at);

CREATE TABLE key_uses (
    ring TEXT NOT NULL, version INTEGER NOT NULL, purpose TEXT NOT NULL, operation TEXT NOT NULL,
    total INTEGER NOT NULL, last_used_at INTEGER NOT NULL, PRIMARY KEY (ring, version, purpose, operation)) STRICT;

CREATE TABLE last_backup (
    id INTEGER PRIMARY KEY, taken_at INTEGER NOT NULL, version TEXT NOT NULL, missing_blobs INTEGER NOT NULL,
    verified_at INTEGER) STRICT;

CREATE TABLE ledger_entries (
    account_id TEXT NOT NULL, payment_id TEXT NOT NULL, entry TEXT NOT NULL, booking TEXT NOT NULL,
    ledger_account TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, payment_id, entry, booking, ledger_account)) STRICT, WITHOUT ROWID;

CREATE TABLE low_value_payments (
    account_id TEXT NOT NULL, card_fingerprint TEXT NOT NULL, currency TEXT NOT NULL, payment_id TEXT NOT NULL,
    amount INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, card_fingerprint, currency, payment_id)) STRICT;
CREATE INDEX low_value_payments_by_payment ON low_value_payments (account_id, payment_id);
CREATE INDEX low_value_payments_locks ON low_value_payments (created_at) WHERE payment_id = '';

CREATE TABLE member_identities (
    account_id TEXT NOT NULL, id TEXT NOT NULL, member_id TEXT NOT NULL, issuer TEXT NOT NULL,
    subject TEXT NOT NULL, email TEXT, created_at INTEGER NOT NULL, last_used_at INTEGER,
    PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX member_identities_by_member ON member_identities (account_id, member_id, created_at);
CREATE UNIQUE INDEX member_identities_by_subject ON member_identities (issuer, subject);

CREATE TABLE member_sessions (
    account_id TEXT NOT NULL, id TEXT NOT NULL, member_id TEXT NOT NULL, token_hash TEXT NOT NULL,
    method TEXT NOT NULL, address TEXT NOT NULL, user_agent TEXT, created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX member_sessions_by_expiry ON member_sessions (expires_at);
CREATE INDEX member_sessions_by_member ON member_sessions (account_id, member_id, created_at);
CREATE UNIQUE INDEX member_sessions_by_token ON member_sessions (token_hash);

CREATE TABLE members (
    account_id TEXT NOT NULL, id TEXT NOT NULL, email TEXT NOT NULL, name TEXT, role TEXT NOT NULL,
    store_ids TEXT, status TEXT NOT NULL, invitation_hash TEXT, invitation_expires_at INTEGER,
    created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE UNIQUE INDEX members_by_email ON members (account_id, email) WHERE status <> 'removed';
CREATE UNIQUE INDEX members_by_invitation ON members (invitation_hash) WHERE invitation_hash IS NOT NULL;
CREATE INDEX members_by_role ON members (account_id, role) WHERE status = 'active';
CREATE INDEX members_by_time ON members (account_id, created_at, id);

CREATE TABLE migrations (
    id TEXT PRIMARY KEY, state TEXT NOT NULL, actions INTEGER NOT NULL, position TEXT, filled INTEGER NOT NULL,
    free_since INTEGER) STRICT;

CREATE TABLE orders (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, customer_id TEXT NOT NULL,
    status TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL, pricing TEXT NOT NULL, lines TEXT NOT NULL,
    metadata TEXT NOT NULL, buyer TEXT, is_preview INTEGER NOT NULL DEFAULT 0, revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL DEFAULT 0,
    paid_at INTEGER, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX orders_by_amount ON orders (account_id, amount, id);
CREATE INDEX orders_by_customer ON orders (account_id, customer_id, id);
CREATE INDEX orders_by_store ON orders (account_id, store_id, id);

CREATE TABLE passkeys (
    account_id TEXT NOT NULL, id TEXT NOT NULL, member_id TEXT NOT NULL, credential_id TEXT NOT NULL,
    public_key TEXT NOT NULL, counter INTEGER NOT NULL, transports TEXT NOT NULL, name TEXT NOT NULL,
    backed_up INTEGER NOT NULL, created_at INTEGER NOT NULL, last_used_at INTEGER, PRIMARY KEY (account_id, id)) STRICT;
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (credential_id);
CREATE INDEX passkeys_by_member ON passkeys (account_id, member_id, created_at);

CREATE TABLE payment_attempts (
    account_id TEXT NOT NULL, id TEXT NOT NULL, payment_id TEXT NOT NULL, ordinal INTEGER NOT NULL DEFAULT 1,
    processor_id TEXT NOT NULL, reference TEXT, status TEXT NOT NULL, outcome TEXT, decline_code TEXT,
    advice TEXT, network_transaction_id TEXT, checks TEXT, exemption TEXT, fee TEXT, decision TEXT NOT NULL, card_fingerprint TEXT, is_open INTEGER NOT NULL, created_at INTEGER NOT NULL, finished_at INTEGER,
    PRIMARY KEY (account_id, id)) STRICT;
CREATE UNIQUE INDEX payment_attempts_by_ordinal ON payment_attempts (account_id, payment_id, ordinal);
CREATE INDEX payment_attempts_declined
    ON payment_attempts (account_id, card_fingerprint, created_at) WHERE is_open = 0;
CREATE UNIQUE INDEX payment_attempts_open ON payment_attempts (account_id, payment_id) WHERE is_open = 1;

CREATE TABLE payment_flows (
    account_id TEXT NOT NULL, id TEXT NOT NULL, archived INTEGER NOT NULL, revision INTEGER NOT NULL, resource TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX payment_flows_in_order ON payment_flows (account_id, archived, id);

CREATE TABLE payment_follow_ups (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, payment_id TEXT NOT NULL,
    order_id TEXT NOT NULL, kind TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL, is_final INTEGER NOT NULL DEFAULT 1,
    reason TEXT, status TEXT NOT NULL, failure TEXT, reference TEXT, idempotency_key TEXT, holder TEXT, lease_until INTEGER NOT NULL, created_at INTEGER NOT NULL, finished_at INTEGER,
    PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX payment_follow_ups_by_payment ON payment_follow_ups (account_id, payment_id, created_at, id);
CREATE UNIQUE INDEX payment_follow_ups_once
    ON payment_follow_ups (account_id, payment_id) WHERE kind <> 'refund' AND is_final = 1 AND status <> 'failed';
CREATE UNIQUE INDEX payment_follow_ups_pending ON payment_follow_ups (account_id, payment_id) WHERE status = 'pending';
CREATE INDEX payment_follow_ups_under_way
    ON payment_follow_ups (account_id, lease_until) WHERE status = 'pending' AND reference IS NULL;
CREATE INDEX payment_follow_ups_waiting
    ON payment_follow_ups (account_id, lease_until) WHERE status = 'pending' AND reference IS NOT NULL;
CREATE INDEX refunds_by_status ON payment_follow_ups (account_id, status, created_at, id) WHERE kind = 'refund';
CREATE INDEX refunds_by_store ON payment_follow_ups (account_id, store_id, created_at, id) WHERE kind = 'refund';
CREATE INDEX refunds_by_time ON payment_follow_ups (account_id, created_at, id) WHERE kind = 'refund';

CREATE TABLE payment_instruments (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, customer_id TEXT NOT NULL,
    card_id TEXT NOT NULL, is_active INTEGER NOT NULL, is_default INTEGER NOT NULL,
    is_customer_proven INTEGER NOT NULL DEFAULT 0, consent TEXT, replacement TEXT, is_trusted INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX payment_instruments_by_customer ON payment_instruments (account_id, customer_id, id);
CREATE INDEX payment_instruments_by_store ON payment_instruments (account_id, store_id, id);
CREATE UNIQUE INDEX payment_instruments_default ON payment_instruments (account_id, customer_id) WHERE is_default = 1;

CREATE TABLE payments (
    account_id TEXT NOT NULL, id TEXT NOT NULL, order_id TEXT NOT NULL, store_id TEXT NOT NULL,
    customer_id TEXT NOT NULL, payment_instrument_id TEXT, payment_flow_id TEXT NOT NULL, method TEXT,
    return_url TEXT, redirect_url TEXT, expires_at INTEGER, card_brand TEXT NOT NULL, card_last4 TEXT NOT NULL, threeds_session_id TEXT, funnel_session_id TEXT, idempotency_key TEXT, status TEXT NOT NULL,
    decline_code TEXT, currency TEXT NOT NULL, amount INTEGER NOT NULL, captured_amount INTEGER NOT NULL DEFAULT 0,
    refund_reserved INTEGER NOT NULL DEFAULT 0, refund_tries INTEGER NOT NULL DEFAULT 0,
    refunded_amount INTEGER NOT NULL DEFAULT 0, disputed_amount INTEGER NOT NULL DEFAULT 0,
    capture_method TEXT NOT NULL DEFAULT 'automatic', statement_descriptor TEXT, routing TEXT,
    subscriptions TEXT, preview TEXT, agreement TEXT, holder TEXT, lease_until INTEGER NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX payments_awaited ON payments (account_id, lease_until) WHERE expires_at IS NOT NULL;
CREATE INDEX payments_by_amount ON payments (account_id, amount, id);
CREATE INDEX payments_by_card ON payments (account_id, card_last4, id);
CREATE INDEX payments_by_customer ON payments (account_id, customer_id, id);
CREATE INDEX payments_by_order ON payments (account_id, order_id, id);
CREATE INDEX payments_by_status ON payments (account_id, status, id) WHERE status <> 'processing';
CREATE INDEX payments_by_store ON payments (account_id, store_id, id);
CREATE INDEX payments_under_way ON payments (account_id, lease_until) WHERE status = 'processing' AND expires_at IS NULL;
CREATE INDEX payments_waiting ON payments (account_id, lease_until) WHERE status = 'requires_action' AND expires_at IS NULL;

CREATE TABLE plugin_activation_log (
    account_id TEXT NOT NULL, store_id TEXT NOT NULL, plugin_id TEXT NOT NULL, number INTEGER NOT NULL,
    before INTEGER, deployment_id TEXT NOT NULL, activated_at INTEGER NOT NULL, activated_by TEXT NOT NULL,
    PRIMARY KEY (account_id, store_id, plugin_id, number)) STRICT;

CREATE TABLE plugin_activations (
    account_id TEXT NOT NULL, store_id TEXT NOT NULL, plugin_id TEXT NOT NULL, number INTEGER NOT NULL DEFAULT 1,
    deployment_id TEXT NOT NULL, activated_at INTEGER NOT NULL, PRIMARY KEY (account_id, store_id, plugin_id)) STRICT;

CREATE TABLE plugin_aliases (
    account_id TEXT NOT NULL, store_id TEXT NOT NULL, name TEXT NOT NULL, host TEXT NOT NULL,
    plugin_id TEXT NOT NULL, deployment_id TEXT NOT NULL, follows INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, store_id, name)) STRICT;
CREATE INDEX plugin_aliases_by_deployment ON plugin_aliases (account_id, deployment_id);
CREATE UNIQUE INDEX plugin_aliases_by_host ON plugin_aliases (host);

CREATE TABLE plugin_assets (
    account_id TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, sha256)) STRICT;
CREATE INDEX plugin_assets_by_hash ON plugin_assets (sha256);
CREATE INDEX plugin_assets_by_size ON plugin_assets (account_id, size);

CREATE TABLE plugin_blobs (
    sha256 TEXT PRIMARY KEY, account_id TEXT NOT NULL, made TEXT NOT NULL, touched_at INTEGER NOT NULL,
    doomed_at INTEGER, doomed_by TEXT) STRICT;

CREATE TABLE plugin_deployments (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, plugin_id TEXT NOT NULL,
    version TEXT NOT NULL, content_hash TEXT NOT NULL, host TEXT NOT NULL, mode TEXT NOT NULL,
    size INTEGER NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, manifest TEXT NOT NULL,
    details TEXT NOT NULL, deployed_by TEXT NOT NULL, made_after INTEGER NOT NULL, archived_at INTEGER, offline_at INTEGER,
    removed_at INTEGER, swept_at INTEGER, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE UNIQUE INDEX plugin_deployments_by_host ON plugin_deployments (host);
CREATE INDEX plugin_deployments_by_plugin ON plugin_deployments (account_id, store_id, plugin_id, created_at);
CREATE INDEX plugin_deployments_kept ON plugin_deployments (account_id, id) WHERE swept_at IS NULL;
CREATE UNIQUE INDEX plugin_deployments_live
    ON plugin_deployments (account_id, store_id, plugin_id, version) WHERE archived_at IS NULL;
CREATE INDEX plugin_deployments_removed
    ON plugin_deployments (removed_at) WHERE removed_at IS NOT NULL AND swept_at IS NULL;

CREATE TABLE plugin_files (
    account_id TEXT NOT NULL, deployment_id TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
    content_type TEXT NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (account_id, deployment_id, path)) STRICT;
CREATE INDEX plugin_files_by_hash ON plugin_files (sha256, account_id);

CREATE TABLE plugin_pictures (
    account_id TEXT NOT NULL, deployment_id TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL,
    PRIMARY KEY (account_id, deployment_id, sha256)) STRICT;
CREATE INDEX plugin_pictures_by_hash ON plugin_pictures (sha256, account_id);

CREATE TABLE plugin_revisions (
    account_id TEXT NOT NULL, deployment_id TEXT NOT NULL, revision INTEGER NOT NULL,
    source TEXT NOT NULL DEFAULT 'author', changed_by TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, deployment_id, revision)) STRICT;

CREATE TABLE plugin_setting_bases (
    account_id TEXT NOT NULL, deployment_id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    value TEXT NOT NULL, sent TEXT NOT NULL, position INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, deployment_id, kind, name)) STRICT;

CREATE TABLE plugin_settings (
    account_id TEXT NOT NULL, deployment_id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    revision INTEGER NOT NULL, hash TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (account_id, deployment_id, kind, name, revision)) STRICT;

CREATE TABLE plugins (
    account_id TEXT NOT NULL, id TEXT NOT NULL, slug TEXT, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)) STRICT;
CREATE UNIQUE INDEX plugins_by_slug ON plugins (account_id, slug) WHERE slug IS NOT NULL;

CREATE TABLE prices (
    account_id TEXT NOT NULL, id TEXT NOT NULL, variant_id TEXT NOT NULL, sold INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)) STRICT, WITHOUT ROWID;

CREATE TABLE processes (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, roles TEXT NOT NULL, version TEXT NOT NULL, schema_number INTEGER NOT NULL,
    beats INTEGER NOT NULL,
    clock_offset INTEGER NOT NULL, started_at INTEGER NOT NULL, heartbeat_at INTEGER NOT NULL,
    circuits TEXT NOT NULL DEFAULT '{}', report TEXT NOT NULL) STRICT;

CREATE TABLE processor_notifications (
    account_id TEXT NOT NULL, processor_id TEXT NOT NULL, reference TEXT NOT NULL, event TEXT NOT NULL,
    succeeded INTEGER NOT NULL, about TEXT NOT NULL, payment_reference TEXT NOT NULL, told TEXT NOT NULL,
    received_at INTEGER NOT NULL, PRIMARY KEY (account_id, processor_id, reference, event, succeeded)) STRICT;
CREATE INDEX processor_notifications_by_about ON processor_notifications (account_id, processor_id, about);
CREATE INDEX processor_notifications_by_payment
    ON processor_notifications (account_id, processor_id, payment_reference);

CREATE TABLE processor_tokens (
    account_id TEXT NOT NULL, payment_instrument_id TEXT NOT NULL, processor_id TEXT NOT NULL,
    processor_type TEXT NOT NULL, token TEXT NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, payment_instrument_id, processor_id)) STRICT;

CREATE TABLE processors (
    account_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, driver TEXT NOT NULL, config TEXT,
    sealed_secret TEXT, sealed_webhook_secret TEXT, archived_at INTEGER,
    revision INTEGER NOT NULL DEFAULT 1, updated_at INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id),
    CHECK (length(driver) BETWEEN 1 AND 40
      AND substr(driver, 1, 1) BETWEEN 'a' AND 'z'
      AND ltrim(driver, 'abcdefghijklmnopqrstuvwxyz0123456789_') = '')) STRICT;

CREATE TABLE products (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, active INTEGER NOT NULL, archived INTEGER NOT NULL,
    revision INTEGER NOT NULL, resource TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX products_by_store ON products (account_id, store_id, created_at, id);
CREATE INDEX products_by_time ON products (account_id, archived, created_at, id);

CREATE TABLE promotions (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, code_key TEXT, live_code TEXT,
    automatic INTEGER NOT NULL, enabled INTEGER NOT NULL, starts_at INTEGER, ends_at INTEGER, usage_limit INTEGER,
    usage_count INTEGER NOT NULL, usage_reserved INTEGER NOT NULL, archived INTEGER NOT NULL, revision INTEGER NOT NULL,
    resource TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX promotions_automatic
    ON promotions (account_id, store_id, created_at, id) WHERE automatic = 1 AND enabled = 1 AND archived = 0;
CREATE INDEX promotions_by_code ON promotions (account_id, store_id, code_key, created_at) WHERE code_key IS NOT NULL;
CREATE UNIQUE INDEX promotions_by_live_code
    ON promotions (account_id, store_id, live_code) WHERE live_code IS NOT NULL;
CREATE INDEX promotions_by_store ON promotions (account_id, store_id, created_at, id);
CREATE INDEX promotions_by_time ON promotions (account_id, archived, created_at, id);

CREATE TABLE rate_buckets (
    subject TEXT PRIMARY KEY, full_at_us INTEGER NOT NULL) STRICT;

CREATE TABLE recovery_codes (
    account_id TEXT NOT NULL, member_id TEXT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (account_id, member_id, hash)) STRICT;
CREATE UNIQUE INDEX recovery_codes_by_hash ON recovery_codes (hash);

CREATE TABLE refund_limits (
    account_id TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL,
    PRIMARY KEY (account_id, currency)) STRICT;

CREATE TABLE refund_requests (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, payment_id TEXT NOT NULL,
    amount INTEGER NOT NULL, currency TEXT NOT NULL, reason TEXT, refunded_before INTEGER NOT NULL,
    status TEXT NOT NULL, requested_by TEXT NOT NULL, decided_by TEXT, refund_id TEXT,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, decided_at INTEGER, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX refund_requests_by_payment ON refund_requests (account_id, payment_id, id);
CREATE INDEX refund_requests_by_status ON refund_requests (account_id, status, id);
CREATE INDEX refund_requests_by_store ON refund_requests (account_id, store_id, id);
CREATE INDEX refund_requests_overdue ON refund_requests (expires_at) WHERE status = 'pending';
CREATE UNIQUE INDEX refund_requests_pending ON refund_requests (account_id, payment_id) WHERE status = 'pending';

CREATE TABLE replaced_session_tokens (
    account_id TEXT NOT NULL, token_hash TEXT NOT NULL, replaced_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, token_hash)) STRICT;
CREATE UNIQUE INDEX replaced_session_tokens_by_hash ON replaced_session_tokens (token_hash);
CREATE INDEX replaced_session_tokens_by_time ON replaced_session_tokens (replaced_at);

CREATE TABLE reseals (
    ring TEXT NOT NULL, place TEXT NOT NULL, version INTEGER NOT NULL, pass INTEGER NOT NULL,
    account_cursor TEXT NOT NULL, id_cursor TEXT NOT NULL, resealed INTEGER NOT NULL, done_at INTEGER,
    PRIMARY KEY (ring, place)) STRICT;

CREATE TABLE schema_state (
    id INTEGER PRIMARY KEY, oldest INTEGER NOT NULL, holder TEXT, held_until INTEGER NOT NULL) STRICT;

CREATE TABLE search_words (
    account_id TEXT NOT NULL, resource TEXT NOT NULL, word TEXT NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY (account_id, resource, word, id)) STRICT, WITHOUT ROWID;
CREATE INDEX search_words_by_resource ON search_words (account_id, resource, id, word);

CREATE TABLE security_codes (
    account_id TEXT NOT NULL, id TEXT NOT NULL, key_id TEXT NOT NULL, sealed TEXT NOT NULL,
    approval TEXT, expires_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX security_codes_by_expiry ON security_codes (expires_at);

CREATE TABLE shared_time (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, ahead INTEGER NOT NULL) STRICT;

CREATE TABLE shipping_options (
    account_id TEXT NOT NULL, store_id TEXT NOT NULL, options TEXT NOT NULL, PRIMARY KEY (account_id, store_id)) STRICT;

CREATE TABLE sign_in_ceremonies (
    hash TEXT PRIMARY KEY, kind TEXT NOT NULL, challenge TEXT NOT NULL, account_id TEXT, member_id TEXT,
    expires_at INTEGER NOT NULL) STRICT;
CREATE INDEX sign_in_ceremonies_by_expiry ON sign_in_ceremonies (expires_at);

CREATE TABLE simulator_charges (
    attempt_id TEXT PRIMARY KEY, processor_id TEXT NOT NULL, outcome TEXT NOT NULL, amount INTEGER NOT NULL,
    currency TEXT NOT NULL, created_at INTEGER NOT NULL, authorised INTEGER NOT NULL DEFAULT 0,
    captured INTEGER NOT NULL DEFAULT 0, refunded INTEGER NOT NULL DEFAULT 0, closed INTEGER NOT NULL DEFAULT 0,
    dispute TEXT, with_code INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX simulator_charges_disputed ON simulator_charges (attempt_id) WHERE dispute IS NOT NULL;

CREATE TABLE simulator_moves (
    id TEXT PRIMARY KEY, attempt_id TEXT NOT NULL, kind TEXT NOT NULL, amount INTEGER NOT NULL,
    created_at INTEGER NOT NULL) STRICT;
CREATE INDEX simulator_moves_by_attempt ON simulator_moves (attempt_id);

CREATE TABLE simulator_orders (
    attempt_id TEXT PRIMARY KEY, processor_id TEXT NOT NULL, method TEXT NOT NULL, status TEXT NOT NULL,
    amount INTEGER NOT NULL, currency TEXT NOT NULL, return_url TEXT, due_at INTEGER, expires_at INTEGER NOT NULL,
    plan TEXT, is_told INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT;
CREATE INDEX simulator_orders_due ON simulator_orders (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX simulator_orders_moved ON simulator_orders (attempt_id) WHERE is_told = 0;

CREATE TABLE simulator_reversals (attempt_id TEXT PRIMARY KEY, kind TEXT NOT NULL) STRICT;

CREATE TABLE statistics_counts (
    account_id TEXT NOT NULL, store_id TEXT NOT NULL, span_ms INTEGER NOT NULL, starts_at INTEGER NOT NULL,
    subject TEXT NOT NULL, created INTEGER NOT NULL, succeeded INTEGER NOT NULL, volume INTEGER NOT NULL,
    failed INTEGER NOT NULL, canceled INTEGER NOT NULL, refunds INTEGER NOT NULL, refunded_amount INTEGER NOT NULL,
    chargebacks INTEGER NOT NULL, disputed_amount INTEGER NOT NULL, inquiries INTEGER NOT NULL, attempts INTEGER NOT NULL,
    approved INTEGER NOT NULL, PRIMARY KEY (account_id, store_id, span_ms, starts_at, subject)) STRICT, WITHOUT ROWID;

CREATE TABLE statistics_folds (account_id TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT;

CREATE TABLE stores (
    account_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, selected_payment_flow_id TEXT,
    credentials TEXT, archived INTEGER NOT NULL, revision INTEGER NOT NULL, resource TEXT NOT NULL,
    created_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX stores_by_flow ON stores (account_id, selected_payment_flow_id, id);
CREATE INDEX stores_by_time ON stores (account_id, archived, created_at, id);

CREATE TABLE subscriptions (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, customer_id TEXT NOT NULL,
    payment_instrument_id TEXT NOT NULL, status TEXT NOT NULL, terms TEXT NOT NULL,
    item_changes TEXT NOT NULL, period INTEGER NOT NULL, due_at INTEGER NOT NULL, scheduled_at INTEGER, tries INTEGER NOT NULL, refused_instrument_id TEXT, network_transaction_id TEXT,
    renewal_payment_id TEXT, usage_quantity INTEGER NOT NULL DEFAULT 0, single_key TEXT, cancel_at_period_end INTEGER NOT NULL, canceled_at INTEGER,
    paused_at INTEGER, paused_status TEXT,
    holder TEXT, lease_until INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX subscriptions_by_customer ON subscriptions (account_id, customer_id, id);
CREATE INDEX subscriptions_by_status ON subscriptions (account_id, status, id);
CREATE INDEX subscriptions_by_store ON subscriptions (account_id, store_id, id);
CREATE INDEX subscriptions_due ON subscriptions (due_at) WHERE status IN ('trialing', 'active', 'past_due');
CREATE INDEX subscriptions_due_of_account ON subscriptions (account_id, due_at) WHERE status IN ('trialing', 'active', 'past_due');
CREATE INDEX subscriptions_held ON subscriptions (holder) WHERE holder IS NOT NULL;
CREATE UNIQUE INDEX subscriptions_single ON subscriptions (account_id, single_key) WHERE single_key IS NOT NULL AND status <> 'canceled';

CREATE TABLE threeds_messages (
    account_id TEXT NOT NULL, transaction_id TEXT NOT NULL, position INTEGER NOT NULL, at INTEGER NOT NULL,
    sender TEXT NOT NULL, receiver TEXT NOT NULL, type TEXT NOT NULL, message TEXT NOT NULL,
    PRIMARY KEY (account_id, transaction_id, position)) STRICT;
CREATE INDEX threeds_messages_by_age ON threeds_messages (at);

CREATE TABLE threeds_providers (
    name TEXT PRIMARY KEY, settings TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;

CREATE TABLE threeds_sessions (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, customer_id TEXT NOT NULL,
    payment_instrument_id TEXT NOT NULL, payment_id TEXT, is_preview INTEGER NOT NULL DEFAULT 0,
    provider TEXT NOT NULL, external_session_id TEXT NOT NULL, status TEXT NOT NULL, session_data TEXT,
    key_id TEXT, request_hash TEXT, return_url TEXT, value_told_at INTEGER, outcome TEXT, result TEXT, method_started_at INTEGER, method_notified_at INTEGER, notified_at INTEGER,
    cres_status TEXT, holder TEXT, lease_until INTEGER NOT NULL, expires_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, ended_at INTEGER, PRIMARY KEY (account_id, id)) STRICT;
CREATE INDEX threeds_sessions_by_customer ON threeds_sessions (account_id, customer_id, id);
CREATE UNIQUE INDEX threeds_sessions_by_transaction ON threeds_sessions (external_session_id);
CREATE INDEX threeds_sessions_open ON threeds_sessions (account_id, expires_at) WHERE ended_at IS NULL;

CREATE TABLE usage_records (
    account_id TEXT NOT NULL, subscription_id TEXT NOT NULL, id TEXT NOT NULL, quantity INTEGER NOT NULL,
    period INTEGER NOT NULL, occurred_at INTEGER NOT NULL, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, subscription_id, id)) STRICT;
CREATE INDEX usage_records_by_period ON usage_records (account_id, subscription_id, period);
CREATE INDEX usage_records_by_time ON usage_records (account_id, subscription_id, created_at, id);

CREATE TABLE variants (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT NOT NULL, product_id TEXT NOT NULL, sku TEXT,
    PRIMARY KEY (account_id, id)) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX variants_by_sku ON variants (account_id, store_id, sku) WHERE sku IS NOT NULL;

CREATE TABLE vault_keys (
    id TEXT PRIMARY KEY, public_jwk TEXT NOT NULL,
    sealed_private_jwk TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;

CREATE TABLE velocity_entries (
    account_id TEXT NOT NULL, subject TEXT NOT NULL, entry TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (account_id, subject, entry)) STRICT;
CREATE INDEX velocity_entries_by_age ON velocity_entries (at);
CREATE INDEX velocity_entries_in_time ON velocity_entries (account_id, subject, at);

CREATE TABLE velocity_subjects (
    account_id TEXT NOT NULL, subject TEXT NOT NULL, blocked_until INTEGER NOT NULL, touched_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, subject)) STRICT;
CREATE INDEX velocity_subjects_by_age ON velocity_subjects (touched_at);

CREATE TABLE wallets (
    account_id TEXT NOT NULL, id TEXT NOT NULL, settings TEXT NOT NULL, sealed_keys TEXT NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (account_id, id)) STRICT;

CREATE TABLE webhook_deliveries (
    account_id TEXT NOT NULL, event_id TEXT NOT NULL, endpoint_id TEXT NOT NULL, state TEXT NOT NULL,
    attempts INTEGER NOT NULL, attempt_log TEXT NOT NULL DEFAULT '[]', holder TEXT, next_attempt_at INTEGER NOT NULL,
    last_status INTEGER, last_response TEXT, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, event_id, endpoint_id)) STRICT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_failed
    ON webhook_deliveries (account_id, event_id, endpoint_id) WHERE state = 'failed';
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (holder) WHERE holder IS NOT NULL;

CREATE TABLE webhook_endpoints (
    account_id TEXT NOT NULL, id TEXT NOT NULL, store_id TEXT, url TEXT NOT NULL, event_types TEXT NOT NULL,
    drafts INTEGER NOT NULL, secrets TEXT NOT NULL, enabled INTEGER NOT NULL, failing_since INTEGER,
    revision INTEGER NOT NULL DEFAULT 1, updated_at INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)) STRICT;
