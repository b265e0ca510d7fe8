import { z } from 'zod'
import { type WalletName, walletName } from '@tillwright/contract'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { int, nullable, pick, type RowOf } from '../storage/index.ts'
import { signedTokens } from './signed-tokens.ts'
import { cardTokensTable } from './tables.ts'

/** How long a service token is good for. */
export const SERVICE_TOKEN_TTL_S = 15 * 60

/** How long a security code may wait for its payment: as long as the token that was given out with it. */
export const CODE_TTL_MS = SERVICE_TOKEN_TTL_S * 1_000

/** The content of a service token. */
export interface ServiceToken {
  v: 1
  type: 'card'
  provider: 'tillwright'
  /** The card's id in the vault. */
  token: string
  /** For display only: redeeming the token reads the vault instead. */
  nonSensitiveMetadata: {
    last4: string
    brand: string
    bin: string
    expMonth: number
    expYear: number
    funding: 'credit' | 'debit' | 'prepaid' | 'unknown'
    /** For a card out of a wallet alone. */
    wallet?: WalletName | undefined
  }
  /** Until when it is good: Unix time in seconds. */
  exp: number
  /** The id of this one token, by which a second use is refused. */
  jti: string
}

const fields = z.strictObject({
  v: z.literal(1),
  type: z.literal('card'),
  provider: z.literal('tillwright'),
  token: z.string(),
  nonSensitiveMetadata: z.strictObject({
    last4: z.string(),
    brand: z.string(),
    bin: z.string(),
    expMonth: z.int(),
    expYear: z.int(),
    funding: z.enum(['credit', 'debit', 'prepaid', 'unknown']),
    wallet: walletName.optional(),
  }),
  exp: z.int(),
  jti: z.string(),
})

/** Signs service tokens, and reads those that this vault has signed. */
export const { sign: signServiceToken, verify: verifyServiceToken } = signedTokens<ServiceToken>({
  param: 'serviceToken',
  purpose: 'service token',
  schema: fields,
  spelling({ v, type, provider, token, nonSensitiveMetadata: shown, exp, jti }) {
    const wallet = shown.wallet === undefined ? [] : [shown.wallet]
    const display = [shown.last4, shown.brand, shown.bin, shown.expMonth, shown.expYear, shown.funding, ...wallet]
    return [v, type, provider, token, ...display, exp, jti]
  },
})

/** A token that is about to be used. */
export interface TokenUse {
  /** The request's parameter that it came in. */
  param: 'serviceToken' | 'securityCodeToken'
  /** Its id. */
  jti: string
  /** The store that it is to be used in. */
  storeId: string
}

/** The columns of `card_tokens` that `spendToken` reads. */
export const TOKEN_COLUMNS = `card_tokens.store_id, card_tokens.used_at,
  (SELECT revoked_at FROM api_keys WHERE api_keys.account_id = card_tokens.account_id
    AND api_keys.id = card_tokens.key_id) AS key_revoked_at`

export const tokenColumns = { ...pick(cardTokensTable, 'store_id', 'used_at'), key_revoked_at: nullable(int) }

/** The refusal of a token that the account does not have. */
export function foreignToken(param: TokenUse['param']): ApiError {
  const message = `This ${param} belongs to another account; use the secret key of its own.`
  return new ApiError('token_invalid', message, { param })
}

/**
 * Checks what the vault knows of a token, and spends it: of two requests with one token, the write of the second is
 * refused. A token falls with the publishable key that it was made with.
 *
 * @throws {ApiError} `token_invalid` or `token_used`.
 */
export function spendToken(
  token: RowOf<typeof tokenColumns>,
  use: TokenUse,
  { caller, nowMs }: Pick<RequestContext, 'caller' | 'nowMs'>,
): Write {
  const { param, jti, storeId } = use
  const refused = (message: string) => new ApiError('token_invalid', message, { param })
  const used = () => new ApiError('token_used', `This ${param} has been used; call tokenize() again.`, { param })
  if (token.store_id !== null && token.store_id !== storeId) {
    const remedy = "send that store's id, or use this store's publishable key."
    throw refused(`This ${param} was made for another store; ${remedy}`)
  }
  if (token.key_revoked_at !== null) {
    throw refused(`This ${param} was made with a publishable key that has been revoked; use another key's.`)
  }
  if (token.used_at !== null) throw used()
  return { sql: spend, params: [nowMs, caller.accountId, jti], expect: 1, onRefused: used }
}

const spend = 'UPDATE card_tokens SET used_at = ? WHERE account_id = ? AND id = ? AND used_at IS NULL'
