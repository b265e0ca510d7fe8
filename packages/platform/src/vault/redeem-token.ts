import type { Call, Write } from '../call.ts'
import { CARD_COLUMNS, cardRow, type CardRow } from './card-row.ts'
import { verifyServiceToken } from './service-token.ts'
import { spendToken, TOKEN_COLUMNS } from './spend-token.ts'

/**
 * Turns a service token into the card it stands for. The token is spent by `writes`, which belong into the unit of
 * whatever the card is used for; of two requests with one token the second is refused there.
 *
 * @param use The store that the card is to be used in.
 * @throws {ApiError} `token_invalid`, `token_expired` or `token_used`.
 */
export async function redeemToken(
  serviceToken: string,
  use: { storeId: string },
  call: Pick<Call, 'parts' | 'caller' | 'nowMs'>,
): Promise<{ card: CardRow; writes: Write[] }> {
  const { parts, caller, nowMs } = call
  const { jti, token: cardId } = verifyServiceToken(serviceToken, parts.secrets, nowMs)
  const [row] = await parts.db.read(selectCard, [caller.accountId, jti, cardId])
  const write = spendToken(row, { param: 'serviceToken', jti, ...use }, call)
  return { card: cardRow(row), writes: [write] }
}

const selectCard = `SELECT ${CARD_COLUMNS}, ${TOKEN_COLUMNS}
  FROM card_tokens JOIN cards ON cards.account_id = card_tokens.account_id AND cards.id = card_tokens.card_id
  WHERE card_tokens.account_id = ? AND card_tokens.id = ? AND card_tokens.card_id = ?`
