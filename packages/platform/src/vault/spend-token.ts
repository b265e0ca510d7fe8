import { z } from 'zod'
import { ApiError } from '../ambient/api-error.ts'
import type { Call, Write } from '../call.ts'
import type { Row } from '../storage/database.ts'

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

/**
 * Checks what the vault knows of a token, and spends it: of two requests with one token, the write of the second is
 * refused. A token falls with the publishable key that it was made with.
 *
 * @param row The token's row, or nothing when the account has none.
 * @throws {ApiError} `token_invalid` or `token_used`.
 */
export function spendToken(
  row: Row | undefined,
  use: TokenUse,
  { caller, nowMs }: Pick<Call, 'caller' | 'nowMs'>,
): Write {
  const { param, jti, storeId } = use
  const invalid = (message: string) => new ApiError('token_invalid', message, { param })
  const used = () => new ApiError('token_used', `This ${param} has been used; call tokenize() again.`, { param })
  if (row === undefined) throw invalid(`This ${param} belongs to another account; use the secret key of its own.`)
  const token = columns.parse(row)
  if (token.store_id !== null && token.store_id !== storeId) {
    const remedy = "send that store's id, or use this store's publishable key."
    throw invalid(`This ${param} was made for another store; ${remedy}`)
  }
  if (token.key_revoked_at !== null) {
    throw invalid(`This ${param} was made with a publishable key that has been revoked; use another key's.`)
  }
  if (token.used_at !== null) throw used()
  return { sql: spend, params: [nowMs, caller.accountId, jti], expect: 1, otherwise: used }
}

const columns = z.object({
  store_id: z.string().nullable(),
  used_at: z.int().nullable(),
  key_revoked_at: z.int().nullable(),
})

const spend = 'UPDATE card_tokens SET used_at = ? WHERE account_id = ? AND id = ? AND used_at IS NULL'
