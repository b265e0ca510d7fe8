import { cardFunding, cardSegment } from '@tillwright/contract'
import { brandNames } from '@tillwright/contract/networks'
import { defineTable, int, json, nullable, oneOf, text } from '../storage/index.ts'

export const vaultKeysTable = defineTable('vault_keys', {
  id: text,
  public_jwk: json<unknown>(),
  sealed_private_jwk: text,
  created_at: int,
})

export const cardsTable = defineTable('cards', {
  account_id: text,
  id: text,
  fingerprint: text,
  sealed_key: text,
  sealed_card: text,
  brand: oneOf(brandNames),
  last4: text,
  bin: text,
  exp_month: int,
  exp_year: int,
  funding: oneOf(cardFunding.options),
  segment: oneOf(cardSegment.options),
  created_at: int,
  purged_at: nullable(int),
})

export const cardTokensTable = defineTable('card_tokens', {
  account_id: text,
  id: text,
  card_id: text,
  store_id: nullable(text),
  key_id: text,
  jwe_id: text,
  frame_session: nullable(text),
  frame_address: nullable(text),
  expires_at: int,
  used_at: nullable(int),
})
