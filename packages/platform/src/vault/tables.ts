import { cardFunding, cardSegment, walletName } from '@tillwright/contract'
import { brandNames } from '@tillwright/contract/networks'
import { defineTable, int, json, nullable, oneOf, text } from '../storage/index.ts'

/** A buyer's approval in a wallet, and how the wallet vouches for it. None of it is secret. */
export interface WalletApproval {
  /** Two digits; `null` where the wallet gave none. */
  eci: string | null
  /** In the currency's minor unit; `null` where the wallet's token does not say. */
  amount: number | null
  currency: string | null
}

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
  /** `network_token`: the number stands for a device, and a payment with it goes by a cryptogram. */
  kind: oneOf(['number', 'network_token']),
  wallet: nullable(oneOf(walletName.options)),
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

/** Security codes between card form and payment, sealed under keys that exist in the memory of processes alone. */
export const securityCodesTable = defineTable('security_codes', {
  account_id: text,
  id: text,
  key_id: text,
  sealed: text,
  /** The buyer's approval in a wallet; `null` for a security code. */
  approval: nullable(json<WalletApproval>()),
  expires_at: int,
})

/** The wallets that accounts take; `id` is the wallet's name, and `settings` may be shown. */
export const walletsTable = defineTable('wallets', {
  account_id: text,
  id: oneOf(walletName.options),
  settings: json<unknown>(),
  sealed_keys: text,
  created_at: int,
  updated_at: int,
})

/** Processes that security codes' keys are encrypted for. */
export const codeRecipientsTable = defineTable('code_recipients', {
  process_id: text,
  pair_id: text,
  public_key: text,
  joined_at: int,
  expires_at: int,
  proof: text,
})

/** Keys of security codes on their way from one process to another. */
export const codeKeyWrapsTable = defineTable('code_key_wraps', {
  process_id: text,
  key_id: text,
  pair_id: text,
  wrapped: text,
  made_at: int,
})
