import { timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import { ApiError, type SecretBox } from '../runtime/index.ts'

/** A kind of token that the vault hands to pages and takes back in a parameter. */
interface TokenKind<Token extends SignedFields> {
  /** The parameter that it comes back in. */
  param: string
  /** The purpose that its signatures are bound to, so that no other kind of token passes. */
  purpose: string
  /** Strict, of all fields but `sig`. */
  schema: z.ZodType<Token>
  /** The same fields in fixed order: they have one spelling, whatever order the sender's JSON had them in. */
  spelling: (token: Token) => readonly unknown[]
}

interface SignedFields {
  /** Until when it is good: Unix time in seconds. */
  exp: number
}

/** Signs tokens of a kind, and reads those that this vault has signed. */
export interface SignedTokens<Token> {
  /** @returns base64url of its JSON, with `sig`, the HMAC-SHA256 of all other fields, as the last one. */
  sign(token: Token, secrets: SecretBox): string
  /**
   * @param text base64url or standard base64, with or without padding.
   * @param nowMs Milliseconds since the Unix epoch.
   * @throws {ApiError} `token_invalid` when it was not signed here or was altered, `token_expired` when its time is over.
   */
  verify(text: string, secrets: SecretBox, nowMs: number): Token
}

/** The tokens of a kind. */
export function signedTokens<Token extends SignedFields>({
  param,
  purpose,
  schema,
  spelling,
}: TokenKind<Token>): SignedTokens<Token> {
  const invalid = (why: string) => {
    const message = `This ${param} is not valid. ${why} Pass on what card.tokenize() returned, unchanged.`
    return new ApiError('token_invalid', message, { param })
  }
  const signedText = (token: Token) => JSON.stringify(spelling(token))
  return {
    sign(token, secrets) {
      const sig = secrets.sign(purpose, signedText(token)).toString('base64url')
      return writeTokenText({ ...token, sig })
    },
    verify(text, secrets, nowMs) {
      const written = readTokenText(text)
      if (written === null) throw invalid('It is not base64url.')
      const { sig, ...fields } = Object(written.fields)
      const { data: token } = schema.safeParse(fields)
      if (token === undefined || typeof sig !== 'string') throw invalid('It is not one that the card form makes.')
      if (!isSigned(sig, secrets.signatures(purpose, signedText(token)))) {
        throw invalid('Its signature does not fit: it was altered, or comes from another environment.')
      }
      if (token.exp * 1_000 > nowMs) return token
      throw new ApiError('token_expired', `The ${param} is older than 15 minutes; call tokenize() again.`, { param })
    },
  }
}

/** Writes a token's fields as one word: base64url of their JSON. */
function writeTokenText(fields: object): string {
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

/**
 * Reads a token's fields.
 *
 * @param text base64url or standard base64, with or without padding.
 * @returns `null` when it is not base64; `undefined` as its fields when it is no JSON, which fits no schema.
 */
function readTokenText(text: string): { fields: unknown } | null {
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

/** Whether a signature is one of those that count; how long this takes says nothing about them. */
function isSigned(given: string, signatures: readonly Buffer[]): boolean {
  return signatures.some((expected) => sameSignature(given, expected.toString('base64url')))
}

/** Whether a signature is the expected one; how long this takes says nothing about where the two differ. */
export function sameSignature(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
