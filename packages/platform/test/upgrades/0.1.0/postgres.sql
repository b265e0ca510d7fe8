-- Generated from the migrations by `pnpm run schema`. Do not edit.

CREATE TABLE accounts (
  id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  plan TEXT COLLATE "C" NOT NULL,
  rate_per_minute BIGINT,
  rate_burst BIGINT,
  threeds_provider TEXT COLLATE "C" NOT NULL DEFAULT 'vendor_a'::text,
  revision BIGINT NOT NULL DEFAULT 1,
  updated_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  pages_off_at BIGINT,
  PRIMARY KEY (id));

CREATE TABLE acs_controls (
  account_id TEXT COLLATE "C" NOT NULL,
  transaction_id TEXT COLLATE "C" NOT NULL,
  next TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, transaction_id));

CREATE TABLE acs_transactions (
  account_id TEXT COLLATE "C" NOT NULL,
  transaction_id TEXT COLLATE "C" NOT NULL,
  acs_transaction_id TEXT COLLATE "C" NOT NULL,
  revision BIGINT NOT NULL,
  due_at BIGINT,
  state TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, transaction_id));
CREATE UNIQUE INDEX acs_transactions_by_acs_id ON public.acs_transactions USING btree (acs_transaction_id);
CREATE INDEX acs_transactions_by_age ON public.acs_transactions USING btree (created_at);
CREATE INDEX acs_transactions_due ON public.acs_transactions USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE TABLE api_keys (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C",
  kind TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  last4 TEXT COLLATE "C" NOT NULL,
  roles TEXT COLLATE "C" NOT NULL,
  scopes TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C",
  allowed_origins TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  replaced_by TEXT COLLATE "C",
  created_by TEXT COLLATE "C",
  last_used_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX api_keys_by_hash ON public.api_keys USING btree (hash);

CREATE TABLE audit_chains (
  account_id TEXT COLLATE "C" NOT NULL,
  pruned_sequence BIGINT NOT NULL,
  pruned_hash TEXT COLLATE "C" NOT NULL,
  head_sequence BIGINT NOT NULL,
  head_hash TEXT COLLATE "C" NOT NULL,
  mac TEXT COLLATE "C" NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id));

CREATE TABLE audit_entries (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  actor_kind TEXT COLLATE "C" NOT NULL,
  actor_id TEXT COLLATE "C" NOT NULL,
  actor_name TEXT COLLATE "C",
  address TEXT COLLATE "C",
  user_agent TEXT COLLATE "C",
  operation TEXT COLLATE "C" NOT NULL,
  resource_type TEXT COLLATE "C",
  resource_id TEXT COLLATE "C",
  status BIGINT,
  request_id TEXT COLLATE "C",
  changes TEXT COLLATE "C",
  changes_mac TEXT COLLATE "C" NOT NULL,
  mac TEXT COLLATE "C" NOT NULL,
  erased_by TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (account_id, actor_id, id) WHERE (actor_kind <> 'key'::text);
CREATE INDEX audit_entries_by_resource ON public.audit_entries USING btree (account_id, resource_id, id);

CREATE TABLE audit_seals (
  account_id TEXT COLLATE "C" NOT NULL,
  sequence BIGINT NOT NULL,
  entries TEXT COLLATE "C" NOT NULL,
  previous TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  mac TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, sequence));
CREATE INDEX audit_seals_by_age ON public.audit_seals USING btree (created_at);

CREATE TABLE audit_unsealed (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  total BIGINT NOT NULL,
  entries TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, id));

CREATE TABLE card_tokens (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  card_id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C",
  key_id TEXT COLLATE "C" NOT NULL,
  jwe_id TEXT COLLATE "C" NOT NULL,
  frame_session TEXT COLLATE "C",
  frame_address TEXT COLLATE "C",
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE INDEX card_tokens_by_card ON public.card_tokens USING btree (account_id, card_id);
CREATE UNIQUE INDEX card_tokens_by_jwe ON public.card_tokens USING btree (account_id, jwe_id);
CREATE INDEX card_tokens_with_sender ON public.card_tokens USING btree (expires_at) WHERE (frame_address IS NOT NULL);

CREATE TABLE cards (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  sealed_key TEXT COLLATE "C" NOT NULL,
  sealed_card TEXT COLLATE "C" NOT NULL,
  brand TEXT COLLATE "C" NOT NULL,
  last4 TEXT COLLATE "C" NOT NULL,
  bin TEXT COLLATE "C" NOT NULL,
  exp_month BIGINT NOT NULL,
  exp_year BIGINT NOT NULL,
  funding TEXT COLLATE "C" NOT NULL,
  segment TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL DEFAULT 'number'::text,
  wallet TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  purged_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE INDEX cards_by_fingerprint ON public.cards USING btree (account_id, fingerprint);

CREATE TABLE code_key_wraps (
  process_id TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  pair_id TEXT COLLATE "C" NOT NULL,
  wrapped TEXT COLLATE "C" NOT NULL,
  made_at BIGINT NOT NULL,
  PRIMARY KEY (process_id, key_id, pair_id));

CREATE TABLE code_recipients (
  process_id TEXT COLLATE "C" NOT NULL,
  pair_id TEXT COLLATE "C" NOT NULL,
  public_key TEXT COLLATE "C" NOT NULL,
  joined_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  proof TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (process_id));

CREATE TABLE customer_erasures (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  step BIGINT NOT NULL,
  progress TEXT COLLATE "C" NOT NULL,
  receipt TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX customer_erasures_by_customer ON public.customer_erasures USING btree (account_id, customer_id);
CREATE INDEX customer_erasures_pending ON public.customer_erasures USING btree (created_at) WHERE (status = 'pending'::text);

CREATE TABLE customers (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  email_key TEXT COLLATE "C",
  first_name TEXT COLLATE "C" NOT NULL,
  last_name TEXT COLLATE "C" NOT NULL,
  details TEXT COLLATE "C" NOT NULL,
  metadata TEXT COLLATE "C" NOT NULL DEFAULT '{}'::text,
  archived BIGINT NOT NULL DEFAULT 0,
  revision BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL DEFAULT 0,
  erased_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX customers_by_email ON public.customers USING btree (account_id, store_id, email_key) WHERE ((email_key IS NOT NULL) AND (archived = 0));
CREATE INDEX customers_by_store ON public.customers USING btree (account_id, store_id, id);

CREATE TABLE data_key_wraps (
  ring TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  master_key_id TEXT COLLATE "C" NOT NULL,
  master_key TEXT COLLATE "C" NOT NULL,
  wrapped TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (ring, version, master_key_id));

CREATE TABLE data_keys (
  ring TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  active_at BIGINT NOT NULL,
  retired_at BIGINT,
  PRIMARY KEY (ring, version));

CREATE TABLE delivery_counts (
  account_id TEXT COLLATE "C" NOT NULL,
  span_ms BIGINT NOT NULL,
  starts_at BIGINT NOT NULL,
  shard BIGINT NOT NULL,
  delivered BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  PRIMARY KEY (account_id, span_ms, starts_at, shard));

CREATE TABLE disputes (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  payment_id TEXT COLLATE "C" NOT NULL,
  order_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  reference TEXT COLLATE "C",
  kind TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  respond_by BIGINT,
  evidence_at BIGINT,
  created_at BIGINT NOT NULL,
  closed_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE INDEX disputes_by_payment ON public.disputes USING btree (account_id, payment_id, created_at, id);
CREATE UNIQUE INDEX disputes_by_reference ON public.disputes USING btree (account_id, reference) WHERE (reference IS NOT NULL);
CREATE INDEX disputes_by_status ON public.disputes USING btree (account_id, status, id);
CREATE INDEX disputes_by_store ON public.disputes USING btree (account_id, store_id, id);

CREATE TABLE domain_hostnames (
  hostname TEXT COLLATE "C" NOT NULL,
  account_id TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (hostname));

CREATE TABLE domain_routes (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  hostname TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  plugin_id TEXT COLLATE "C" NOT NULL,
  deployment_id TEXT COLLATE "C" NOT NULL,
  follows BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX domain_routes_by_deployment ON public.domain_routes USING btree (account_id, deployment_id);
CREATE UNIQUE INDEX domain_routes_by_place ON public.domain_routes USING btree (hostname, path);
CREATE INDEX domain_routes_by_plugin ON public.domain_routes USING btree (account_id, store_id, plugin_id);

CREATE TABLE event_counts (
  account_id TEXT COLLATE "C" NOT NULL,
  span_ms BIGINT NOT NULL,
  starts_at BIGINT NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  event_type TEXT COLLATE "C" NOT NULL,
  draft BIGINT NOT NULL,
  shard BIGINT NOT NULL,
  total BIGINT NOT NULL,
  processed BIGINT NOT NULL,
  PRIMARY KEY (account_id, span_ms, starts_at, store_id, event_type, draft, shard));
CREATE INDEX event_counts_sharded ON public.event_counts USING btree (span_ms, starts_at) WHERE (shard <> 0);

CREATE TABLE events (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C",
  customer_id TEXT COLLATE "C",
  event_type TEXT COLLATE "C" NOT NULL,
  properties TEXT COLLATE "C" NOT NULL,
  draft BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  processed_at BIGINT,
  traceparent TEXT COLLATE "C",
  PRIMARY KEY (account_id, id));
CREATE INDEX events_by_customer ON public.events USING btree (account_id, customer_id, id) WHERE (customer_id IS NOT NULL);

CREATE TABLE failed_requests (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  path_params TEXT COLLATE "C" NOT NULL,
  status BIGINT NOT NULL,
  code TEXT COLLATE "C" NOT NULL,
  message TEXT COLLATE "C" NOT NULL,
  param TEXT COLLATE "C",
  actor_kind TEXT COLLATE "C" NOT NULL,
  actor_id TEXT COLLATE "C" NOT NULL,
  actor_name TEXT COLLATE "C",
  store_id TEXT COLLATE "C",
  idempotency_key_hash TEXT COLLATE "C",
  duration_ms BIGINT NOT NULL,
  left_out BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX failed_requests_by_time ON public.failed_requests USING btree (created_at);

CREATE TABLE frame_passes (
  account_id TEXT COLLATE "C" NOT NULL,
  session TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, session));
CREATE INDEX frame_passes_by_expiry ON public.frame_passes USING btree (expires_at);

CREATE TABLE funnel_pages (
  account_id TEXT COLLATE "C" NOT NULL,
  funnel_id TEXT COLLATE "C" NOT NULL,
  step_id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  plugin_id TEXT COLLATE "C" NOT NULL,
  page_id TEXT COLLATE "C" NOT NULL,
  rank BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, funnel_id, step_id));
CREATE INDEX funnel_pages_by_page ON public.funnel_pages USING btree (account_id, store_id, plugin_id, page_id, created_at, funnel_id, rank);

CREATE TABLE funnel_sessions (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C",
  is_preview BIGINT NOT NULL DEFAULT 1,
  resource TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C",
  revision BIGINT NOT NULL DEFAULT 1,
  token_hash TEXT COLLATE "C" NOT NULL,
  token_expires_at BIGINT NOT NULL,
  code_hash TEXT COLLATE "C",
  code_expires_at BIGINT,
  started_at BIGINT,
  last_activity_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX funnel_sessions_by_activity ON public.funnel_sessions USING btree (last_activity_at);
CREATE UNIQUE INDEX funnel_sessions_by_code ON public.funnel_sessions USING btree (code_hash);
CREATE INDEX funnel_sessions_by_customer ON public.funnel_sessions USING btree (account_id, customer_id, id);
CREATE UNIQUE INDEX funnel_sessions_by_token ON public.funnel_sessions USING btree (token_hash);

CREATE TABLE funnels (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  archived BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX funnels_by_store ON public.funnels USING btree (account_id, store_id, created_at, id);
CREATE INDEX funnels_by_time ON public.funnels USING btree (account_id, archived, created_at, id);

CREATE TABLE hook_answers (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  hook_id TEXT COLLATE "C" NOT NULL,
  asked_at BIGINT NOT NULL,
  usable_until BIGINT NOT NULL,
  record TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX hook_answers_by_hook ON public.hook_answers USING btree (account_id, hook_id, asked_at, id);
CREATE INDEX hook_answers_by_time ON public.hook_answers USING btree (asked_at);

CREATE TABLE hooks (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  url TEXT COLLATE "C" NOT NULL,
  timeout_ms BIGINT NOT NULL,
  on_failure TEXT COLLATE "C" NOT NULL,
  active BIGINT NOT NULL,
  secrets TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX hooks_by_kind ON public.hooks USING btree (account_id, store_id, kind);

CREATE TABLE idempotency_keys (
  account_id TEXT COLLATE "C" NOT NULL,
  idempotency_key TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  status BIGINT,
  body TEXT COLLATE "C",
  holder TEXT COLLATE "C",
  lease_until BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, idempotency_key));
CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at);

CREATE TABLE key_uses (
  ring TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  purpose TEXT COLLATE "C" NOT NULL,
  operation TEXT COLLATE "C" NOT NULL,
  total BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  PRIMARY KEY (ring, version, purpose, operation));

CREATE TABLE last_backup (
  id BIGINT NOT NULL,
  taken_at BIGINT NOT NULL,
  version TEXT COLLATE "C" NOT NULL,
  missing_blobs BIGINT NOT NULL,
  verified_at BIGINT,
  PRIMARY KEY (id));

CREATE TABLE ledger_entries (
  account_id TEXT COLLATE "C" NOT NULL,
  payment_id TEXT COLLATE "C" NOT NULL,
  entry TEXT COLLATE "C" NOT NULL,
  booking TEXT COLLATE "C" NOT NULL,
  ledger_account TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, payment_id, entry, booking, ledger_account));

CREATE TABLE low_value_payments (
  account_id TEXT COLLATE "C" NOT NULL,
  card_fingerprint TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  payment_id TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, card_fingerprint, currency, payment_id));
CREATE INDEX low_value_payments_by_payment ON public.low_value_payments USING btree (account_id, payment_id);
CREATE INDEX low_value_payments_locks ON public.low_value_payments USING btree (created_at) WHERE (payment_id = ''::text);

CREATE TABLE member_identities (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  member_id TEXT COLLATE "C" NOT NULL,
  issuer TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE INDEX member_identities_by_member ON public.member_identities USING btree (account_id, member_id, created_at);
CREATE UNIQUE INDEX member_identities_by_subject ON public.member_identities USING btree (issuer, subject);

CREATE TABLE member_sessions (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  member_id TEXT COLLATE "C" NOT NULL,
  token_hash TEXT COLLATE "C" NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  address TEXT COLLATE "C" NOT NULL,
  user_agent TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX member_sessions_by_expiry ON public.member_sessions USING btree (expires_at);
CREATE INDEX member_sessions_by_member ON public.member_sessions USING btree (account_id, member_id, created_at);
CREATE UNIQUE INDEX member_sessions_by_token ON public.member_sessions USING btree (token_hash);

CREATE TABLE members (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  email TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C",
  role TEXT COLLATE "C" NOT NULL,
  store_ids TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL,
  invitation_hash TEXT COLLATE "C",
  invitation_expires_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX members_by_email ON public.members USING btree (account_id, email) WHERE (status <> 'removed'::text);
CREATE UNIQUE INDEX members_by_invitation ON public.members USING btree (invitation_hash) WHERE (invitation_hash IS NOT NULL);
CREATE INDEX members_by_role ON public.members USING btree (account_id, role) WHERE (status = 'active'::text);
CREATE INDEX members_by_time ON public.members USING btree (account_id, created_at, id);

CREATE TABLE migrations (
  id TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  actions BIGINT NOT NULL,
  position TEXT COLLATE "C",
  filled BIGINT NOT NULL,
  free_since BIGINT,
  PRIMARY KEY (id));

CREATE TABLE orders (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  pricing TEXT COLLATE "C" NOT NULL,
  lines TEXT COLLATE "C" NOT NULL,
  metadata TEXT COLLATE "C" NOT NULL,
  buyer TEXT COLLATE "C",
  is_preview BIGINT NOT NULL DEFAULT 0,
  revision BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL DEFAULT 0,
  paid_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE INDEX orders_by_amount ON public.orders USING btree (account_id, amount, id);
CREATE INDEX orders_by_customer ON public.orders USING btree (account_id, customer_id, id);
CREATE INDEX orders_by_store ON public.orders USING btree (account_id, store_id, id);

CREATE TABLE passkeys (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  member_id TEXT COLLATE "C" NOT NULL,
  credential_id TEXT COLLATE "C" NOT NULL,
  public_key TEXT COLLATE "C" NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  backed_up BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX passkeys_by_credential ON public.passkeys USING btree (credential_id);
CREATE INDEX passkeys_by_member ON public.passkeys USING btree (account_id, member_id, created_at);

CREATE TABLE payment_attempts (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  payment_id TEXT COLLATE "C" NOT NULL,
  ordinal BIGINT NOT NULL DEFAULT 1,
  processor_id TEXT COLLATE "C" NOT NULL,
  reference TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL,
  outcome TEXT COLLATE "C",
  decline_code TEXT COLLATE "C",
  advice TEXT COLLATE "C",
  network_transaction_id TEXT COLLATE "C",
  checks TEXT COLLATE "C",
  exemption TEXT COLLATE "C",
  fee TEXT COLLATE "C",
  decision TEXT COLLATE "C" NOT NULL,
  card_fingerprint TEXT COLLATE "C",
  is_open BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX payment_attempts_by_ordinal ON public.payment_attempts USING btree (account_id, payment_id, ordinal);
CREATE INDEX payment_attempts_declined ON public.payment_attempts USING btree (account_id, card_fingerprint, created_at) WHERE (is_open = 0);
CREATE UNIQUE INDEX payment_attempts_open ON public.payment_attempts USING btree (account_id, payment_id) WHERE (is_open = 1);

CREATE TABLE payment_flows (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  archived BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX payment_flows_in_order ON public.payment_flows USING btree (account_id, archived, id);

CREATE TABLE payment_follow_ups (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  payment_id TEXT COLLATE "C" NOT NULL,
  order_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  is_final BIGINT NOT NULL DEFAULT 1,
  reason TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL,
  failure TEXT COLLATE "C",
  reference TEXT COLLATE "C",
  idempotency_key TEXT COLLATE "C",
  holder TEXT COLLATE "C",
  lease_until BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE INDEX payment_follow_ups_by_payment ON public.payment_follow_ups USING btree (account_id, payment_id, created_at, id);
CREATE UNIQUE INDEX payment_follow_ups_once ON public.payment_follow_ups USING btree (account_id, payment_id) WHERE ((kind <> 'refund'::text) AND (is_final = 1) AND (status <> 'failed'::text));
CREATE UNIQUE INDEX payment_follow_ups_pending ON public.payment_follow_ups USING btree (account_id, payment_id) WHERE (status = 'pending'::text);
CREATE INDEX payment_follow_ups_under_way ON public.payment_follow_ups USING btree (account_id, lease_until) WHERE ((status = 'pending'::text) AND (reference IS NULL));
CREATE INDEX payment_follow_ups_waiting ON public.payment_follow_ups USING btree (account_id, lease_until) WHERE ((status = 'pending'::text) AND (reference IS NOT NULL));
CREATE INDEX refunds_by_status ON public.payment_follow_ups USING btree (account_id, status, created_at, id) WHERE (kind = 'refund'::text);
CREATE INDEX refunds_by_store ON public.payment_follow_ups USING btree (account_id, store_id, created_at, id) WHERE (kind = 'refund'::text);
CREATE INDEX refunds_by_time ON public.payment_follow_ups USING btree (account_id, created_at, id) WHERE (kind = 'refund'::text);

CREATE TABLE payment_instruments (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  card_id TEXT COLLATE "C" NOT NULL,
  is_active BIGINT NOT NULL,
  is_default BIGINT NOT NULL,
  is_customer_proven BIGINT NOT NULL DEFAULT 0,
  consent TEXT COLLATE "C",
  replacement TEXT COLLATE "C",
  is_trusted BIGINT NOT NULL DEFAULT 0,
  revision BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, id));
CREATE INDEX payment_instruments_by_customer ON public.payment_instruments USING btree (account_id, customer_id, id);
CREATE INDEX payment_instruments_by_store ON public.payment_instruments USING btree (account_id, store_id, id);
CREATE UNIQUE INDEX payment_instruments_default ON public.payment_instruments USING btree (account_id, customer_id) WHERE (is_default = 1);

CREATE TABLE payments (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  order_id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  payment_instrument_id TEXT COLLATE "C",
  payment_flow_id TEXT COLLATE "C" NOT NULL,
  method TEXT COLLATE "C",
  return_url TEXT COLLATE "C",
  redirect_url TEXT COLLATE "C",
  expires_at BIGINT,
  card_brand TEXT COLLATE "C" NOT NULL,
  card_last4 TEXT COLLATE "C" NOT NULL,
  threeds_session_id TEXT COLLATE "C",
  funnel_session_id TEXT COLLATE "C",
  idempotency_key TEXT COLLATE "C",
  status TEXT COLLATE "C" NOT NULL,
  decline_code TEXT COLLATE "C",
  currency TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  captured_amount BIGINT NOT NULL DEFAULT 0,
  refund_reserved BIGINT NOT NULL DEFAULT 0,
  refund_tries BIGINT NOT NULL DEFAULT 0,
  refunded_amount BIGINT NOT NULL DEFAULT 0,
  disputed_amount BIGINT NOT NULL DEFAULT 0,
  capture_method TEXT COLLATE "C" NOT NULL DEFAULT 'automatic'::text,
  statement_descriptor TEXT COLLATE "C",
  routing TEXT COLLATE "C",
  subscriptions TEXT COLLATE "C",
  preview TEXT COLLATE "C",
  agreement TEXT COLLATE "C",
  holder TEXT COLLATE "C",
  lease_until BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX payments_awaited ON public.payments USING btree (account_id, lease_until) WHERE (expires_at IS NOT NULL);
CREATE INDEX payments_by_amount ON public.payments USING btree (account_id, amount, id);
CREATE INDEX payments_by_card ON public.payments USING btree (account_id, card_last4, id);
CREATE INDEX payments_by_customer ON public.payments USING btree (account_id, customer_id, id);
CREATE INDEX payments_by_order ON public.payments USING btree (account_id, order_id, id);
CREATE INDEX payments_by_status ON public.payments USING btree (account_id, status, id) WHERE (status <> 'processing'::text);
CREATE INDEX payments_by_store ON public.payments USING btree (account_id, store_id, id);
CREATE INDEX payments_under_way ON public.payments USING btree (account_id, lease_until) WHERE ((status = 'processing'::text) AND (expires_at IS NULL));
CREATE INDEX payments_waiting ON public.payments USING btree (account_id, lease_until) WHERE ((status = 'requires_action'::text) AND (expires_at IS NULL));

CREATE TABLE plugin_activation_log (
  account_id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  plugin_id TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  before BIGINT,
  deployment_id TEXT COLLATE "C" NOT NULL,
  activated_at BIGINT NOT NULL,
  activated_by TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, store_id, plugin_id, number));

CREATE TABLE plugin_activations (
  account_id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  plugin_id TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL DEFAULT 1,
  deployment_id TEXT COLLATE "C" NOT NULL,
  activated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, store_id, plugin_id));

CREATE TABLE plugin_aliases (
  account_id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  plugin_id TEXT COLLATE "C" NOT NULL,
  deployment_id TEXT COLLATE "C" NOT NULL,
  follows BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, store_id, name));
CREATE INDEX plugin_aliases_by_deployment ON public.plugin_aliases USING btree (account_id, deployment_id);
CREATE UNIQUE INDEX plugin_aliases_by_host ON public.plugin_aliases USING btree (host);

CREATE TABLE plugin_assets (
  account_id TEXT COLLATE "C" NOT NULL,
  sha256 TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, sha256));
CREATE INDEX plugin_assets_by_hash ON public.plugin_assets USING btree (sha256);
CREATE INDEX plugin_assets_by_size ON public.plugin_assets USING btree (account_id, size);

CREATE TABLE plugin_blobs (
  sha256 TEXT COLLATE "C" NOT NULL,
  account_id TEXT COLLATE "C" NOT NULL,
  made TEXT COLLATE "C" NOT NULL,
  touched_at BIGINT NOT NULL,
  doomed_at BIGINT,
  doomed_by TEXT COLLATE "C",
  PRIMARY KEY (sha256));

CREATE TABLE plugin_deployments (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  plugin_id TEXT COLLATE "C" NOT NULL,
  version TEXT COLLATE "C" NOT NULL,
  content_hash TEXT COLLATE "C" NOT NULL,
  host TEXT COLLATE "C" NOT NULL,
  mode TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  description TEXT COLLATE "C" NOT NULL,
  manifest TEXT COLLATE "C" NOT NULL,
  details TEXT COLLATE "C" NOT NULL,
  deployed_by TEXT COLLATE "C" NOT NULL,
  made_after BIGINT NOT NULL,
  archived_at BIGINT,
  offline_at BIGINT,
  removed_at BIGINT,
  swept_at BIGINT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX plugin_deployments_by_host ON public.plugin_deployments USING btree (host);
CREATE INDEX plugin_deployments_by_plugin ON public.plugin_deployments USING btree (account_id, store_id, plugin_id, created_at);
CREATE INDEX plugin_deployments_kept ON public.plugin_deployments USING btree (account_id, id) WHERE (swept_at IS NULL);
CREATE UNIQUE INDEX plugin_deployments_live ON public.plugin_deployments USING btree (account_id, store_id, plugin_id, version) WHERE (archived_at IS NULL);
CREATE INDEX plugin_deployments_removed ON public.plugin_deployments USING btree (removed_at) WHERE ((removed_at IS NOT NULL) AND (swept_at IS NULL));

CREATE TABLE plugin_files (
  account_id TEXT COLLATE "C" NOT NULL,
  deployment_id TEXT COLLATE "C" NOT NULL,
  path TEXT COLLATE "C" NOT NULL,
  sha256 TEXT COLLATE "C" NOT NULL,
  content_type TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  PRIMARY KEY (account_id, deployment_id, path));
CREATE INDEX plugin_files_by_hash ON public.plugin_files USING btree (sha256, account_id);

CREATE TABLE plugin_pictures (
  account_id TEXT COLLATE "C" NOT NULL,
  deployment_id TEXT COLLATE "C" NOT NULL,
  sha256 TEXT COLLATE "C" NOT NULL,
  size BIGINT NOT NULL,
  PRIMARY KEY (account_id, deployment_id, sha256));
CREATE INDEX plugin_pictures_by_hash ON public.plugin_pictures USING btree (sha256, account_id);

CREATE TABLE plugin_revisions (
  account_id TEXT COLLATE "C" NOT NULL,
  deployment_id TEXT COLLATE "C" NOT NULL,
  revision BIGINT NOT NULL,
  source TEXT COLLATE "C" NOT NULL DEFAULT 'author'::text,
  changed_by TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, deployment_id, revision));

CREATE TABLE plugin_setting_bases (
  account_id TEXT COLLATE "C" NOT NULL,
  deployment_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  sent TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, deployment_id, kind, name));

CREATE TABLE plugin_settings (
  account_id TEXT COLLATE "C" NOT NULL,
  deployment_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  revision BIGINT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, deployment_id, kind, name, revision));

CREATE TABLE plugins (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  slug TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX plugins_by_slug ON public.plugins USING btree (account_id, slug) WHERE (slug IS NOT NULL);

CREATE TABLE prices (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  variant_id TEXT COLLATE "C" NOT NULL,
  sold BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));

CREATE TABLE processes (
  id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  roles TEXT COLLATE "C" NOT NULL,
  version TEXT COLLATE "C" NOT NULL,
  schema_number BIGINT NOT NULL,
  beats BIGINT NOT NULL,
  clock_offset BIGINT NOT NULL,
  started_at BIGINT NOT NULL,
  heartbeat_at BIGINT NOT NULL,
  circuits TEXT COLLATE "C" NOT NULL DEFAULT '{}'::text,
  report TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (id));

CREATE TABLE processor_notifications (
  account_id TEXT COLLATE "C" NOT NULL,
  processor_id TEXT COLLATE "C" NOT NULL,
  reference TEXT COLLATE "C" NOT NULL,
  event TEXT COLLATE "C" NOT NULL,
  succeeded BIGINT NOT NULL,
  about TEXT COLLATE "C" NOT NULL,
  payment_reference TEXT COLLATE "C" NOT NULL,
  told TEXT COLLATE "C" NOT NULL,
  received_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, processor_id, reference, event, succeeded));
CREATE INDEX processor_notifications_by_about ON public.processor_notifications USING btree (account_id, processor_id, about);
CREATE INDEX processor_notifications_by_payment ON public.processor_notifications USING btree (account_id, processor_id, payment_reference);

CREATE TABLE processor_tokens (
  account_id TEXT COLLATE "C" NOT NULL,
  payment_instrument_id TEXT COLLATE "C" NOT NULL,
  processor_id TEXT COLLATE "C" NOT NULL,
  processor_type TEXT COLLATE "C" NOT NULL,
  token TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, payment_instrument_id, processor_id));

CREATE TABLE processors (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  driver TEXT COLLATE "C" NOT NULL,
  config TEXT COLLATE "C",
  sealed_secret TEXT COLLATE "C",
  sealed_webhook_secret TEXT COLLATE "C",
  archived_at BIGINT,
  revision BIGINT NOT NULL DEFAULT 1,
  updated_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id),
  CHECK ((((length(driver) >= 1) AND (length(driver) <= 40)) AND ((substr(driver, 1, 1) >= 'a'::text) AND (substr(driver, 1, 1) <= 'z'::text)) AND (ltrim(driver, 'abcdefghijklmnopqrstuvwxyz0123456789_'::text) = ''::text))));

CREATE TABLE products (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  active BIGINT NOT NULL,
  archived BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX products_by_store ON public.products USING btree (account_id, store_id, created_at, id);
CREATE INDEX products_by_time ON public.products USING btree (account_id, archived, created_at, id);

CREATE TABLE promotions (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  code_key TEXT COLLATE "C",
  live_code TEXT COLLATE "C",
  automatic BIGINT NOT NULL,
  enabled BIGINT NOT NULL,
  starts_at BIGINT,
  ends_at BIGINT,
  usage_limit BIGINT,
  usage_count BIGINT NOT NULL,
  usage_reserved BIGINT NOT NULL,
  archived BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX promotions_automatic ON public.promotions USING btree (account_id, store_id, created_at, id) WHERE ((automatic = 1) AND (enabled = 1) AND (archived = 0));
CREATE INDEX promotions_by_code ON public.promotions USING btree (account_id, store_id, code_key, created_at) WHERE (code_key IS NOT NULL);
CREATE UNIQUE INDEX promotions_by_live_code ON public.promotions USING btree (account_id, store_id, live_code) WHERE (live_code IS NOT NULL);
CREATE INDEX promotions_by_store ON public.promotions USING btree (account_id, store_id, created_at, id);
CREATE INDEX promotions_by_time ON public.promotions USING btree (account_id, archived, created_at, id);

CREATE TABLE rate_buckets (
  subject TEXT COLLATE "C" NOT NULL,
  full_at_us BIGINT NOT NULL,
  PRIMARY KEY (subject));

CREATE TABLE recovery_codes (
  account_id TEXT COLLATE "C" NOT NULL,
  member_id TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, member_id, hash));
CREATE UNIQUE INDEX recovery_codes_by_hash ON public.recovery_codes USING btree (hash);

CREATE TABLE refund_limits (
  account_id TEXT COLLATE "C" NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  PRIMARY KEY (account_id, currency));

CREATE TABLE refund_requests (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  payment_id TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C",
  refunded_before BIGINT NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  requested_by TEXT COLLATE "C" NOT NULL,
  decided_by TEXT COLLATE "C",
  refund_id TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE INDEX refund_requests_by_payment ON public.refund_requests USING btree (account_id, payment_id, id);
CREATE INDEX refund_requests_by_status ON public.refund_requests USING btree (account_id, status, id);
CREATE INDEX refund_requests_by_store ON public.refund_requests USING btree (account_id, store_id, id);
CREATE INDEX refund_requests_overdue ON public.refund_requests USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX refund_requests_pending ON public.refund_requests USING btree (account_id, payment_id) WHERE (status = 'pending'::text);

CREATE TABLE replaced_session_tokens (
  account_id TEXT COLLATE "C" NOT NULL,
  token_hash TEXT COLLATE "C" NOT NULL,
  replaced_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, token_hash));
CREATE UNIQUE INDEX replaced_session_tokens_by_hash ON public.replaced_session_tokens USING btree (token_hash);
CREATE INDEX replaced_session_tokens_by_time ON public.replaced_session_tokens USING btree (replaced_at);

CREATE TABLE reseals (
  ring TEXT COLLATE "C" NOT NULL,
  place TEXT COLLATE "C" NOT NULL,
  version BIGINT NOT NULL,
  pass BIGINT NOT NULL,
  account_cursor TEXT COLLATE "C" NOT NULL,
  id_cursor TEXT COLLATE "C" NOT NULL,
  resealed BIGINT NOT NULL,
  done_at BIGINT,
  PRIMARY KEY (ring, place));

CREATE TABLE schema_state (
  id BIGINT NOT NULL,
  oldest BIGINT NOT NULL,
  holder TEXT COLLATE "C",
  held_until BIGINT NOT NULL,
  PRIMARY KEY (id));

CREATE TABLE search_words (
  account_id TEXT COLLATE "C" NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  word TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, resource, word, id));
CREATE INDEX search_words_by_resource ON public.search_words USING btree (account_id, resource, id, word);

CREATE TABLE security_codes (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  key_id TEXT COLLATE "C" NOT NULL,
  sealed TEXT COLLATE "C" NOT NULL,
  approval TEXT COLLATE "C",
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX security_codes_by_expiry ON public.security_codes USING btree (expires_at);

CREATE TABLE shared_time (
  id BIGINT NOT NULL,
  at BIGINT NOT NULL,
  ahead BIGINT NOT NULL,
  PRIMARY KEY (id));

CREATE TABLE shipping_options (
  account_id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  options TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, store_id));

CREATE TABLE sign_in_ceremonies (
  hash TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  challenge TEXT COLLATE "C" NOT NULL,
  account_id TEXT COLLATE "C",
  member_id TEXT COLLATE "C",
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (hash));
CREATE INDEX sign_in_ceremonies_by_expiry ON public.sign_in_ceremonies USING btree (expires_at);

CREATE TABLE simulator_charges (
  attempt_id TEXT COLLATE "C" NOT NULL,
  processor_id TEXT COLLATE "C" NOT NULL,
  outcome TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  authorised BIGINT NOT NULL DEFAULT 0,
  captured BIGINT NOT NULL DEFAULT 0,
  refunded BIGINT NOT NULL DEFAULT 0,
  closed BIGINT NOT NULL DEFAULT 0,
  dispute TEXT COLLATE "C",
  with_code BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (attempt_id));
CREATE INDEX simulator_charges_disputed ON public.simulator_charges USING btree (attempt_id) WHERE (dispute IS NOT NULL);

CREATE TABLE simulator_moves (
  id TEXT COLLATE "C" NOT NULL,
  attempt_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (id));
CREATE INDEX simulator_moves_by_attempt ON public.simulator_moves USING btree (attempt_id);

CREATE TABLE simulator_orders (
  attempt_id TEXT COLLATE "C" NOT NULL,
  processor_id TEXT COLLATE "C" NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  amount BIGINT NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  return_url TEXT COLLATE "C",
  due_at BIGINT,
  expires_at BIGINT NOT NULL,
  plan TEXT COLLATE "C",
  is_told BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (attempt_id));
CREATE INDEX simulator_orders_due ON public.simulator_orders USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX simulator_orders_moved ON public.simulator_orders USING btree (attempt_id) WHERE (is_told = 0);

CREATE TABLE simulator_reversals (
  attempt_id TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (attempt_id));

CREATE TABLE statistics_counts (
  account_id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  span_ms BIGINT NOT NULL,
  starts_at BIGINT NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  created BIGINT NOT NULL,
  succeeded BIGINT NOT NULL,
  volume BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  canceled BIGINT NOT NULL,
  refunds BIGINT NOT NULL,
  refunded_amount BIGINT NOT NULL,
  chargebacks BIGINT NOT NULL,
  disputed_amount BIGINT NOT NULL,
  inquiries BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  approved BIGINT NOT NULL,
  PRIMARY KEY (account_id, store_id, span_ms, starts_at, subject));

CREATE TABLE statistics_folds (
  account_id TEXT COLLATE "C" NOT NULL,
  position TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id));

CREATE TABLE stores (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  selected_payment_flow_id TEXT COLLATE "C",
  credentials TEXT COLLATE "C",
  archived BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  resource TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX stores_by_flow ON public.stores USING btree (account_id, selected_payment_flow_id, id);
CREATE INDEX stores_by_time ON public.stores USING btree (account_id, archived, created_at, id);

CREATE TABLE subscriptions (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  payment_instrument_id TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  terms TEXT COLLATE "C" NOT NULL,
  item_changes TEXT COLLATE "C" NOT NULL,
  period BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  scheduled_at BIGINT,
  tries BIGINT NOT NULL,
  refused_instrument_id TEXT COLLATE "C",
  network_transaction_id TEXT COLLATE "C",
  renewal_payment_id TEXT COLLATE "C",
  usage_quantity BIGINT NOT NULL DEFAULT 0,
  single_key TEXT COLLATE "C",
  cancel_at_period_end BIGINT NOT NULL,
  canceled_at BIGINT,
  paused_at BIGINT,
  paused_status TEXT COLLATE "C",
  holder TEXT COLLATE "C",
  lease_until BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
CREATE INDEX subscriptions_by_customer ON public.subscriptions USING btree (account_id, customer_id, id);
CREATE INDEX subscriptions_by_status ON public.subscriptions USING btree (account_id, status, id);
CREATE INDEX subscriptions_by_store ON public.subscriptions USING btree (account_id, store_id, id);
CREATE INDEX subscriptions_due ON public.subscriptions USING btree (due_at) WHERE (status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text]));
CREATE INDEX subscriptions_due_of_account ON public.subscriptions USING btree (account_id, due_at) WHERE (status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text]));
CREATE INDEX subscriptions_held ON public.subscriptions USING btree (holder) WHERE (holder IS NOT NULL);
CREATE UNIQUE INDEX subscriptions_single ON public.subscriptions USING btree (account_id, single_key) WHERE ((single_key IS NOT NULL) AND (status <> 'canceled'::text));

CREATE TABLE threeds_messages (
  account_id TEXT COLLATE "C" NOT NULL,
  transaction_id TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  at BIGINT NOT NULL,
  sender TEXT COLLATE "C" NOT NULL,
  receiver TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  message TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, transaction_id, "position"));
CREATE INDEX threeds_messages_by_age ON public.threeds_messages USING btree (at);

CREATE TABLE threeds_providers (
  name TEXT COLLATE "C" NOT NULL,
  settings TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (name));

CREATE TABLE threeds_sessions (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  customer_id TEXT COLLATE "C" NOT NULL,
  payment_instrument_id TEXT COLLATE "C" NOT NULL,
  payment_id TEXT COLLATE "C",
  is_preview BIGINT NOT NULL DEFAULT 0,
  provider TEXT COLLATE "C" NOT NULL,
  external_session_id TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL,
  session_data TEXT COLLATE "C",
  key_id TEXT COLLATE "C",
  request_hash TEXT COLLATE "C",
  return_url TEXT COLLATE "C",
  value_told_at BIGINT,
  outcome TEXT COLLATE "C",
  result TEXT COLLATE "C",
  method_started_at BIGINT,
  method_notified_at BIGINT,
  notified_at BIGINT,
  cres_status TEXT COLLATE "C",
  holder TEXT COLLATE "C",
  lease_until BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  ended_at BIGINT,
  PRIMARY KEY (account_id, id));
CREATE INDEX threeds_sessions_by_customer ON public.threeds_sessions USING btree (account_id, customer_id, id);
CREATE UNIQUE INDEX threeds_sessions_by_transaction ON public.threeds_sessions USING btree (external_session_id);
CREATE INDEX threeds_sessions_open ON public.threeds_sessions USING btree (account_id, expires_at) WHERE (ended_at IS NULL);

CREATE TABLE usage_records (
  account_id TEXT COLLATE "C" NOT NULL,
  subscription_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  quantity BIGINT NOT NULL,
  period BIGINT NOT NULL,
  occurred_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, subscription_id, id));
CREATE INDEX usage_records_by_period ON public.usage_records USING btree (account_id, subscription_id, period);
CREATE INDEX usage_records_by_time ON public.usage_records USING btree (account_id, subscription_id, created_at, id);

CREATE TABLE variants (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C" NOT NULL,
  product_id TEXT COLLATE "C" NOT NULL,
  sku TEXT COLLATE "C",
  PRIMARY KEY (account_id, id));
CREATE UNIQUE INDEX variants_by_sku ON public.variants USING btree (account_id, store_id, sku) WHERE (sku IS NOT NULL);

CREATE TABLE vault_keys (
  id TEXT COLLATE "C" NOT NULL,
  public_jwk TEXT COLLATE "C" NOT NULL,
  sealed_private_jwk TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (id));

CREATE TABLE velocity_entries (
  account_id TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  entry TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (account_id, subject, entry));
CREATE INDEX velocity_entries_by_age ON public.velocity_entries USING btree (at);
CREATE INDEX velocity_entries_in_time ON public.velocity_entries USING btree (account_id, subject, at);

CREATE TABLE velocity_subjects (
  account_id TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  blocked_until BIGINT NOT NULL,
  touched_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, subject));
CREATE INDEX velocity_subjects_by_age ON public.velocity_subjects USING btree (touched_at);

CREATE TABLE wallets (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  settings TEXT COLLATE "C" NOT NULL,
  sealed_keys TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));

CREATE TABLE webhook_deliveries (
  account_id TEXT COLLATE "C" NOT NULL,
  event_id TEXT COLLATE "C" NOT NULL,
  endpoint_id TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  attempts BIGINT NOT NULL,
  attempt_log TEXT COLLATE "C" NOT NULL DEFAULT '[]'::text,
  holder TEXT COLLATE "C",
  next_attempt_at BIGINT NOT NULL,
  last_status BIGINT,
  last_response TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, event_id, endpoint_id));
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at) WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (account_id, event_id, endpoint_id) WHERE (state = 'failed'::text);
CREATE INDEX webhook_deliveries_held ON public.webhook_deliveries USING btree (holder) WHERE (holder IS NOT NULL);

CREATE TABLE webhook_endpoints (
  account_id TEXT COLLATE "C" NOT NULL,
  id TEXT COLLATE "C" NOT NULL,
  store_id TEXT COLLATE "C",
  url TEXT COLLATE "C" NOT NULL,
  event_types TEXT COLLATE "C" NOT NULL,
  drafts BIGINT NOT NULL,
  secrets TEXT COLLATE "C" NOT NULL,
  enabled BIGINT NOT NULL,
  failing_since BIGINT,
  revision BIGINT NOT NULL DEFAULT 1,
  updated_at BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, id));
