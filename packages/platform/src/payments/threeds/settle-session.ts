import type { ThreedsAuthentication } from '@tillwright/contract'
import { eciOf, shiftsLiability } from '@tillwright/emv-3ds'
import type { Reply, Write } from '../../call.ts'
import { emit, type Emitter } from '../../events/emit.ts'
import { moveSession, sessionConflict } from './move-session.ts'
import type { Authentication } from './provider.ts'
import { sessionEvent } from './session-event.ts'
import type { SessionRecord, SessionResult } from './session-record.ts'
import { isDecoupled } from './is-decoupled.ts'
import { statusOfOutcome } from './threeds-status.ts'

/** What a provider answered, and the brand of the card it was asked about. */
export interface Outcome {
  authentication: Authentication
  brand: string
}

/** Moves a session to what its provider answered: the writes, and the answer to whoever asked for it. */
export function settleSession(
  session: SessionRecord,
  { authentication, brand }: Outcome,
  emitter: Emitter,
): { body: ThreedsAuthentication; writes: Write[] } {
  const { transStatus } = authentication
  const body: ThreedsAuthentication = {
    id: session.id,
    sessionId: session.id,
    status: statusOfOutcome(transStatus),
    eci: eciOf(brand, transStatus),
    liabilityShifted: shiftsLiability(brand, transStatus),
    ...authentication,
  }
  return { body, writes: recordOutcome(session, { body, result: null }, emitter) }
}

/** An outcome as it is kept. */
export interface RecordedOutcome {
  body: ThreedsAuthentication
  result: SessionResult | null
}

/** The statements that move a session to an outcome, and tell of it. */
export function recordOutcome(session: SessionRecord, { body, result }: RecordedOutcome, emitter: Emitter): Write[] {
  return [
    // As long as the bank asks the buyer elsewhere nobody asks anew.
    moveSession(session, { to: body.status, leaseUntilMs: isDecoupled(body) ? session.expiresAtMs : 0 }, emitter.nowMs),
    {
      sql: 'UPDATE threeds_sessions SET outcome = ?, result = ? WHERE account_id = ? AND id = ?',
      params: [JSON.stringify(body), result && JSON.stringify(result), session.accountId, session.id],
      expect: 1,
    },
    ...outcomeEvent(session, body, emitter),
  ]
}

/** The statements that end a session without the word of a directory server. */
export function endSession(
  session: SessionRecord,
  status: 'expired' | 'cancelled' | 'unavailable',
  emitter: Emitter,
): Write[] {
  return [
    moveSession(session, { to: status, leaseUntilMs: 0 }, emitter.nowMs),
    ...outcomeEvent(session, { status, transStatus: null, eci: null, liabilityShifted: false }, emitter),
  ]
}

/** Ends a session whose time is over, for somebody who wanted to authenticate it. */
export function expireSession(session: SessionRecord, emitter: Emitter): Reply<never> {
  return {
    failure: sessionConflict(session.id, 'has expired; create another one'),
    writes: endSession(session, 'expired', emitter),
  }
}

/** An outcome as far as events tell of it. */
type Told = Pick<ThreedsAuthentication, 'status' | 'eci' | 'liabilityShifted'> & {
  transStatus: ThreedsAuthentication['transStatus'] | null
}

function outcomeEvent(session: SessionRecord, told: Told, emitter: Emitter): Write[] {
  const { id: sessionId, storeId, customerId, paymentInstrumentId, provider, isPreview: draft } = session
  const { status, transStatus, eci, liabilityShifted } = told
  const properties = { sessionId, paymentInstrumentId, provider, status, transStatus, eci, liabilityShifted }
  const type = sessionEvent(status)
  return type === null ? [] : emit(type, { storeId, customerId, draft, properties }, emitter)
}
