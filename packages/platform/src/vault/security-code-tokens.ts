import { z } from 'zod'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError, type SecretBox } from '../runtime/index.ts'
import { rowReader } from '../storage/index.ts'
import {
  foreignToken,
  readTokenText,
  isSigned,
  spendToken,
  TOKEN_COLUMNS,
  tokenColumns,
  writeTokenText,
} from './service-tokens.ts'

/**
 * Resolves the token of a saved card's security code to the name under which the code waits. `writes` spend
 * the token; they belong to the payment's first transaction.
 *
 * @param use The store, and the instrument to charge.
 * @throws {ApiError} `token_invalid`, `token_expired` or `token_used`.
 */
export async function redeemSecurityCode(
  text: string,
  use: { storeId: string; paymentInstrumentId: string },
  context: Pick<RequestContext, 'services' | 'caller' | 'nowMs'>,
): Promise<{ codeId: string; writes: Write[] }> {
  const { services, caller, nowMs } = context
  const { jti, paymentInstrumentId } = verifySecurityCodeToken(text, services.secrets, nowMs)
  const [row] = readTokens(await services.db.read(selectToken, [caller.accountId, jti]))
  if (row === undefined) throw foreignToken('securityCodeToken')
  const write = spendToken(row, { param: 'securityCodeToken', jti, storeId: use.storeId }, context)
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
const readTokens = rowReader(tokenColumns)

/** How long a token is good for: as long as the code itself waits. */
export const SECURITY_CODE_TTL_S = 15 * 60

/** The content of a token for a saved card's security code. Does not contain the code itself. */
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
  const sig = secrets.sign(PURPOSE, signedText(token)).toString('base64url')
  return writeTokenText({ v, type, provider, paymentInstrumentId, exp, jti, sig })
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
  if (!isSigned(sig, secrets.signatures(PURPOSE, signedText(token)))) {
    throw invalid('Its signature does not fit: it was altered, or comes from another environment.')
  }
  if (token.exp * 1_000 > nowMs) return token
  throw new ApiError('token_expired', `The ${PARAM} is older than 15 minutes; call tokenize() again.`, { param: PARAM })
}

const PARAM = 'securityCodeToken'
const PURPOSE = 'security code token'

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
function signedText({ v, type, provider, paymentInstrumentId, exp, jti }: SecurityCodeToken): string {
  return JSON.stringify([v, type, provider, paymentInstrumentId, exp, jti])
}

function invalid(why: string): ApiError {
  const message = `This ${PARAM} is not valid. ${why} Pass on what card.tokenize() returned, unchanged.`
  return new ApiError('token_invalid', message, { param: PARAM })
}
