import { memberRole, signInMethod } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, oneOf, text } from '../storage/index.ts'

export const membersTable = defineTable('members', {
  account_id: text,
  id: text,
  email: text,
  name: nullable(text),
  role: oneOf(memberRole.options),
  store_ids: nullable(json<string[]>()),
  status: oneOf(['invited', 'active', 'removed']),
  invitation_hash: nullable(text),
  invitation_expires_at: nullable(int),
  created_at: int,
})

export const passkeysTable = defineTable('passkeys', {
  account_id: text,
  id: text,
  member_id: text,
  credential_id: text,
  public_key: text,
  counter: int,
  transports: json<string[]>(),
  name: text,
  backed_up: flag,
  created_at: int,
  last_used_at: nullable(int),
})

export const identitiesTable = defineTable('member_identities', {
  account_id: text,
  id: text,
  member_id: text,
  issuer: text,
  subject: text,
  email: nullable(text),
  created_at: int,
  last_used_at: nullable(int),
})

export const recoveryCodesTable = defineTable('recovery_codes', { account_id: text, member_id: text, hash: text })

export const memberSessionsTable = defineTable('member_sessions', {
  account_id: text,
  id: text,
  member_id: text,
  token_hash: text,
  method: oneOf(signInMethod.options),
  address: text,
  user_agent: nullable(text),
  created_at: int,
  last_used_at: int,
  expires_at: int,
})

export const ceremoniesTable = defineTable('sign_in_ceremonies', {
  hash: text,
  kind: oneOf(['sign_in', 'accept', 'add_passkey', 'openid']),
  challenge: text,
  account_id: nullable(text),
  member_id: nullable(text),
  expires_at: int,
})
