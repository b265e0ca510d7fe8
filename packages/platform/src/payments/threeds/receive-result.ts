import type { ThreedsAuthentication } from '@tillwright/contract'
import type { Parts } from '../../call.ts'
import { emitterAt } from '../../events/emitter-at.ts'
import { eciOf, shiftsLiability } from './eci.ts'
import {
  errorMessage,
  resultRequest,
  type ErrorMessage,
  type ResultRequest,
  type ResultResponse,
} from './result-messages.ts'
import { cardOfSession } from './session-card.ts'
import { findTransaction, type SessionRecord } from './session-record.ts'
import type { SessionWatch } from './session-watch.ts'
import { recordOutcome } from './settle-session.ts'
import { statusOfResult } from './status-of-result.ts'
import { isFinal, statusAt } from './threeds-status.ts'
import { withoutErrors } from '../without-errors.ts'

/** Where results go, and whom they wake. */
export interface ResultReceiver {
  parts: Parts
  watch: SessionWatch
}

/** How often a result is tried that somebody else's change of the session has come before. */
const RACES_MAX = 5

/**
 * Receives the result of a challenge from a directory server, before or after the browser comes back. The first one
 * decides; the same again has the same answer and no further effect.
 *
 * @param sent An RReq, not checked yet.
 * @returns An RRes, or an Erro for what is malformed or of a transaction that there is not.
 */
export async function receiveResult(sent: unknown, receiver: ResultReceiver): Promise<ResultResponse | ErrorMessage> {
  const read = resultRequest.safeParse(sent)
  if (!read.success) return errorMessage(sent, wrongOf(sent, read.error.issues))
  for (let races = 0; races < RACES_MAX; races++) {
    const session = await findTransaction(read.data.threeDSServerTransID, receiver.parts.db)
    const wrong = session === null ? ['threeDSServerTransID'] : unknownIds(read.data, session)
    if (session === null || wrong.length > 0) return errorMessage(sent, { errorCode: '301', elements: wrong })
    const response = await settle(session, read.data, receiver)
    if (response !== null) return response
  }
  throw new Error(`The session of the transaction ${read.data.threeDSServerTransID} keeps changing.`)
}

/** Ends the session by its result unless it has ended before; `null` when somebody else has changed it just now. */
async function settle(
  session: SessionRecord,
  result: ResultRequest,
  { parts, watch }: ResultReceiver,
): Promise<ResultResponse | null> {
  const nowMs = parts.clock.now()
  const status = statusAt(session, nowMs)
  if (isFinal(status)) {
    const givenUp = (status === 'cancelled' || status === 'expired') && session.result === null
    return responseTo(result, givenUp ? '02' : '01')
  }
  const { brand } = await cardOfSession(session, parts.db)
  const body = withResult(session, result, brand)
  const challengeCancel = result.challengeCancel ?? null
  const emitter = emitterAt(session.accountId, parts)
  const writes = recordOutcome(session, { body, result: { challengeCancel } }, emitter)
  const outcome = await parts.db.write(withoutErrors(writes))
  if (outcome.outcome === 'refused') return null
  watch.changed(session.id)
  return responseTo(result, '01')
}

function withResult(session: SessionRecord, result: ResultRequest, brand: string): ThreedsAuthentication {
  if (session.authentication === null) throw new Error(`The session ${session.id} has a result but no authentication.`)
  const { transStatus } = result
  return {
    ...session.authentication,
    status: statusOfResult(result),
    transStatus,
    transStatusReason: result.transStatusReason ?? null,
    authenticationValue: /[YA]/.test(transStatus) ? (result.authenticationValue ?? null) : null,
    eci: eciOf(brand, transStatus),
    liabilityShifted: shiftsLiability(brand, transStatus),
    acsChallengeUrl: null,
    creq: null,
  }
}

/** A session that has not come to a challenge has no ids of directory server and issuer that a result could name. */
function unknownIds({ acsTransID, dsTransID }: ResultRequest, { authentication }: SessionRecord): string[] {
  return [
    ...(authentication?.acsTransactionId === acsTransID ? [] : ['acsTransID']),
    ...(authentication?.dsTransactionId === dsTransID ? [] : ['dsTransID']),
  ]
}

function responseTo(result: ResultRequest, resultsStatus: ResultResponse['resultsStatus']): ResultResponse {
  const { messageVersion, threeDSServerTransID, acsTransID, dsTransID } = result
  return { messageType: 'RRes', messageVersion, threeDSServerTransID, acsTransID, dsTransID, resultsStatus }
}

type Issues = readonly { path: readonly PropertyKey[] }[]

function wrongOf(sent: unknown, issues: Issues) {
  const elements = issues.map(({ path }) => String(path[0] ?? 'messageType'))
  const missing = elements.filter((name) => !Object.hasOwn(Object(sent), name))
  return missing.length > 0
    ? ({ errorCode: '201', elements: missing } as const)
    : ({ errorCode: '203', elements: [...new Set(elements)] } as const)
}
