import type { Contract, NewThreedsAuthentication, NewThreedsSession, ThreedsAuthentication } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../../accounts/idempotency-keys.ts'
import { ApiError, missing } from '../../ambient/api-error.ts'
import type { Call, Handlers, Reply } from '../../call.ts'
import { findStore } from '../../catalog/stores.ts'
import { emit } from '../../events/emit.ts'
import type { CardRow } from '../../vault/card-row.ts'
import { findCard } from '../../vault/find-card.ts'
import { findInstrument, type PayingInstrument } from '../payment-instruments.ts'
import { askProvider } from './ask-provider.ts'
import { emvRequest } from './emv-request.ts'
import { moveSession, sessionConflict } from './move-session.ts'
import type { ThreedsProvider } from './provider.ts'
import { findSession, insertSession, newSession, toResource, type SessionRecord } from './session-record.ts'
import { expireSession, settleSession } from './settle-session.ts'
import { requireProvider, type ThreedsProviders } from './threeds-providers.ts'
import { standingOf } from './threeds-status.ts'

/**
 * 3-D Secure sessions. A provider is asked between two units: that it is being asked is on record before it is asked.
 * Source: reference, "POST /threeds/create-session" and "POST /threeds/authenticate".
 */
export function threeds(providers: ThreedsProviders): Handlers<Contract['threeds']> {
  return {
    async createSession({ body }, call) {
      requireProvider(body.provider, providers)
      const { customerId } = await activeInstrument(body, call)
      const session = newSession(body, customerId, call)
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
      const provider = requireProvider(session.provider, providers)
      switch (standingOf(session, call.nowMs)) {
        case 'over':
          throw sessionConflict(
            session.id,
            `is ${session.status}, so it cannot be authenticated again; create another one`,
          )
        case 'busy':
          throw sessionConflict(session.id, 'is being authenticated by another request; wait for its answer')
        case 'lapsed':
          return expireSession(session, call)
        case 'ready':
          return authenticate(body, { session, provider }, call)
      }
    },
  }
}

async function authenticate(
  body: NewThreedsAuthentication,
  { session, provider }: { session: SessionRecord; provider: ThreedsProvider },
  call: Call,
): Promise<Reply<ThreedsAuthentication>> {
  const { parts, nowMs } = call
  const card = await cardOf(session, call)
  const message = emvRequest(body, { transactionId: session.externalSessionId, card, nowMs })
  const taken = { to: 'authenticating', leaseUntilMs: nowMs + CLAIM_LEASE_MS } as const
  await call.begin([moveSession(session, taken, nowMs)])
  const asking: SessionRecord = { ...session, status: taken.to, leaseUntilMs: taken.leaseUntilMs }
  const asked = await askProvider({ message, card }, provider, call)
  const emitter = { ...call, nowMs: parts.clock.now() }
  switch (asked.outcome) {
    case 'answered':
      return settleSession(asking, { authentication: asked.authentication, brand: card.brand }, emitter)
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

async function cardOf({ paymentInstrumentId, accountId }: SessionRecord, { parts }: Call): Promise<CardRow> {
  const instrument = await findInstrument(paymentInstrumentId, accountId, parts.db)
  if (instrument === null) throw new Error(`The payment instrument ${paymentInstrumentId} of a session is gone.`)
  return findCard(instrument.cardId, accountId, parts.db)
}
