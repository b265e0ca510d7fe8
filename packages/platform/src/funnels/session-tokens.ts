import { hash } from 'node:crypto'
import { plans } from '@tillwright/contract'
import { accountsTable } from '../accounts/index.ts'
import type { Caller } from '../request-context.ts'
import { ApiError, base62, type Randomness } from '../runtime/index.ts'
import { type Database, deleteSome, pick, rowReader, type Statement } from '../storage/index.ts'
import { funnelSessionsTable } from './tables.ts'

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
  const message =
    'The session was handed over to another page, and this token no longer works; continue there, or start a new session.'
  return new ApiError('session_token_replaced', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** The caller that a session's token authenticates. */
export interface TokenHolder {
  caller: Caller & { sessionId: string; sessionTokenHash: string }
  tokenExpiresAtMs: number
  /** When the session began, in Unix milliseconds. */
  startedAtMs: number
}

/** A token is renewed when this much of its hour has gone by, so that few requests cost a write. */
const RENEW_AFTER_MS = 5 * 60 * 1_000

/** The session that a token opens, by the token's SHA-256; `null` for none. */
export async function findTokenHolder(tokenHash: string, db: Database): Promise<TokenHolder | null> {
  const [row] = readHolders(await db.read(selectHolder, [tokenHash]))
  if (row === undefined) return null
  const { plan, token_expires_at: tokenExpiresAtMs } = row
  return {
    caller: {
      accountId: row.account_id,
      actor: { kind: 'session', id: row.id, name: null },
      keyId: '',
      kind: 'session',
      roles: [],
      scopes: [],
      plan,
      rateLimit: plans[plan],
      storeId: row.store_id,
      allowedOrigins: [],
      sessionId: row.id,
      sessionTokenHash: tokenHash,
      isPreview: row.is_preview,
    },
    tokenExpiresAtMs,
    // Where it was not noted: an hour before the session's first token ends.
    startedAtMs: row.started_at ?? tokenExpiresAtMs - SESSION_TOKEN_LIFETIME_MS,
  }
}

const selectHolder = `SELECT s.account_id, s.id, s.store_id, s.is_preview, s.token_expires_at, s.started_at, a.plan
  FROM funnel_sessions s JOIN accounts a ON a.id = s.account_id WHERE s.token_hash = ?`
const readHolders = rowReader({
  ...pick(funnelSessionsTable, 'account_id', 'id', 'store_id', 'is_preview', 'token_expires_at', 'started_at'),
  ...pick(accountsTable, 'plan'),
})

/** Whether a token was once good, and its session has been handed over since. */
export async function isReplacedToken(tokenHash: string, db: Database): Promise<boolean> {
  const [row] = await db.read('SELECT 1 AS found FROM replaced_session_tokens WHERE token_hash = ?', [tokenHash])
  return row !== undefined
}

/** Remembers the token that a session has now as a dead one. It comes before the session has another. */
export function noteReplaced({ accountId, sessionId }: HeldSession, nowMs: number): Statement {
  return {
    sql: `INSERT INTO replaced_session_tokens (account_id, token_hash, replaced_at)
      SELECT account_id, token_hash, CAST(? AS BIGINT) FROM funnel_sessions WHERE account_id = ? AND id = ?`,
    params: [nowMs, accountId, sessionId],
  }
}

type HeldSession = { accountId: string; sessionId: string }

/** Forgets dead tokens that would have expired by now in any case, some at a time. */
export function forgetReplacedTokens(nowMs: number): Statement {
  const dead = { table: 'replaced_session_tokens', key: 'account_id, token_hash', where: 'replaced_at <= ?' }
  return deleteSome(dead, [nowMs - SESSION_TOKEN_MAX_MS])
}

/** The statement that puts the end of a token in use off; `null` while that is not worth it, or the day is over. */
export function renewToken({ caller, tokenExpiresAtMs, startedAtMs }: TokenHolder, nowMs: number): Statement | null {
  const untilMs = Math.min(nowMs + SESSION_TOKEN_LIFETIME_MS, startedAtMs + SESSION_TOKEN_MAX_MS)
  const isDue = tokenExpiresAtMs - nowMs <= SESSION_TOKEN_LIFETIME_MS - RENEW_AFTER_MS
  if (!isDue || untilMs <= tokenExpiresAtMs) return null
  return {
    sql: `UPDATE funnel_sessions SET token_expires_at = ?, last_activity_at = ?
      WHERE account_id = ? AND id = ? AND token_hash = ? AND token_expires_at < ?`,
    params: [untilMs, nowMs, caller.accountId, caller.sessionId, caller.sessionTokenHash, untilMs],
  }
}
