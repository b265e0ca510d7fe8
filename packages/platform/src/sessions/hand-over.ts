import type { Contract } from '@tillwright/contract'
import {
  newSessionCode,
  newSessionToken,
  noteReplaced,
  readSessionCode,
  SESSION_CODE_LIFETIME_MS,
  SESSION_TOKEN_LIFETIME_MS,
  SESSION_TOKEN_MAX_MS,
  tokenReplaced,
} from '../funnels/index.ts'
import type { RequestContext, Handler, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { handedOver } from './brought-along.ts'
import { type BuyersSession, readSessionOfCode } from './buyers-session.ts'
import { orderOf } from './open-order.ts'
import type { ViewSession } from './view.ts'

/**
 * Makes the code for the next page's address. The token stays good until a page redeems the code; a newer code replaces
 * an unredeemed one.
 */
export const handOver: Handler<Contract['session']['handOver']> = async (_, { caller, services, nowMs }) => {
  const { accountId, sessionId = '', sessionTokenHash = '', isPreview = false } = caller
  const code = newSessionCode(services.randomness, isPreview)
  const expiresAtMs = nowMs + SESSION_CODE_LIFETIME_MS
  return {
    body: { code: code.text, expiresAt: new Date(expiresAtMs).toISOString() },
    writes: [
      {
        sql: 'UPDATE funnel_sessions SET code_expires_at = ? WHERE account_id = ? AND id = ? AND token_hash = ?',
        params: [expiresAtMs, accountId, sessionId, sessionTokenHash],
        expect: 1,
        onRefused: tokenReplaced,
      },
      {
        sql: 'UPDATE funnel_sessions SET code_hash = ? WHERE account_id = ? AND id = ?',
        params: [code.hash, accountId, sessionId],
      },
    ],
  }
}

/** Gives the page that redeems a code a token of its own. Of two that try at once one wins. */
export function redeem(view: ViewSession): Handler<Contract['session']['redeem']> {
  return async ({ body: { code } }, context) => {
    const { services, nowMs } = context
    const codeHash = readSessionCode(code)
    const before = await findOwn(codeHash, context)
    const token = newSessionToken(services.randomness)
    const tokenExpiresAtMs = Math.min(
      nowMs + SESSION_TOKEN_LIFETIME_MS,
      before.session.startedAt + SESSION_TOKEN_MAX_MS,
    )
    const { buyers, writes } = handedOver({ ...before, tokenExpiresAtMs }, nowMs)
    const { sessionId, metadata } = buyers.session
    return {
      body: { token: token.text, session: await view(buyers, await orderOf(buyers, context), context) },
      writes: [
        noteReplaced({ accountId: metadata.accountId, sessionId }, nowMs),
        replaceToken(buyers, { tokenHash: token.hash, codeHash, nowMs }),
        ...writes,
      ],
    }
  }
}

/** The session of a code that is still good, if the page is one of its store. */
async function findOwn(codeHash: string | null, context: RequestContext): Promise<BuyersSession> {
  const { storeId } = context.caller
  const found = codeHash === null ? null : await readSessionOfCode(codeHash, context)
  if (found === null || (storeId !== null && storeId !== found.buyers.session.storeId)) {
    const message = 'The code is not valid for this store, or was already redeemed; start a new session.'
    throw new ApiError('token_invalid', message, { param: 'code' })
  }
  const { buyers, codeExpiresAtMs } = found
  if (Math.min(codeExpiresAtMs, buyers.tokenExpiresAtMs) > context.nowMs) return buyers
  throw new ApiError('token_expired', 'The code is older than a minute; start a new session.', { param: 'code' })
}

interface NewToken {
  tokenHash: string
  codeHash: string | null
  nowMs: number
}

/**
 * The statement by which the former token dies, and the code with it. Guarded by both the code and the revision, so that
 * what the former token's holder was about to write is refused.
 */
function replaceToken(buyers: BuyersSession, { tokenHash, codeHash, nowMs }: NewToken): Write {
  const { session, state, revision, tokenExpiresAtMs } = buyers
  const resource = { ...session, lastActivityAt: nowMs }
  return {
    sql: `UPDATE funnel_sessions SET token_hash = ?, token_expires_at = ?, code_hash = NULL, code_expires_at = NULL,
        last_activity_at = ?, revision = revision + 1, resource = ?, state = ?
      WHERE account_id = ? AND id = ? AND code_hash = ? AND revision = ?`,
    params: [
      tokenHash,
      tokenExpiresAtMs,
      nowMs,
      JSON.stringify(resource),
      JSON.stringify(state),
      session.metadata.accountId,
      session.sessionId,
      codeHash,
      revision,
    ],
    expect: 1,
  }
}
