import { hash } from 'node:crypto'
import type { TranscriptEntry } from '@tillwright/emv-3ds'
import type {
  Contract,
  NewThreedsAuthentication,
  NewThreedsSession,
  ThreedsAuthentication,
  ThreedsSessionDetails,
} from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../cluster/index.ts'
import { requireOpenStore } from '../catalog/index.ts'
import { findInstrument, type PayingInstrument, unlessErased } from '../customers/index.ts'
import { emit } from '../events/index.ts'
import type { Caller, PendingReply, RequestContext, Handlers, Reply, Services, Write } from '../request-context.ts'
import { ApiError, inStore, missing } from '../runtime/index.ts'
import { findCard, isIssuerAddress } from '../vault/index.ts'
import { askProvider } from './authenticate.ts'
import { unknownBrowser } from './browser-data.ts'
import { emvRequest } from './emv-request.ts'
import { expireSession, holdSession, moveSession, recordAnswer, sessionConflict } from './outcome.ts'
import {
  type AuthenticateCard,
  authenticateCard,
  type AuthenticationRequest,
  LEFT_TO_VAULT,
  requireProvider,
  requireUnexpired,
} from './provider.ts'
import {
  findSession,
  insertSession,
  newSession,
  type SessionRecord,
  type StoredSession,
  toResource,
} from './session-records.ts'
import { isFinal, outcomeOf, standingOf, statusAt } from './status.ts'
import { letterOf } from './step.ts'
import type { ThreedsServer } from './threeds-server.ts'
import { transcriptOf } from './transcript.ts'

/**
 * 3-D Secure sessions. A provider is asked between two database transactions: that it is being asked is on record
 * before it is asked. Source: reference, "POST /threeds/create-session" and "POST /threeds/authenticate".
 */
export function threeds(server: ThreedsServer): Handlers<Contract['threeds']> {
  const { providers } = server
  return {
    async createSession({ body }, context) {
      await requireProvider(body.provider, providers)
      const { customerId } = await activeInstrument(body, context)
      const session = newSession(body, { customerId, paymentId: null, keyId: context.caller.keyId }, context)
      const { id: sessionId, storeId, paymentInstrumentId, provider, status } = session
      const properties = { sessionId, paymentInstrumentId, provider, status }
      return {
        body: toResource(session),
        writes: [
          insertSession(session, body.sessionData),
          ...emit('s_threeds_session_created', { storeId, customerId, properties }, context),
        ],
      }
    },

    async authenticate({ body }, context) {
      requireReturnable(body.returnUrl, context.services)
      const session = await findSession(body.sessionId, context.caller.accountId, context.services.db)
      if (session === null) throw missing('3-D Secure session', body.sessionId, 'sessionId')
      requireOwn(session)
      await requireProvider(session.provider, providers)
      switch (standingOf(session, context.nowMs)) {
        case 'over':
          return repeatAnswer(body, session, context)
        case 'busy':
          throw sessionConflict(session.id, 'is being authenticated; wait for the answer to that')
        case 'lapsed':
          return expireSession(session, context)
        case 'ready':
          return authenticate(body, { session, server }, context)
      }
    },

    async get({ params: { sessionId } }, { caller, services, nowMs }) {
      const session = await findSession(sessionId, caller.accountId, services.db)
      if (session === null) throw missing('3-D Secure session', sessionId)
      const transcript = await transcriptOf(sessionId, caller.accountId, services.db)
      const authenticationValue = untoldValue(session, caller)
      return {
        body: { ...sessionDetails(session, transcript, nowMs), authenticationValue },
        writes: authenticationValue === null ? [] : [tellValue(session, nowMs)],
      }
    },
  }
}

/**
 * A proof is good for the amount and the merchant that the bank has seen: those of a payment are on its record.
 *
 * @throws {ApiError} `state_conflict` for the session of a payment.
 */
function requireOwn({ id, paymentId }: StoredSession): void {
  if (paymentId === null) return
  throw sessionConflict(
    id,
    `is that of the payment '${paymentId}', whose buyer authenticates in your page with its actionToken; create another session to authenticate without a payment`,
  )
}

interface Authenticating {
  session: StoredSession
  server: ThreedsServer
}

async function authenticate(
  body: NewThreedsAuthentication,
  { session, server }: Authenticating,
  context: RequestContext,
): Promise<PendingReply<ThreedsAuthentication>> {
  const { services, nowMs } = context
  const { vaultUrl, providers, authenticateIn } = server
  const request = await serverRequest(body, { session, vaultUrl }, context)
  const taken = { to: 'authenticating', leaseUntilMs: nowMs + CLAIM_LEASE_MS } as const
  const asked = { requestHash: hashOf(body), returnUrl: body.returnUrl ?? null }
  const notErased: Write = {
    ...unlessErased(session.customerId, session.accountId),
    onRefused: () =>
      sessionConflict(session.id, 'is of a customer who was erased; create another one, for a new customer'),
  }
  const record = [moveSession(session, taken, nowMs), holdSession(session, services), keepRequest(session, asked)]
  await context.begin([notErased, ...record])
  const asking: SessionRecord = { ...session, status: taken.to, leaseUntilMs: taken.leaseUntilMs }
  const { accountId, cardId } = session
  const ask = authenticateIn ?? ((each: Parameters<AuthenticateCard>[0]) => authenticateCard(each, services, providers))
  const vault = { authenticate: () => ask({ provider: session.provider, owner: { accountId, cardId }, request }) }
  const end = askProvider(request, vault, context).then((answer) => ended(answer, { asking, request }, context))
  return { meanwhile: async () => ({ failure: stillAsked(session) }), end }
}

/** The answer while a provider is silent; what it says in the end, the session tells. */
function stillAsked({ id }: SessionRecord): ApiError {
  const message = `The 3-D Secure provider has not answered yet; read the session '${id}' until its status is not authenticating.`
  return new ApiError('upstream_timeout', message)
}

function ended(
  answer: Awaited<ReturnType<typeof askProvider>>,
  { asking, request }: { asking: SessionRecord; request: AuthenticationRequest },
  context: RequestContext,
): Reply<ThreedsAuthentication> {
  const emitter = { ...context, nowMs: context.services.clock.now() }
  switch (answer.outcome) {
    case 'answered': {
      const outcome = { authentication: answer.authentication, brand: request.card.brand }
      const { body: recorded, writes } = recordAnswer(asking, outcome, emitter)
      const noted = recorded.authenticationValue === null ? [] : [tellValue(asking, emitter.nowMs, 'again')]
      return { body: shownAuthentication(recorded), writes: [...writes, ...noted] }
    }
    case 'unanswered':
      return {
        failure: answer.error,
        writes: [moveSession(asking, { to: 'authenticating', leaseUntilMs: 0 }, emitter.nowMs)],
      }
  }
}

async function activeInstrument(
  body: NewThreedsSession,
  { caller, services }: RequestContext,
): Promise<PayingInstrument> {
  const { storeId, paymentInstrumentId } = body
  await requireOpenStore(storeId, { caller, services })
  const instrument = await findInstrument(paymentInstrumentId, caller.accountId, services.db)
  if (instrument === null || instrument.storeId !== storeId) {
    throw missing('payment instrument', paymentInstrumentId, inStore(storeId, 'paymentInstrumentId'))
  }
  if (instrument.isActive) return instrument
  throw new ApiError('state_conflict', 'The payment instrument is no longer active; ask the buyer for another card.', {
    param: 'paymentInstrumentId',
  })
}

/** A server-side call carries no data of the buyer's browser. */
async function serverRequest(
  body: NewThreedsAuthentication,
  { session, vaultUrl }: { session: StoredSession; vaultUrl: string },
  { services, nowMs }: RequestContext,
): Promise<AuthenticationRequest> {
  requireUnexpired(body.recurringInfo, nowMs)
  const card = await findCard(session.cardId, session.accountId, services.db)
  const message = emvRequest(body, {
    transactionId: session.externalSessionId,
    card: { ...card, number: LEFT_TO_VAULT },
    requestor: { id: session.accountId, name: body.processorConfig.merchantName, url: vaultUrl },
    vaultUrl,
    browser: unknownBrowser,
    methodCompletion: 'U',
    decoupledMinutes: 0,
    nowMs,
  })
  return { message, card, recommendedVersion: session.recommendedVersion }
}

/** @throws {ApiError} `parameter_invalid` for an address that is not HTTPS; locally a loopback host may be without. */
function requireReturnable(returnUrl: string | undefined, { environment }: Pick<Services, 'environment'>): void {
  if (returnUrl === undefined) return
  const { username, password, href } = new URL(returnUrl)
  const isPlain = username === '' && password === ''
  if (isPlain && isIssuerAddress(href, environment)) return
  const also = environment === 'local' ? ', or http: on a loopback host,' : ''
  const message = `returnUrl must be an https: address${also} without a user name: the buyer’s browser is sent there.`
  throw new ApiError('parameter_invalid', message, { param: 'returnUrl' })
}

function hashOf(body: NewThreedsAuthentication): string {
  return hash('sha256', JSON.stringify(body), 'base64url')
}

/**
 * The outcome of a session that was authenticated before, for the same request of the key that created it: a shop's
 * server learns so how a challenge has ended, and recovers an answer that was lost.
 */
function repeatAnswer(
  body: NewThreedsAuthentication,
  session: StoredSession,
  { caller, nowMs }: RequestContext,
): Reply<ThreedsAuthentication> {
  const { authentication, keyId, requestHash, status } = session
  const isSame = keyId === caller.keyId && requestHash === hashOf(body)
  if (!isSame || authentication?.status !== status) {
    throw sessionConflict(session.id, `is ${status}, so it cannot be authenticated again; create another one`)
  }
  const noted = authentication.authenticationValue === null ? [] : [tellValue(session, nowMs, 'again')]
  return { body: shownAuthentication(authentication), writes: noted }
}

/** The authentication value, for the key that created the session, unless it has been told. */
function untoldValue(session: SessionRecord, { keyId }: Pick<Caller, 'keyId'>): string | null {
  if (session.keyId !== keyId || session.valueToldAtMs !== null || !isFinal(session.status)) return null
  return session.authentication?.authenticationValue ?? null
}

/** The statement that keeps what the request to authenticate a session was, and where its browser shall return to. */
function keepRequest(
  { accountId, id }: Pick<SessionRecord, 'accountId' | 'id'>,
  { requestHash, returnUrl }: { requestHash: string; returnUrl: string | null },
): Write {
  return {
    sql: 'UPDATE threeds_sessions SET request_hash = ?, return_url = ? WHERE account_id = ? AND id = ?',
    params: [requestHash, returnUrl, accountId, id],
  }
}

/**
 * The statement that puts on record that the authentication value is being told.
 *
 * @param how `once` is refused if it was told before; `again` repeats an answer.
 */
function tellValue(
  { accountId, id }: Pick<SessionRecord, 'accountId' | 'id'>,
  nowMs: number,
  how: 'once' | 'again' = 'once',
): Write {
  return {
    sql: `UPDATE threeds_sessions SET value_told_at = ? WHERE account_id = ? AND id = ? AND value_told_at IS NULL`,
    params: [nowMs, accountId, id],
    ...(how === 'once' && { expect: 1 }),
  }
}

/** A session with its end and the messages that led there, as its shop's server reads it. */
function sessionDetails(
  session: StoredSession,
  transcript: readonly TranscriptEntry[],
  nowMs: number,
): Omit<ThreedsSessionDetails, 'authenticationValue'> {
  const { authentication, paymentId, result, expiresAtMs, sessionData } = session
  const status = statusAt(session, nowMs)
  const transStatus = letterOf(session, nowMs)
  const said = transStatus === null ? null : authentication
  return {
    ...toResource(session),
    status,
    outcome: outcomeOf(status),
    paymentId,
    transStatus,
    transStatusReason: said?.transStatusReason ?? null,
    eci: said?.eci ?? null,
    liabilityShifted: said?.liabilityShifted ?? false,
    dsTransactionId: authentication && shownAuthentication({ ...authentication, status }).dsTransactionId,
    acsTransactionId: authentication?.acsTransactionId ?? null,
    challengeCancel: result?.challengeCancel ?? null,
    transcript: transcript.map((entry) => without(isFinal(status) ? PROOF : [...PROOF, 'dsTransID'], entry)),
    expiresAt: new Date(expiresAtMs).toISOString(),
    sessionData,
  }
}

/**
 * An authentication, as its shop's server gets it. The directory's id stays back until the session has ended: of the
 * three ids that a result names it is the one that only servers know, and an authorisation needs it afterwards alone.
 */
function shownAuthentication(authentication: ThreedsAuthentication): ThreedsAuthentication {
  return isFinal(authentication.status) ? authentication : { ...authentication, dsTransactionId: null }
}

/** The message field that proves an authentication, which is returned in a place of its own only. */
const PROOF = ['authenticationValue']

/** A message whose fields of these names are `null`. */
function without(names: readonly string[], entry: TranscriptEntry): TranscriptEntry {
  const { message } = entry
  if (typeof message !== 'object' || message === null) return entry
  const hidden = names.filter((name) => name in message).map((name) => [name, null])
  return { ...entry, message: { ...message, ...Object.fromEntries(hidden) } }
}
