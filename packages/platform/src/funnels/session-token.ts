import { hash } from 'node:crypto'
import { ApiError } from '../ambient/api-error.ts'
import { base62 } from '../ambient/ids.ts'
import type { Randomness } from '../ambient/randomness.ts'

/** 43 base62 characters hold 256 bits. */
const RANDOM_CHARS = 43

/** How long a token opens its session after it was made or renewed. */
export const SESSION_TOKEN_LIFETIME_MS = 60 * 60 * 1_000

/** How long a token that is used again and again opens its session. */
export const SESSION_TOKEN_MAX_MS = 24 * 60 * 60 * 1_000

/** How long a code opens its session. Source: decision 16. */
export const SESSION_CODE_LIFETIME_MS = 60 * 1_000

/**
 * Makes a session's token: `fstok_` and 256 random bits. The text is shown once; its SHA-256 is what is stored, and is
 * good enough for a secret of that length.
 */
export function newSessionToken(randomness: Randomness): { text: string; hash: string } {
  const text = `fstok_${base62(randomness, RANDOM_CHARS)}`
  return { text, hash: hash('sha256', text) }
}

/** The SHA-256 of a session's token; `null` for a text that is none, which is then not looked up. */
export function readSessionToken(text: string): string | null {
  return /^fstok_[0-9A-Za-z]{43}$/.test(text) ? hash('sha256', text) : null
}

/**
 * Makes the code that hands a session over: `fscode_` and 256 random bits. That of a preview says so, because a page must
 * not begin a buyer's session in the place of a preview whose code is dead.
 */
export function newSessionCode(randomness: Randomness, isPreview: boolean): { text: string; hash: string } {
  const text = `fscode_${isPreview ? 'preview_' : ''}${base62(randomness, RANDOM_CHARS)}`
  return { text, hash: hash('sha256', text) }
}

/** The SHA-256 of a session's code; `null` for a text that is none. */
export function readSessionCode(text: string): string | null {
  return /^fscode_(preview_)?[0-9A-Za-z]{43}$/.test(text) ? hash('sha256', text) : null
}

/** The refusal of a token that was good until another page took the session over. */
export function tokenReplaced(): ApiError {
  const message = 'The session was handed over to another page, and this token is dead; go on there, or begin another.'
  return new ApiError('session_token_replaced', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
