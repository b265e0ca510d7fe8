import type { ThreedsAuthentication, ThreedsProviderName } from '@tillwright/contract'
import {
  checkMessage,
  eciOf,
  erroOf,
  requiredText,
  shiftsLiability,
  type EmvMessage,
  type ErrorReport,
} from '@tillwright/emv-3ds'
import type { Parts } from '../../call.ts'
import type { Statement } from '../../storage/database.ts'
import { emitterAt } from '../../events/emitter-at.ts'
import { findCard } from '../../vault/find-card.ts'
import { resultRequestOf, type ResultRequest } from './result-request.ts'
import { findTransaction, type SessionRecord, type StoredSession } from './session-record.ts'
import type { SessionWatch } from './session-watch.ts'
import { recordOutcome } from './settle-session.ts'
import { statusOfResult } from './status-of-result.ts'
import { isFinal, statusAt } from './threeds-status.ts'
import { withoutErrors } from '../without-errors.ts'

/** Where results go, and whom they wake. */
export interface ResultReceiver {
  parts: Pick<Parts, 'db' | 'clock' | 'randomness'>
  watch: SessionWatch
  /** Statements that belong into the unit of the result that decides. */
  alongside: (rreq: EmvMessage, answer: EmvMessage, session: SessionRecord) => readonly Statement[]
  /** The providers whose directory server has brought the result; absent for one that has not left this process. */
  from?: readonly ThreedsProviderName[] | undefined
}

/** How often a result is tried that somebody else's change of the session has come before. */
const RACES_MAX = 5

/** The category of what we ask for: a payment. Source: EMV 3DS 2.2.0, messageCategory. */
const PAYMENT = '01'

/**
 * Receives the result of a challenge from a directory server, before or after the browser comes back. The first one
 * decides; the same again has the same answer and no further effect.
 *
 * @param text An RReq as JSON, not checked yet.
 * @returns An RRes, or an Erro for what is malformed, of a transaction that there is not (301), or too late (402).
 */
export async function receiveResult(text: string, receiver: ResultReceiver): Promise<EmvMessage> {
  const checked = checkMessage(text, { types: ['RReq'] })
  if (checked.outcome === 'error') return checked.erro
  const rreq = checked.message
  if (requiredText(rreq, 'messageCategory') !== PAYMENT) {
    return refusal(rreq, { code: '305', detail: 'messageCategory' })
  }
  const result = resultRequestOf(rreq)
  for (let races = 0; races < RACES_MAX; races++) {
    const session = await findTransaction(result.threeDSServerTransID, receiver.parts.db)
    const isOfSender = session !== null && receiver.from?.includes(session.provider) !== false
    if (!isOfSender) return refusal(rreq, { code: '301', detail: 'threeDSServerTransID' })
    const foreign = unknownIds(result, session)
    if (foreign.length > 0) return refusal(rreq, { code: '301', detail: foreign.join(',') })
    const answer = await settle(session, { rreq, result }, receiver)
    if (answer !== null) return answer
  }
  throw new Error(`The session of the transaction ${result.threeDSServerTransID} keeps changing.`)
}

interface Received {
  rreq: EmvMessage
  result: ResultRequest
}

/** Ends the session by its result unless it has ended before; `null` when somebody else has changed it just now. */
async function settle(
  session: StoredSession,
  { rreq, result }: Received,
  { parts, watch, alongside }: ResultReceiver,
): Promise<EmvMessage | null> {
  const nowMs = parts.clock.now()
  const status = statusAt(session, nowMs)
  if (isFinal(status) && session.result === null) {
    if (status === 'expired') return refusal(rreq, { code: '402', detail: 'The challenge was not ended in time.' })
    if (status === 'cancelled') return responseTo(result, '02')
  }
  if (isFinal(status)) return responseTo(result, '01')
  const { brand } = await findCard(session.cardId, session.accountId, parts.db)
  const body = withResult(session, result, brand)
  const { challengeCancel } = result
  const emitter = emitterAt(session.accountId, parts)
  const writes = recordOutcome(session, { body, result: { challengeCancel } }, emitter)
  const answer = responseTo(result, '01')
  const outcome = await parts.db.write([...withoutErrors(writes), ...alongside(rreq, answer, session)])
  if (outcome.outcome === 'refused') return null
  watch.changed(session.id)
  return answer
}

function withResult(session: SessionRecord, result: ResultRequest, brand: string): ThreedsAuthentication {
  if (session.authentication === null) throw new Error(`The session ${session.id} has a result but no authentication.`)
  const { transStatus, transStatusReason, authenticationValue } = result
  return {
    ...session.authentication,
    status: statusOfResult(result),
    transStatus,
    transStatusReason,
    authenticationValue: /[YA]/.test(transStatus) ? authenticationValue : null,
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

/** @param resultsStatus 01: it was received; 02: we had given the challenge up by then. Source: EMV 3DS 2.2.0, RRes. */
function responseTo(result: ResultRequest, resultsStatus: '01' | '02'): EmvMessage {
  const { messageVersion, threeDSServerTransID, acsTransID, dsTransID } = result
  return { messageType: 'RRes', messageVersion, threeDSServerTransID, acsTransID, dsTransID, resultsStatus }
}

function refusal(about: EmvMessage, why: Pick<ErrorReport, 'code' | 'detail'>): EmvMessage {
  return erroOf({ ...why, component: 'S', about })
}
