import { plans, type Role, threedsProvider } from '@tillwright/contract'
import { defineTable, int, json, nullable, oneOf, text } from '../storage/index.ts'

export const accountsTable = defineTable('accounts', {
  id: text,
  name: text,
  plan: oneOf(plans),
  rate_per_minute: nullable(int),
  rate_burst: nullable(int),
  threeds_provider: oneOf(threedsProvider.options),
  revision: int,
  updated_at: int,
  created_at: int,
  /** Since when its plugins' pages are not shown, or `null`. */
  pages_off_at: nullable(int),
})

export const apiKeysTable = defineTable('api_keys', {
  account_id: text,
  id: text,
  name: nullable(text),
  kind: oneOf({ secret: true, publishable: true }),
  hash: text,
  last4: text,
  roles: json<Role[]>(),
  scopes: json<string[]>(),
  store_id: nullable(text),
  allowed_origins: json<string[]>(),
  created_at: int,
  expires_at: nullable(int),
  revoked_at: nullable(int),
  replaced_by: nullable(text),
  created_by: nullable(text),
  last_used_at: nullable(int),
})

export const rateBucketsTable = defineTable('rate_buckets', { subject: text, full_at_us: int })

export const idempotencyKeysTable = defineTable('idempotency_keys', {
  account_id: text,
  idempotency_key: text,
  fingerprint: text,
  status: nullable(int),
  body: nullable(text),
  holder: nullable(text),
  lease_until: int,
  expires_at: int,
})
