import { type ThreedsAuthentication, threedsProvider, threedsStatus } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, oneOf, text } from '../storage/index.ts'

/** The part of a result that the authentication does not hold. */
export interface SessionResult {
  /** Source: EMV 3DS 2.2.0, challengeCancel. */
  challengeCancel: string | null
}

export const threedsSessionsTable = defineTable('threeds_sessions', {
  account_id: text,
  id: text,
  store_id: text,
  customer_id: text,
  payment_instrument_id: text,
  payment_id: nullable(text),
  is_preview: flag,
  provider: oneOf(threedsProvider.options),
  external_session_id: text,
  status: oneOf(threedsStatus.options),
  session_data: nullable(json<unknown>()),
  /** The API key that created it; NULL for the session of a payment. */
  key_id: nullable(text),
  /** SHA-256 of the request that authenticated it. */
  request_hash: nullable(text),
  return_url: nullable(text),
  /** When its authentication value was told. */
  value_told_at: nullable(int),
  outcome: nullable(json<ThreedsAuthentication>()),
  result: nullable(json<SessionResult>()),
  method_started_at: nullable(int),
  method_notified_at: nullable(int),
  notified_at: nullable(int),
  cres_status: nullable(text),
  holder: nullable(text),
  lease_until: int,
  expires_at: int,
  created_at: int,
  updated_at: int,
  ended_at: nullable(int),
})

const party = oneOf(['server', 'directory', 'issuer', 'browser'])

export const threedsMessagesTable = defineTable('threeds_messages', {
  account_id: text,
  transaction_id: text,
  position: int,
  at: int,
  sender: party,
  receiver: party,
  type: text,
  message: json<unknown>(),
})

export const threedsProvidersTable = defineTable('threeds_providers', {
  name: oneOf(threedsProvider.options),
  settings: json<unknown>(),
  created_at: int,
})
