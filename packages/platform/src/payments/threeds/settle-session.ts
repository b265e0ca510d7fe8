import type { ThreedsAuthentication } from '@tillwright/contract'
import type { Reply, Write } from '../../call.ts'
import { emit, type Emitter } from '../../events/emit.ts'
import { eciOf, shiftsLiability } from './eci.ts'
import { moveSession, sessionConflict } from './move-session.ts'
import type { Authentication } from './provider.ts'
import { sessionEvent } from './session-event.ts'
import type { SessionRecord } from './session-record.ts'
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
): Reply<ThreedsAuthentication> {
  const { transStatus } = authentication
  const body: ThreedsAuthentication = {
    id: session.id,
    sessionId: session.id,
    status: statusOfOutcome(transStatus),
    eci: eciOf(brand, transStatus),
    liabilityShifted: shiftsLiability(brand, transStatus),
    ...authentication,
  }
  return {
    body,
    writes: [
      moveSession(session, { to: body.status, leaseUntilMs: 0 }, emitter.nowMs),
      {
        sql: 'UPDATE threeds_sessions SET outcome = ? WHERE account_id = ? AND id = ?',
        params: [JSON.stringify(body), session.accountId, session.id],
        expect: 1,
      },
      ...outcomeEvent(session, body, emitter),
    ],
  }
}

/** Ends a session whose time is over. */
export function expireSession(session: SessionRecord, emitter: Emitter): Reply<never> {
  const ended = { status: 'expired', transStatus: null, eci: null, liabilityShifted: false } as const
  return {
    failure: sessionConflict(session.id, 'has expired; create another one'),
    writes: [
      moveSession(session, { to: ended.status, leaseUntilMs: 0 }, emitter.nowMs),
      ...outcomeEvent(session, ended, emitter),
    ],
  }
}

/** An outcome as far as events tell of it. */
type Told = Pick<ThreedsAuthentication, 'status' | 'eci' | 'liabilityShifted'> & {
  transStatus: ThreedsAuthentication['transStatus'] | null
}

function outcomeEvent(session: SessionRecord, told: Told, emitter: Emitter): Write[] {
  const { id: sessionId, storeId, customerId, paymentInstrumentId, provider } = session
  const { status, transStatus, eci, liabilityShifted } = told
  const properties = { sessionId, paymentInstrumentId, provider, status, transStatus, eci, liabilityShifted }
  return emit(sessionEvent(status), { storeId, customerId, properties }, emitter)
}
