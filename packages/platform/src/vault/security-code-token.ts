import { z } from 'zod'
import { ApiError } from '../ambient/api-error.ts'
import type { SecretBox } from '../ambient/secret-box.ts'
import { sameSignature } from './same-signature.ts'
import { readTokenText, writeTokenText } from './token-text.ts'

/** How long a token is good for: as long as the code itself waits in memory. */
export const SECURITY_CODE_TTL_S = 15 * 60

/** What a token for the security code of a saved card says. The code itself is not in it. */
export interface SecurityCodeToken {
  v: 1
  type: 'security_code'
  provider: 'tillwright'
  /** The one instrument that it may be used with. */
  paymentInstrumentId: string
  /** Until when it is good: Unix time in seconds. */
  exp: number
  /** The id of this one token, under which the code waits and by which a second use is refused. */
  jti: string
}

/** Signs a token: base64url of its JSON, with `sig`, the HMAC-SHA256 of all other fields, as the last one. */
export function signSecurityCodeToken(token: SecurityCodeToken, secrets: SecretBox): string {
  const { v, type, provider, paymentInstrumentId, exp, jti } = token
  return writeTokenText({ v, type, provider, paymentInstrumentId, exp, jti, sig: signature(token, secrets) })
}

/**
 * Reads a token that this vault has signed.
 *
 * @param text base64url or standard base64, with or without padding.
 * @param nowMs Milliseconds since the Unix epoch.
 * @throws {ApiError} `token_invalid` when it was not signed here or was altered, `token_expired` when its time is over.
 */
export function verifySecurityCodeToken(text: string, secrets: SecretBox, nowMs: number): SecurityCodeToken {
  const read = signedToken.safeParse(readTokenText(text)?.fields)
  if (!read.success) throw invalid('It is not one that the card form makes.')
  const { sig, ...token } = read.data
  if (!sameSignature(sig, signature(token, secrets))) {
    throw invalid('Its signature does not fit: it was altered, or comes from another environment.')
  }
  if (token.exp * 1_000 > nowMs) return token
  throw new ApiError('token_expired', `The ${PARAM} is older than 15 minutes; call tokenize() again.`, { param: PARAM })
}

const PARAM = 'securityCodeToken'

const signedToken = z.strictObject({
  v: z.literal(1),
  type: z.literal('security_code'),
  provider: z.literal('tillwright'),
  paymentInstrumentId: z.string(),
  exp: z.int(),
  jti: z.string(),
  sig: z.string(),
})

/** An array of all fields in fixed order has one spelling, whatever order the sender's JSON had them in. */
function signature(
  { v, type, provider, paymentInstrumentId, exp, jti }: SecurityCodeToken,
  secrets: SecretBox,
): string {
  return secrets
    .mac('security code token', JSON.stringify([v, type, provider, paymentInstrumentId, exp, jti]))
    .toString('base64url')
}

function invalid(why: string): ApiError {
  const message = `This ${PARAM} is not valid. ${why} Pass on what card.tokenize() returned, unchanged.`
  return new ApiError('token_invalid', message, { param: PARAM })
}
