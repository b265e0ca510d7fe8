import { ApiError } from '../../ambient/api-error.ts'
import type { Call } from '../../call.ts'
import { readActionToken } from './action-token.ts'
import { findSession, type StoredSession } from './session-record.ts'

/** How long after a session's time its frame is still told how it ended. */
const TOLD_FOR_MS = 10 * 60 * 1_000

/** A session of a payment, for the frame in the buyer's browser. */
export type BrowserSession = StoredSession & { paymentId: string }

/**
 * The session that an action token opens to the frame of a publishable key.
 *
 * @throws {ApiError} `token_invalid` for a token that was not signed here or belongs to another account or store,
 *   `token_expired` when the session's time is long over.
 */
export async function openSession(
  actionToken: string,
  { caller, parts, nowMs }: Pick<Call, 'caller' | 'parts' | 'nowMs'>,
): Promise<BrowserSession> {
  const session = await findSession(sessionIdOf(actionToken, { caller, parts }), caller.accountId, parts.db)
  if (session === null || session.paymentId === null) throw invalid()
  if (caller.storeId !== null && caller.storeId !== session.storeId) throw invalid()
  if (session.expiresAtMs + TOLD_FOR_MS > nowMs) return { ...session, paymentId: session.paymentId }
  throw new ApiError('token_expired', 'The authentication was not ended in time; pay again.', { param: PARAM })
}

/** @throws {ApiError} `token_invalid` for a token that was not signed here or belongs to another account. */
export function sessionIdOf(actionToken: string, { caller, parts }: Pick<Call, 'caller' | 'parts'>): string {
  const subject = readActionToken(actionToken, parts.secrets)
  if (subject === null || subject.accountId !== caller.accountId) throw invalid()
  return subject.sessionId
}

const PARAM = 'actionToken'

function invalid(): ApiError {
  const message =
    'This actionToken opens nothing here: pass on the nextAction.actionToken of the payment, with the publishable key of its store.'
  return new ApiError('token_invalid', message, { param: PARAM })
}
