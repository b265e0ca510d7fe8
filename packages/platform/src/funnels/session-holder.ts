import { plans, type Plan } from '@tillwright/contract'
import type { Caller } from '../call.ts'
import type { Database, Statement } from '../storage/database.ts'
import { SESSION_TOKEN_LIFETIME_MS, SESSION_TOKEN_MAX_MS } from './session-token.ts'

/** Whoever holds a session's token. */
export interface TokenHolder {
  caller: Caller & { sessionId: string; sessionTokenHash: string }
  tokenExpiresAtMs: number
  /** When the session began, in Unix milliseconds. */
  startedAtMs: number
}

/** A token is renewed when this much of its hour has gone by, so that few requests cost a write. */
const RENEW_AFTER_MS = 5 * 60 * 1_000

/** The session that a token opens, by the token's SHA-256; `null` for none. */
export async function findTokenHolder(hash: string, db: Database): Promise<TokenHolder | null> {
  const [row] = await db.read(selectHolder, [hash])
  if (row === undefined) return null
  const plan = String(row['plan']) as Plan // written from this type alone
  const tokenExpiresAtMs = Number(row['token_expires_at'])
  return {
    caller: {
      accountId: String(row['account_id']),
      keyId: '',
      kind: 'session',
      roles: [],
      scopes: [],
      plan,
      rateLimit: plans[plan],
      storeId: String(row['store_id']),
      allowedOrigins: [],
      sessionId: String(row['id']),
      sessionTokenHash: hash,
      isPreview: row['is_preview'] === 1,
    },
    tokenExpiresAtMs,
    // A session from before it was noted began an hour before its first token ended.
    startedAtMs: Number(row['started_at'] ?? tokenExpiresAtMs - SESSION_TOKEN_LIFETIME_MS),
  }
}

const selectHolder = `SELECT s.account_id, s.id, s.store_id, s.is_preview, s.token_expires_at, s.started_at, a.plan
  FROM funnel_sessions s JOIN accounts a ON a.id = s.account_id WHERE s.token_hash = ?`

/** Whether a token was once good, and its session has been handed over since. */
export async function isReplacedToken(hash: string, db: Database): Promise<boolean> {
  const [row] = await db.read('SELECT 1 AS found FROM replaced_session_tokens WHERE token_hash = ?', [hash])
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
  return {
    sql: `DELETE FROM replaced_session_tokens WHERE (account_id, token_hash) IN
      (SELECT account_id, token_hash FROM replaced_session_tokens WHERE replaced_at <= ? LIMIT 1000)`,
    params: [nowMs - SESSION_TOKEN_MAX_MS],
  }
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
