import type { Contract, NewThreedsAuthentication, NewThreedsSession, ThreedsAuthentication } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../../accounts/idempotency-keys.ts'
import { ApiError, missing } from '../../ambient/api-error.ts'
import type { Call, Handlers, Reply } from '../../call.ts'
import { findStore } from '../../catalog/stores.ts'
import { emit } from '../../events/emit.ts'
import { findInstrument, type PayingInstrument } from '../payment-instruments.ts'
import { readCard } from '../../vault/read-card.ts'
import { askProvider } from './ask-provider.ts'
import { unknownBrowser } from './browser-data.ts'
import { emvRequest } from './emv-request.ts'
import { moveSession, sessionConflict } from './move-session.ts'
import type { AuthenticationRequest, ThreedsProvider } from './provider.ts'
import {
  findSession,
  insertSession,
  newSession,
  toResource,
  type SessionRecord,
  type StoredSession,
} from './session-record.ts'
import { sessionDetails, toldAuthentication } from './session-details.ts'
import { expireSession, settleSession } from './settle-session.ts'
import { requireProvider } from './threeds-providers.ts'
import type { ThreedsServer } from './threeds-server.ts'
import { standingOf } from './threeds-status.ts'
import { transcriptOf } from './transcript.ts'

/**
 * 3-D Secure sessions. A provider is asked between two units: that it is being asked is on record before it is asked.
 * Source: reference, "POST /threeds/create-session" and "POST /threeds/authenticate".
 */
export function threeds({ providers, vaultUrl }: ThreedsServer): Handlers<Contract['threeds']> {
  return {
    async createSession({ body }, call) {
      await requireProvider(body.provider, providers)
      const { customerId } = await activeInstrument(body, call)
      const session = newSession(body, { customerId, paymentId: null }, call)
      const { id: sessionId, storeId, paymentInstrumentId, provider, status } = session
      const properties = { sessionId, paymentInstrumentId, provider, status }
      return {
        body: toResource(session),
        writes: [
          insertSession(session, body.sessionData),
          ...emit('s_threeds_session_created', { storeId, customerId, properties }, call),
        ],
      }
    },

    async authenticate({ body }, call) {
      const session = await findSession(body.sessionId, call.caller.accountId, call.parts.db)
      if (session === null) throw missing('3-D Secure session', body.sessionId, 'sessionId')
      const provider = await requireProvider(session.provider, providers)
      switch (standingOf(session, call.nowMs)) {
        case 'over':
          throw sessionConflict(
            session.id,
            `is ${session.status}, so it cannot be authenticated again; create another one`,
          )
        case 'busy':
          throw sessionConflict(session.id, 'is being authenticated; wait for the answer to that')
        case 'lapsed':
          return expireSession(session, call)
        case 'ready':
          return authenticate(body, { session, provider, vaultUrl }, call)
      }
    },

    async get({ params: { sessionId } }, { caller, parts, nowMs }) {
      const session = await findSession(sessionId, caller.accountId, parts.db)
      if (session === null) throw missing('3-D Secure session', sessionId)
      const transcript = await transcriptOf(sessionId, caller.accountId, parts.db)
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
  call: Call,
): Promise<Reply<ThreedsAuthentication>> {
  const { parts, nowMs } = call
  const request = await serverRequest(body, { session, vaultUrl }, call)
  const taken = { to: 'authenticating', leaseUntilMs: nowMs + CLAIM_LEASE_MS } as const
  await call.begin([moveSession(session, taken, nowMs)])
  const asking: SessionRecord = { ...session, status: taken.to, leaseUntilMs: taken.leaseUntilMs }
  const asked = await askProvider(request, provider, call)
  const emitter = { ...call, nowMs: parts.clock.now() }
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

async function activeInstrument(body: NewThreedsSession, { caller, parts }: Call): Promise<PayingInstrument> {
  const { storeId, paymentInstrumentId } = body
  const store = await findStore(storeId, caller.accountId, parts.db)
  if (store === null) throw missing('store', storeId, 'storeId')
  const instrument = await findInstrument(paymentInstrumentId, caller.accountId, parts.db)
  if (instrument === null || instrument.storeId !== storeId) {
    throw missing('payment instrument', paymentInstrumentId, 'paymentInstrumentId')
  }
  if (instrument.isActive) return instrument
  throw new ApiError('state_conflict', 'The payment instrument is no longer active; ask the buyer for another card.', {
    param: 'paymentInstrumentId',
  })
}

/** Whoever calls from a server says nothing of the buyer's browser. */
async function serverRequest(
  body: NewThreedsAuthentication,
  { session, vaultUrl }: Omit<Authenticating, 'provider'>,
  { parts, nowMs }: Call,
): Promise<AuthenticationRequest> {
  const { number, name: _, ...card } = await readCard(session.cardId, session.accountId, parts)
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
