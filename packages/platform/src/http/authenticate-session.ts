import { ApiError } from '../ambient/api-error.ts'
import type { Caller, Parts } from '../call.ts'
import { findTokenHolder, isReplacedToken, renewToken } from '../funnels/session-holder.ts'
import { readSessionToken, tokenReplaced } from '../funnels/session-token.ts'

/**
 * Authentication by a session's token. Whoever uses one keeps it alive: for another hour, and up to a day from the
 * session's beginning.
 *
 * @param authorization The header of that name.
 * @throws {ApiError} `session_token_missing`, `session_token_invalid`, `session_token_expired`, and
 *   `session_token_replaced` when the session was handed over to another page.
 */
export async function authenticateSession(
  authorization: string | undefined,
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
): Promise<Caller> {
  if (authorization === undefined) {
    throw refused('session_token_missing', 'Send the session’s token in the header "Authorization: Bearer <token>".')
  }
  const hash = readSessionToken(/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '')
  const holder = hash === null ? null : await findTokenHolder(hash, db)
  if (hash !== null && holder === null && (await isReplacedToken(hash, db))) throw tokenReplaced()
  if (holder === null) {
    const message = 'This is not the token of a session: expected "Bearer fstok_...", as a new session answers it.'
    throw refused('session_token_invalid', message)
  }
  const nowMs = clock.now()
  if (holder.tokenExpiresAtMs <= nowMs) {
    throw refused('session_token_expired', 'The session’s token has expired; begin another session.')
  }
  const renewal = renewToken(holder, nowMs)
  if (renewal !== null) await db.write([renewal])
  return holder.caller
}

function refused(
  code: 'session_token_missing' | 'session_token_invalid' | 'session_token_expired',
  message: string,
): ApiError {
  return new ApiError(code, message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
