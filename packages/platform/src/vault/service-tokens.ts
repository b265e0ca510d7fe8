import { z } from 'zod'
import { timingSafeEqual } from 'node:crypto'
import { type WalletName, walletName } from '@tillwright/contract'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError, type SecretBox } from '../runtime/index.ts'
import { int, nullable, pick, type RowOf } from '../storage/index.ts'
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

/** Signs a service token: base64url of its JSON, with `sig`, the HMAC-SHA256 of all other fields, as the last one. */
export function signServiceToken(token: ServiceToken, secrets: SecretBox): string {
  const { v, type, provider, token: cardId, nonSensitiveMetadata, exp, jti } = token
  const sig = secrets.sign(PURPOSE, signedText(token)).toString('base64url')
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
  if (!isSigned(sig, secrets.signatures(PURPOSE, signedText(token)))) {
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

const PURPOSE = 'service token'

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
    wallet: walletName.optional(),
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
function signedText({ v, type, provider, token, nonSensitiveMetadata: shown, exp, jti }: ServiceToken): string {
  const wallet = shown.wallet === undefined ? [] : [shown.wallet]
  const display = [shown.last4, shown.brand, shown.bin, shown.expMonth, shown.expYear, shown.funding, ...wallet]
  return JSON.stringify([v, type, provider, token, ...display, exp, jti])
}

function invalid(why: string): ApiError {
  const message = `This serviceToken is not valid. ${why} Pass on what card.tokenize() returned, unchanged.`
  return new ApiError('token_invalid', message, { param: PARAM })
}

/** Writes a token's fields as one word: base64url of their JSON. */
export function writeTokenText(fields: object): string {
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

/**
 * Reads a token's fields.
 *
 * @param text base64url or standard base64, with or without padding.
 * @returns `null` when it is not base64; `undefined` as its fields when it is no JSON, which fits no schema.
 */
export function readTokenText(text: string): { fields: unknown } | null {
  const unpadded = text
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
  const bytes = Buffer.from(unpadded, 'base64url')
  // Node skips what is not base64, and the bits left over at its end: only the one proper spelling is taken.
  return bytes.toString('base64url') === unpadded ? { fields: json(bytes) } : null
}

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

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

/** Whether a signature is one of those that count; how long this takes says nothing about them. */
export function isSigned(given: string, signatures: readonly Buffer[]): boolean {
  return signatures.some((expected) => sameSignature(given, expected.toString('base64url')))
}

/** Whether a signature is the expected one; how long this takes says nothing about where the two differ. */
export function sameSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
