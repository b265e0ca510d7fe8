import {
  type ThreedsAuthentication,
  type ThreedsProviderName,
  type ThreedsStatus,
  transStatus as transStatusSchema,
} from '@tillwright/contract'
import {
  checkMessage,
  type EmvMessage,
  erroOf,
  type ErrorReport,
  type MessageVersion,
  requiredText,
  shiftsLiability,
  textOf,
} from '@tillwright/emv-3ds'
import type { z } from 'zod'
import { record, worker } from '../audit/index.ts'
import { emitterAt } from '../events/index.ts'
import { paymentsTable, withoutErrors } from '../ledger/index.ts'
import type { Services } from '../request-context.ts'
import { type Database, pick, rowReader, type Statement } from '../storage/index.ts'
import { CardGone, findCard } from '../vault/index.ts'
import { categoryOf } from './emv-request.ts'
import { eciFor, recordOutcome } from './outcome.ts'
import { findTransaction, type SessionRecord, type StoredSession } from './session-records.ts'
import type { SessionWatch } from './session-watch.ts'
import { isFinal, statusAt, statusOfOutcome } from './status.ts'
import { recordMessages } from './transcript.ts'

/** Where results go, and whom they wake. */
export interface ResultReceiver {
  services: Pick<Services, 'db' | 'clock' | 'randomness' | 'telemetry' | 'secrets'>
  watch: SessionWatch
  /** Statements that belong into the database transaction of the result that decides. */
  alongside: (rreq: EmvMessage, answer: EmvMessage, session: SessionRecord) => readonly Statement[]
  /** The providers whose directory server has brought the result; absent for one that has not left this process. */
  from?: readonly ThreedsProviderName[] | undefined
}

/** How often a result is tried again after other changes of its session came first. */
const RACES_MAX = 5

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
  const result = resultRequestOf(rreq)
  for (let races = 0; races < RACES_MAX; races++) {
    const session = await findTransaction(result.threeDSServerTransID, receiver.services.db)
    const isOfSender = session !== null && receiver.from?.includes(session.provider) !== false
    if (!isOfSender) return refusal(rreq, { code: '301', detail: 'threeDSServerTransID' })
    const asked = await categoriesAsked(session, receiver.services.db)
    if (!asked.includes(requiredText(rreq, 'messageCategory')))
      return refusal(rreq, { code: '305', detail: 'messageCategory' })
    const foreign = unknownIds(result, session)
    if (foreign.length > 0) return refusal(rreq, { code: '301', detail: foreign.join(',') })
    const answer = await endByResult(session, { rreq, result }, receiver)
    if (answer !== null) return answer
  }
  throw new Error(`The session of the transaction ${result.threeDSServerTransID} keeps changing.`)
}

/** The category of what was asked, by its amount; either where that is known to the merchant's server alone. */
async function categoriesAsked({ paymentId, accountId }: StoredSession, db: Database): Promise<readonly string[]> {
  const [payment] = paymentId === null ? [] : readAmounts(await db.read(selectAmount, [accountId, paymentId]))
  return payment === undefined ? [categoryOf(0), categoryOf(1)] : [categoryOf(payment.amount)]
}

const selectAmount = 'SELECT amount FROM payments WHERE account_id = ? AND id = ?'
const readAmounts = rowReader(pick(paymentsTable, 'amount'))

interface Received {
  rreq: EmvMessage
  result: ResultRequest
}

/** Ends the session by its result unless it has ended before; `null` when another process has changed it just now. */
async function endByResult(
  session: StoredSession,
  { rreq, result }: Received,
  { services, watch, alongside }: ResultReceiver,
): Promise<EmvMessage | null> {
  const nowMs = services.clock.now()
  const status = statusAt(session, nowMs)
  if (isFinal(status) && session.result === null) {
    if (status === 'expired') return refusal(rreq, { code: '402', detail: 'The challenge was not ended in time.' })
    if (status === 'cancelled') return responseTo(result, '02')
  }
  if (isFinal(status)) return responseTo(result, '01')
  const brand = await brandOf(session, services)
  const body = withResult(session, result, brand)
  const { challengeCancel } = result
  const emitter = emitterAt(session.accountId, services)
  const writes = recordOutcome(session, { body, result: { challengeCancel } }, emitter)
  const answer = responseTo(result, '01')
  const recorded = record(
    {
      accountId: session.accountId,
      actor: worker('threeds-results'),
      operation: 'threeds.result',
      resource: { type: 'threedsSession', id: session.id },
      before: { status },
      after: body,
    },
    { ...emitter, services },
  )
  const outcome = await services.db.write([
    ...withoutErrors([...writes, ...recorded]),
    ...alongside(rreq, answer, session),
  ])
  if (outcome.outcome === 'refused') return null
  services.telemetry.count('tillwright.threeds.challenges', { 'tillwright.threeds.outcome': result.transStatus })
  watch.changed(session.id)
  return answer
}

/** The result of a card that was deleted meanwhile is recorded all the same; it shifts no liability. */
async function brandOf(
  { cardId, accountId }: StoredSession,
  { db }: Pick<ResultReceiver['services'], 'db'>,
): Promise<string> {
  const card = await findCard(cardId, accountId, db).catch((error: unknown) => {
    if (error instanceof CardGone) return { brand: 'unknown' }
    throw error
  })
  return card.brand
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
    eci: eciFor(result, brand),
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

const decided = transStatusSchema.exclude(['C', 'I', 'D'])

/** The fields of a challenge's result that are used. Source: EMV 3DS 2.2.0, RReq. */
interface ResultRequest {
  messageVersion: MessageVersion
  threeDSServerTransID: string
  acsTransID: string
  dsTransID: string
  transStatus: z.output<typeof decided>
  /** Two digits, or `null`. */
  transStatusReason: string | null
  /** Two digits, or `null`. */
  eci: string | null
  /** Base64 of 20 bytes; `null` where the cardholder was not authenticated. */
  authenticationValue: string | null
  /** Why the challenge ended before the cardholder had answered, or `null`. */
  challengeCancel: string | null
}

/** @param rreq A checked RReq: its table requires what is required here. */
function resultRequestOf(rreq: EmvMessage): ResultRequest {
  return {
    messageVersion: rreq.messageVersion,
    threeDSServerTransID: requiredText(rreq, 'threeDSServerTransID'),
    acsTransID: requiredText(rreq, 'acsTransID'),
    dsTransID: requiredText(rreq, 'dsTransID'),
    transStatus: decided.parse(requiredText(rreq, 'transStatus')),
    transStatusReason: textOf(rreq, 'transStatusReason') ?? null,
    eci: textOf(rreq, 'eci') ?? null,
    authenticationValue: textOf(rreq, 'authenticationValue') ?? null,
    challengeCancel: textOf(rreq, 'challengeCancel') ?? null,
  }
}

/** Why a challenge ended before the cardholder had answered. Source: EMV 3DS 2.2.0, challengeCancel. */
const CANCELLED = '01'
/** 03: decoupled, 04: at the issuer, 05: at the issuer before the challenge had begun, 08: at the SDK. */
const TIMED_OUT = ['03', '04', '05', '08']

/**
 * The status that the result of a challenge leads to. A challenge that ended early has not failed: its cardholder has
 * given up, or was too slow.
 */
export function statusOfResult({
  transStatus,
  challengeCancel,
}: Pick<ResultRequest, 'transStatus' | 'challengeCancel'>): ThreedsStatus {
  const mayHaveEndedEarly = transStatus === 'N' || transStatus === 'U'
  if (mayHaveEndedEarly && challengeCancel === CANCELLED) return 'cancelled'
  if (mayHaveEndedEarly && challengeCancel !== null && TIMED_OUT.includes(challengeCancel)) return 'expired'
  return statusOfOutcome(transStatus)
}

/** Puts the result that decides on the transcript of its session, with its answer. */
export function recordResult({ clock }: Pick<Services, 'clock'>): ResultReceiver['alongside'] {
  return (rreq, answer, { accountId, externalSessionId: transactionId }) =>
    recordMessages(
      [
        { from: 'directory', to: 'server', type: rreq.messageType, message: rreq },
        { from: 'server', to: 'directory', type: answer.messageType, message: answer },
      ],
      { accountId, transactionId, nowMs: clock.now() },
    )
}
