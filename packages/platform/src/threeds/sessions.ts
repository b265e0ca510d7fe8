import type { TranscriptEntry } from '@tillwright/emv-3ds'
import type {
  Contract,
  NewThreedsAuthentication,
  NewThreedsSession,
  ThreedsAuthentication,
  ThreedsSessionDetails,
} from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../accounts/index.ts'
import { findStore } from '../catalog/index.ts'
import { findInstrument, type PayingInstrument } from '../customers/index.ts'
import { emit } from '../events/index.ts'
import type { RequestContext, Handlers, Reply } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { readCard } from '../vault/index.ts'
import { askProvider } from './authenticate.ts'
import { unknownBrowser } from './browser-data.ts'
import { emvRequest } from './emv-request.ts'
import { expireSession, moveSession, sessionConflict, settleSession } from './outcome.ts'
import { type AuthenticationRequest, requireProvider, type ThreedsProvider } from './provider.ts'
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
 * 3-D Secure sessions. A provider is asked between two units: that it is being asked is on record before it is asked.
 * Source: reference, "POST /threeds/create-session" and "POST /threeds/authenticate".
 */
export function threeds({ providers, vaultUrl }: ThreedsServer): Handlers<Contract['threeds']> {
  return {
    async createSession({ body }, context) {
      await requireProvider(body.provider, providers)
      const { customerId } = await activeInstrument(body, context)
      const session = newSession(body, { customerId, paymentId: null }, context)
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
      const session = await findSession(body.sessionId, context.caller.accountId, context.services.db)
      if (session === null) throw missing('3-D Secure session', body.sessionId, 'sessionId')
      const provider = await requireProvider(session.provider, providers)
      switch (standingOf(session, context.nowMs)) {
        case 'over':
          throw sessionConflict(
            session.id,
            `is ${session.status}, so it cannot be authenticated again; create another one`,
          )
        case 'busy':
          throw sessionConflict(session.id, 'is being authenticated; wait for the answer to that')
        case 'lapsed':
          return expireSession(session, context)
        case 'ready':
          return authenticate(body, { session, provider, vaultUrl }, context)
      }
    },

    async get({ params: { sessionId } }, { caller, services, nowMs }) {
      const session = await findSession(sessionId, caller.accountId, services.db)
      if (session === null) throw missing('3-D Secure session', sessionId)
      const transcript = await transcriptOf(sessionId, caller.accountId, services.db)
      return { body: sessionDetails(session, transcript, nowMs) }
    },
  }
}

interface Authenticating {
  session: StoredSession
  provider: ThreedsProvider
  vaultUrl: string
}

async function authenticate(
  body: NewThreedsAuthentication,
  { session, provider, vaultUrl }: Authenticating,
  context: RequestContext,
): Promise<Reply<ThreedsAuthentication>> {
  const { services, nowMs } = context
  const request = await serverRequest(body, { session, vaultUrl }, context)
  const taken = { to: 'authenticating', leaseUntilMs: nowMs + CLAIM_LEASE_MS } as const
  await context.begin([moveSession(session, taken, nowMs)])
  const asking: SessionRecord = { ...session, status: taken.to, leaseUntilMs: taken.leaseUntilMs }
  const asked = await askProvider(request, provider, context)
  const emitter = { ...context, nowMs: services.clock.now() }
  switch (asked.outcome) {
    case 'answered': {
      const outcome = { authentication: asked.authentication, brand: request.card.brand }
      const { body: recorded, writes } = settleSession(asking, outcome, emitter)
      return { body: toldAuthentication(recorded), writes }
    }
    case 'unanswered':
      return {
        failure: asked.error,
        writes: [moveSession(asking, { to: 'authenticating', leaseUntilMs: 0 }, emitter.nowMs)],
      }
  }
}

async function activeInstrument(
  body: NewThreedsSession,
  { caller, services }: RequestContext,
): Promise<PayingInstrument> {
  const { storeId, paymentInstrumentId } = body
  const store = await findStore(storeId, caller.accountId, services.db)
  if (store === null) throw missing('store', storeId, 'storeId')
  const instrument = await findInstrument(paymentInstrumentId, caller.accountId, services.db)
  if (instrument === null || instrument.storeId !== storeId) {
    throw missing('payment instrument', paymentInstrumentId, 'paymentInstrumentId')
  }
  if (instrument.isActive) return instrument
  throw new ApiError('state_conflict', 'The payment instrument is no longer active; ask the buyer for another card.', {
    param: 'paymentInstrumentId',
  })
}

/** A server-side call carries no data of the buyer's browser. */
async function serverRequest(
  body: NewThreedsAuthentication,
  { session, vaultUrl }: Omit<Authenticating, 'provider'>,
  { services, nowMs }: RequestContext,
): Promise<AuthenticationRequest> {
  const { number, name: _, ...card } = await readCard(session.cardId, session.accountId, services)
  const message = emvRequest(body, {
    transactionId: session.externalSessionId,
    card: { ...card, number },
    requestor: { id: session.accountId, name: body.processorConfig.merchantName, url: vaultUrl },
    vaultUrl,
    browser: unknownBrowser,
    methodCompletion: 'U',
    decoupledMinutes: 0,
    nowMs,
  })
  return { message, card }
}

/** A session with its end and the messages that led there, as its shop's server reads it. */
function sessionDetails(
  session: StoredSession,
  transcript: readonly TranscriptEntry[],
  nowMs: number,
): ThreedsSessionDetails {
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
    dsTransactionId: authentication && toldAuthentication({ ...authentication, status }).dsTransactionId,
    acsTransactionId: authentication?.acsTransactionId ?? null,
    challengeCancel: result?.challengeCancel ?? null,
    transcript: isFinal(status) ? [...transcript] : transcript.map(withoutDirectoryId),
    expiresAt: new Date(expiresAtMs).toISOString(),
    sessionData,
  }
}

/**
 * An authentication as its shop's server is told of it. The directory's id stays back until the session has ended: of the
 * three ids that a result names it is the one that only servers know, and an authorisation needs it afterwards alone.
 */
function toldAuthentication(authentication: ThreedsAuthentication): ThreedsAuthentication {
  return isFinal(authentication.status) ? authentication : { ...authentication, dsTransactionId: null }
}

function withoutDirectoryId(entry: TranscriptEntry): TranscriptEntry {
  const { message } = entry
  if (typeof message !== 'object' || message === null || !('dsTransID' in message)) return entry
  return { ...entry, message: { ...message, dsTransID: null } }
}
