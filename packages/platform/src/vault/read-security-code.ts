import { z } from 'zod'
import { ApiError } from '../ambient/api-error.ts'
import { checkFresh } from './check-fresh.ts'
import { messageFields } from './message-fields.ts'
import { unfit } from './unfit.ts'

/** The security code of a saved card as a buyer typed it. Whether it fits the card is not known yet. */
export interface TypedSecurityCode {
  cvc: string
  paymentInstrumentId: string
  /** The random id of the message it came in, by which a second use is refused. */
  messageId: string
}

/**
 * Reads what a card frame has encrypted for a saved card.
 *
 * @param plaintext The decrypted JSON.
 * @param allowedOrigins The origins of the pages that the caller's key may stand in.
 * @param nowMs Milliseconds since the Unix epoch.
 * @throws {ApiError} `token_invalid` for a message that no frame of ours makes here and now, `token_expired` for one
 *   that is too old. No error shows a value.
 */
export function readSecurityCode(
  plaintext: unknown,
  allowedOrigins: readonly string[],
  nowMs: number,
): TypedSecurityCode {
  const read = sentCode.safeParse(plaintext)
  if (!read.success) {
    throw new ApiError('token_invalid', `The encrypted security code is not complete: ${unfit(read.error)}.`)
  }
  const { cvc, paymentInstrumentId, jti, ...message } = read.data
  checkFresh(message, allowedOrigins, nowMs)
  return { cvc, paymentInstrumentId, messageId: jti }
}

/** The plaintext of the JWE. */
const sentCode = z.object({
  ...messageFields,
  cvc: z.string().max(64),
  paymentInstrumentId: z.string().min(1).max(128),
})
