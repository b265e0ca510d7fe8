import type { ImpersonalTable } from '../storage/index.ts'

const MERCHANT = 'written by the merchant about what they sell; no customer is in it'
const OTHERS = 'about people who work for the merchant, who are no customers: they are removed as members'
const BRIEF = 'gone within a day: apps/docs/pages/security/privacy.md, "How long"'

/**
 * All other tables, with their columns: a new column belongs here, or where personal data is declared, before it is
 * stored.
 */
export const impersonalTables: readonly ImpersonalTable[] = [
  {
    table: 'accounts',
    others: 'id name plan rate_per_minute rate_burst threeds_provider revision updated_at created_at pages_off_at',
    because: MERCHANT,
  },
  {
    table: 'api_keys',
    others:
      'account_id id name kind hash last4 roles scopes store_id allowed_origins created_at expires_at revoked_at last_used_at replaced_by created_by',
    because: OTHERS,
  },
  { table: 'audit_chains', others: 'account_id pruned_sequence pruned_hash head_sequence head_hash mac updated_at' },
  { table: 'audit_seals', others: 'account_id sequence entries previous hash mac created_at' },
  { table: 'audit_unsealed', others: 'account_id id total entries' },
  { table: 'code_key_wraps', others: 'process_id key_id pair_id wrapped made_at' },
  { table: 'code_recipients', others: 'process_id pair_id public_key joined_at expires_at proof' },
  {
    table: 'customer_erasures',
    others: 'account_id id customer_id store_id status step progress receipt created_at finished_at',
    because: 'the receipts of erasures, which name a customer by an id',
  },
  { table: 'data_key_wraps', others: 'ring version master_key_id master_key wrapped created_at' },
  { table: 'data_keys', others: 'ring version state created_at active_at retired_at' },
  { table: 'delivery_counts', others: 'account_id span_ms starts_at shard delivered failed' },
  { table: 'domain_hostnames', others: 'hostname account_id created_at' },
  {
    table: 'domain_routes',
    others: 'account_id id hostname path store_id plugin_id deployment_id follows created_at',
    because: MERCHANT,
  },
  { table: 'event_counts', others: 'account_id span_ms starts_at store_id event_type draft shard total processed' },
  { table: 'frame_passes', others: 'account_id session expires_at', because: BRIEF },
  {
    table: 'failed_requests',
    others:
      'account_id id operation method path path_params status code message param actor_kind actor_id actor_name store_id idempotency_key_hash duration_ms left_out created_at',
    because:
      'ids and messages of errors, without e-mail addresses; gone within 7 days: apps/docs/pages/security/privacy.md, "How long"',
  },
  {
    table: 'funnel_pages',
    others: 'account_id funnel_id step_id store_id plugin_id page_id rank created_at',
    because: MERCHANT,
  },
  { table: 'funnels', others: 'account_id id store_id archived revision resource created_at', because: MERCHANT },
  { table: 'key_uses', others: 'ring version purpose operation total last_used_at' },
  { table: 'last_backup', others: 'id taken_at version missing_blobs verified_at' },
  {
    table: 'member_sessions',
    others: 'account_id id member_id token_hash method address user_agent created_at last_used_at expires_at',
    because: OTHERS,
  },
  {
    table: 'members',
    others: 'account_id id email name role store_ids status invitation_hash invitation_expires_at created_at',
    because: OTHERS,
  },
  { table: 'migrations', others: 'id state actions position filled free_since' },
  {
    table: 'passkeys',
    others:
      'account_id id member_id credential_id public_key counter transports name backed_up created_at last_used_at',
    because: OTHERS,
  },
  { table: 'payment_flows', others: 'account_id id archived revision resource created_at', because: MERCHANT },
  {
    table: 'plugin_activation_log',
    others: 'account_id store_id plugin_id number before deployment_id activated_at activated_by',
    because: OTHERS,
  },
  { table: 'plugin_activations', others: 'account_id store_id plugin_id number deployment_id activated_at' },
  { table: 'plugin_aliases', others: 'account_id store_id name host plugin_id deployment_id follows created_at' },
  { table: 'plugin_assets', others: 'account_id sha256 size created_at', because: MERCHANT },
  { table: 'plugin_blobs', others: 'sha256 account_id made touched_at doomed_at doomed_by', because: MERCHANT },
  {
    table: 'plugin_deployments',
    others:
      'account_id id store_id plugin_id version content_hash host mode size name description manifest details deployed_by made_after archived_at offline_at removed_at swept_at created_at',
    because: MERCHANT,
  },
  { table: 'plugin_files', others: 'account_id deployment_id path sha256 content_type size', because: MERCHANT },
  { table: 'plugin_pictures', others: 'account_id deployment_id sha256 size', because: MERCHANT },
  { table: 'plugin_revisions', others: 'account_id deployment_id revision source changed_by created_at' },
  {
    table: 'plugin_setting_bases',
    others: 'account_id deployment_id kind name value sent position',
    because: MERCHANT,
  },
  { table: 'plugin_settings', others: 'account_id deployment_id kind name revision hash value', because: MERCHANT },
  { table: 'plugins', others: 'account_id id slug created_at', because: MERCHANT },
  { table: 'prices', others: 'account_id id variant_id sold', because: MERCHANT },
  {
    table: 'processes',
    others: 'id name roles version schema_number beats clock_offset started_at heartbeat_at circuits report',
  },
  {
    table: 'processor_notifications',
    others: 'account_id processor_id reference event succeeded about payment_reference told received_at',
    because: 'ids of payments, and the codes with which processors tell of them',
  },
  {
    table: 'processors',
    others:
      'account_id id name driver config sealed_secret sealed_webhook_secret archived_at revision updated_at created_at',
    because: MERCHANT,
  },
  {
    table: 'products',
    others: 'account_id id store_id active archived revision resource created_at',
    because: MERCHANT,
  },
  {
    table: 'promotions',
    others:
      'account_id id store_id code_key live_code automatic enabled starts_at ends_at usage_limit usage_count usage_reserved archived revision resource created_at',
    because: MERCHANT,
  },
  { table: 'rate_buckets', others: 'subject full_at_us', because: BRIEF },
  { table: 'refund_limits', others: 'account_id currency amount', because: MERCHANT },
  { table: 'recovery_codes', others: 'account_id member_id hash', because: OTHERS },
  { table: 'replaced_session_tokens', others: 'account_id token_hash replaced_at', because: BRIEF },
  { table: 'reseals', others: 'ring place version pass account_cursor id_cursor resealed done_at' },
  { table: 'schema_state', others: 'id oldest holder held_until' },
  { table: 'security_codes', others: 'account_id id key_id sealed approval expires_at', because: BRIEF },
  { table: 'shared_time', others: 'id at ahead' },
  { table: 'shipping_options', others: 'account_id store_id options', because: MERCHANT },
  { table: 'sign_in_ceremonies', others: 'hash kind challenge account_id member_id expires_at', because: OTHERS },
  {
    table: 'statistics_counts',
    others:
      'account_id store_id span_ms starts_at subject created succeeded volume failed canceled refunds refunded_amount chargebacks disputed_amount inquiries attempts approved',
  },
  { table: 'statistics_folds', others: 'account_id position' },
  {
    table: 'stores',
    others: 'account_id id name selected_payment_flow_id credentials resource archived revision created_at',
    because: MERCHANT,
  },
  { table: 'threeds_providers', others: 'name settings created_at' },
  { table: 'variants', others: 'account_id id store_id product_id sku', because: MERCHANT },
  { table: 'wallets', others: 'account_id id settings sealed_keys created_at updated_at', because: MERCHANT },
  { table: 'vault_keys', others: 'id public_jwk sealed_private_jwk created_at' },
  { table: 'velocity_entries', others: 'account_id subject entry at', because: BRIEF },
  { table: 'velocity_subjects', others: 'account_id subject blocked_until touched_at', because: BRIEF },
  {
    table: 'webhook_endpoints',
    others:
      'account_id id store_id url event_types drafts secrets enabled failing_since revision created_at updated_at',
    because: MERCHANT,
  },
  { table: 'hook_answers', others: 'account_id id hook_id asked_at usable_until record', because: BRIEF },
  {
    table: 'hooks',
    others: 'account_id id store_id kind url timeout_ms on_failure active secrets created_at updated_at',
    because: MERCHANT,
  },
  {
    table: 'member_identities',
    others: 'account_id id member_id issuer subject email created_at last_used_at',
    because: OTHERS,
  },
]
