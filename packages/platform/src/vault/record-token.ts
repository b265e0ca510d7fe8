import { ApiError } from '../ambient/api-error.ts'
import type { Call, Write } from '../call.ts'

/** A token that the vault hands out for a message. */
export interface NewToken {
  jti: string
  /** Until when it is good: Unix time in seconds. */
  exp: number
  /** The card that it is about. */
  cardId: string
  /** The random id of the message. */
  messageId: string
  /** The session of the form that has sent the message. */
  session: string
}

/** Records a token. The message's id is unique in the account, so that a message sent twice is refused. */
export function recordToken({ jti, exp, cardId, messageId, session }: NewToken, { caller, address }: Call): Write {
  const { accountId, storeId, keyId } = caller
  return {
    sql: `INSERT INTO card_tokens (account_id, id, card_id, store_id, key_id, jwe_id, expires_at, frame_session, frame_address)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [accountId, jti, cardId, storeId, keyId, messageId, exp * 1_000, session, address],
    otherwise: () => new ApiError('token_used', 'This message was sent before; encrypt it again.', { param: 'jwe' }),
  }
}
