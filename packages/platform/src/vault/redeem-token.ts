import { z } from 'zod'
import { ApiError } from '../ambient/api-error.ts'
import type { Call, Write } from '../call.ts'
import { CARD_COLUMNS, cardRow, type CardRow } from './card-row.ts'
import { verifyServiceToken } from './service-token.ts'

/**
 * Turns a service token into the card it stands for. The token is spent by `writes`, which belong into the unit of
 * whatever the card is used for; of two requests with one token the second is refused there. A token falls with the
 * publishable key that it was made with.
 *
 * @param use The store that the card is to be used in.
 * @throws {ApiError} `token_invalid`, `token_expired` or `token_used`.
 */
export async function redeemToken(
  serviceToken: string,
  use: { storeId: string },
  { parts, caller, nowMs }: Pick<Call, 'parts' | 'caller' | 'nowMs'>,
): Promise<{ card: CardRow; writes: Write[] }> {
  const token = verifyServiceToken(serviceToken, parts.secrets, nowMs)
  const [row] = await parts.db.read(selectCard, [caller.accountId, token.jti, token.token])
  if (row === undefined) throw invalid('This serviceToken belongs to another account; use the secret key of its own.')
  const { store_id: storeId, used_at: usedAtMs, key_revoked_at: keyRevokedAtMs } = tokenColumns.parse(row)
  if (storeId !== null && storeId !== use.storeId) {
    throw invalid(
      "This serviceToken was made for another store; send that store's id, or use this store's publishable key.",
    )
  }
  if (keyRevokedAtMs !== null) {
    throw invalid("This serviceToken was made with a publishable key that has been revoked; use another key's.")
  }
  if (usedAtMs !== null) throw used()
  const params = [nowMs, caller.accountId, token.jti]
  return { card: cardRow(row), writes: [{ sql: spendToken, params, expect: 1, otherwise: used }] }
}

const tokenColumns = z.object({
  store_id: z.string().nullable(),
  used_at: z.int().nullable(),
  key_revoked_at: z.int().nullable(),
})

const selectCard = `SELECT ${CARD_COLUMNS},
    card_tokens.store_id, card_tokens.used_at,
    (SELECT revoked_at FROM api_keys WHERE api_keys.account_id = card_tokens.account_id
      AND api_keys.id = card_tokens.key_id) AS key_revoked_at
  FROM card_tokens JOIN cards ON cards.account_id = card_tokens.account_id AND cards.id = card_tokens.card_id
  WHERE card_tokens.account_id = ? AND card_tokens.id = ? AND card_tokens.card_id = ?`

const spendToken = 'UPDATE card_tokens SET used_at = ? WHERE account_id = ? AND id = ? AND used_at IS NULL'

function invalid(message: string): ApiError {
  return new ApiError('token_invalid', message, { param: 'serviceToken' })
}

function used(): ApiError {
  return new ApiError('token_used', 'This serviceToken has been used; call tokenize() again.', {
    param: 'serviceToken',
  })
}
