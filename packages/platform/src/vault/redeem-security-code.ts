import { ApiError } from '../ambient/api-error.ts'
import type { Call, Write } from '../call.ts'
import { verifySecurityCodeToken } from './security-code-token.ts'
import { spendToken, TOKEN_COLUMNS } from './spend-token.ts'

/**
 * Turns the token of a saved card's security code into the name under which the code waits in memory. The token is
 * spent by `writes`, which belong into the payment's first unit.
 *
 * @param use The store, and the instrument that is to be charged.
 * @throws {ApiError} `token_invalid`, `token_expired` or `token_used`.
 */
export async function redeemSecurityCode(
  text: string,
  use: { storeId: string; paymentInstrumentId: string },
  call: Pick<Call, 'parts' | 'caller' | 'nowMs'>,
): Promise<{ codeId: string; writes: Write[] }> {
  const { parts, caller, nowMs } = call
  const { jti, paymentInstrumentId } = verifySecurityCodeToken(text, parts.secrets, nowMs)
  const [row] = await parts.db.read(selectToken, [caller.accountId, jti])
  const write = spendToken(row, { param: 'securityCodeToken', jti, storeId: use.storeId }, call)
  if (paymentInstrumentId !== use.paymentInstrumentId) {
    throw new ApiError(
      'token_invalid',
      'This securityCodeToken was made for another payment instrument; pay with the one that the buyer has chosen.',
      { param: 'securityCodeToken' },
    )
  }
  return { codeId: jti, writes: [write] }
}

const selectToken = `SELECT ${TOKEN_COLUMNS} FROM card_tokens WHERE account_id = ? AND id = ?`
