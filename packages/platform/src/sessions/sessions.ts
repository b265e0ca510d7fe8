import type { BuyerSession, Contract, OrderBuyer } from '@tillwright/contract'
import { updateCustomer } from '../customers/index.ts'
import { emit } from '../events/index.ts'
import type { Paying } from '../payments/index.ts'
import type { PageUrls } from '../plugins/index.ts'
import type { RequestContext, Handler, Handlers, Reply, Write } from '../request-context.ts'
import type { CardTries } from '../vault/index.ts'
import { beginSession } from './begin.ts'
import { confirmOrder, saidHere, handedOver } from './brought-along.ts'
import { type BuyersSession, readSession, replaceSession, readSessionOfCode } from './buyers-session.ts'
import { offerMethods } from './methods.ts'
import { orderOf } from './open-order.ts'
import { changeOrder } from './order.ts'
import { payOrder } from './pay.ts'
import { aboutOf, goOn, goTo } from './steps.ts'
import { sessionView, type ViewSession } from './view.ts'
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
import { ApiError } from '../runtime/index.ts'

/** Dependencies of the session handlers. */
interface SessionParts {
  paying: Paying
  cardTries: CardTries
  urlsOf: PageUrls
}

/** Handlers for the requests of a buyer's page about its session. */
export function sessions({ paying, cardTries, urlsOf }: SessionParts): Handlers<Contract['session']> {
  const view = sessionView(urlsOf)
  return {
    begin: beginSession(view),

    async get(_, context) {
      const buyers = await readSession(context)
      return { body: await view(buyers, await orderOf(buyers, context), context) }
    },

    handOver,
    redeem: redeem(view),
    confirmOrder: confirmOrder(view),
    ...changeOrder(view),
    ...changeBuyer(view),
    ...offerMethods(paying, urlsOf),
    ...payOrder({ ...paying, cardTries }, urlsOf),
    next: goOn(view),
    goTo: goTo(view),
    track: trackEvent,
  }
}

/** Puts on record what a page tells of itself. It changes nothing of the session. */
const trackEvent: Handler<Contract['session']['track']> = async ({ body }, context) => {
  const { session, funnel } = await readSession(context)
  const { sessionId, funnelId, currentStepId } = session
  const place = funnel === null ? { funnelId: null, stepId: null } : { funnelId, stepId: currentStepId }
  const { name, properties } = body
  const tracked = { ...aboutOf(session), properties: { sessionId, ...place, name, properties } }
  return { body: { success: true }, writes: emit('s_funnel_session_event_tracked', tracked, context) }
}

/**
 * The details that a page gives of its buyer. They are kept with the session, its orders and the session's own
 * customer. Anyone can type an e-mail address: it leads to no other customer, whose data, cards and limits are not the
 * page's.
 */
function changeBuyer(view: ViewSession): Pick<Handlers<Contract['session']>, 'setContact' | 'setAddress'> {
  return {
    async setContact({ body }, context) {
      const { email, firstName, lastName, phone } = body
      const said = { email, firstName: firstName ?? '', lastName: lastName ?? '', phone: phone ?? null }
      return changed(saidHere('contact', await readSession(context)), said, context)
    },

    async setAddress({ body }, context) {
      const buyers = await readSession(context)
      const { billingAddress: billing, shippingAddress: shipping } = buyers.state.buyer
      const { billingAddress = billing, shippingAddress = shipping } = body
      return changed(saidHere('address', buyers), { billingAddress, shippingAddress }, context)
    },
  }

  async function changed(
    buyers: BuyersSession,
    said: Partial<OrderBuyer>,
    context: RequestContext,
  ): Promise<Reply<BuyerSession>> {
    const buyer = { ...buyers.state.buyer, ...said }
    const after = { ...buyers, state: { ...buyers.state, buyer } }
    const { originalCustomerId: id, metadata } = after.session
    return {
      body: await view(after, await orderOf(after, context), context),
      writes: [
        ...replaceSession(after, context.nowMs),
        ...updateCustomer({ accountId: metadata.accountId, id, nowMs: context.nowMs }, buyer),
      ],
    }
  }
}

/**
 * Makes the code for the next page's address. The token stays good until a page redeems the code; a newer code replaces
 * an unredeemed one.
 */
const handOver: Handler<Contract['session']['handOver']> = async (_, { caller, services, nowMs }) => {
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
function redeem(view: ViewSession): Handler<Contract['session']['redeem']> {
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
