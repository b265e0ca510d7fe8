import { z } from 'zod'
import { ApiError } from '../ambient/api-error.ts'
import type { SecretBox } from '../ambient/secret-box.ts'
import { sameSignature } from './same-signature.ts'
import { readTokenText, writeTokenText } from './token-text.ts'

/** How long a service token is good for. */
export const SERVICE_TOKEN_TTL_S = 15 * 60

/** What a service token says. */
export interface ServiceToken {
  v: 1
  type: 'card'
  provider: 'tillwright'
  /** The card's id in the vault. */
  token: string
  /** For display alone: whoever redeems the token reads the vault instead. */
  nonSensitiveMetadata: {
    last4: string
    brand: string
    bin: string
    expMonth: number
    expYear: number
    funding: 'credit' | 'debit' | 'prepaid' | 'unknown'
  }
  /** Until when it is good: Unix time in seconds. */
  exp: number
  /** The id of this one token, by which a second use is refused. */
  jti: string
}

/** Signs a service token: base64url of its JSON, with `sig`, the HMAC-SHA256 of all other fields, as the last one. */
export function signServiceToken(token: ServiceToken, secrets: SecretBox): string {
  const { v, type, provider, token: cardId, nonSensitiveMetadata, exp, jti } = token
  const sig = signature(token, secrets)
  return writeTokenText({ v, type, provider, token: cardId, nonSensitiveMetadata, exp, jti, sig })
}

/**
 * Reads a service token that this vault has signed.
 *
 * @param text base64url or standard base64, with or without padding.
 * @param nowMs Milliseconds since the Unix epoch.
 * @throws {ApiError} `token_invalid` when it was not signed here or was altered, `token_expired` when its time is over.
 */
export function verifyServiceToken(text: string, secrets: SecretBox, nowMs: number): ServiceToken {
  const { sig, ...token } = parse(text)
  if (!sameSignature(sig, signature(token, secrets))) {
    throw invalid('Its signature does not fit: it was altered, or comes from another environment.')
  }
  if (token.exp * 1_000 <= nowMs) {
    throw new ApiError('token_expired', 'The serviceToken is older than 15 minutes; call tokenize() again.', {
      param: PARAM,
    })
  }
  return token
}

const PARAM = 'serviceToken'

const signedToken = z.strictObject({
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
  }),
  exp: z.int(),
  jti: z.string(),
  sig: z.string(),
})

function parse(text: string): ServiceToken & { sig: string } {
  const written = readTokenText(text)
  if (written === null) throw invalid('It is not base64url.')
  const read = signedToken.safeParse(written.fields)
  if (!read.success) throw invalid('It is not one that the card form makes.')
  return read.data
}

/** An array of all fields in fixed order has one spelling, whatever order the sender's JSON had them in. */
function signature(
  { v, type, provider, token, nonSensitiveMetadata: shown, exp, jti }: ServiceToken,
  secrets: SecretBox,
): string {
  const display = [shown.last4, shown.brand, shown.bin, shown.expMonth, shown.expYear, shown.funding]
  return secrets
    .mac('service token', JSON.stringify([v, type, provider, token, ...display, exp, jti]))
    .toString('base64url')
}

function invalid(why: string): ApiError {
  const message = `This serviceToken is not valid. ${why} Pass on what card.tokenize() returned, unchanged.`
  return new ApiError('token_invalid', message, { param: PARAM })
}
