import {
  currencyOfNumber,
  type EventType,
  type NewThreedsSession,
  type ThreedsAuthentication,
  type ThreedsSession,
  type ThreedsStatus,
} from '@tillwright/contract'
import { MESSAGE_VERSIONS, type MessageVersion } from '@tillwright/emv-3ds'
import { z } from 'zod'
import { paymentInstrumentsTable } from '../customers/index.ts'
import type { Emitter } from '../events/index.ts'
import { paymentsTable } from '../ledger/index.ts'
import type { RequestContext, Write } from '../request-context.ts'
import { uuidOf } from '../runtime/index.ts'
import { type Database, nullable, type RowOf, rowReader } from '../storage/index.ts'
import { cardsTable } from '../vault/index.ts'
import { SESSION_LIFETIME_MS, type TimedStatus } from './status.ts'
import { type SessionResult, threedsMessagesTable, threedsSessionsTable } from './tables.ts'

/** A session as it is kept, but for the caller's `sessionData`. */
export interface SessionRecord extends TimedStatus, MethodRecord, Omit<ThreedsSession, 'createdAt'> {
  accountId: string
  storeId: string
  customerId: string
  createdAtMs: number
  /** The payment that waits for it; `null` for a session that a caller has opened without one. */
  paymentId: string | null
  /** The API key that created it; `null` for the session of a payment. */
  keyId: string | null
  /** SHA-256 of the request that authenticated it, in base64url; `null` before. */
  requestHash: string | null
  /** Where the browser goes after a challenge; `null` for the session of a payment. */
  returnUrl: string | null
  /** The version of EMV 3DS that its creator recommends, or `null`. */
  recommendedVersion: MessageVersion | null
  /** When its authentication value was told, in Unix milliseconds. */
  valueToldAtMs: number | null
  /** Whether it is a preview's, of which all events are drafts. */
  isPreview: boolean
  /** The directory server's answer, updated with its later result; `null` before. */
  authentication: ThreedsAuthentication | null
  /** The result after a challenge; `null` before it, and for a session that we ended ourselves. */
  result: SessionResult | null
}

/** A session as it is read, with the card that it authenticates and the caller's own data. */
export interface StoredSession extends SessionRecord {
  cardId: string
  sessionData: unknown
}

/** A session of the account, or `null`. */
export async function findSession(id: string, accountId: string, db: Database): Promise<StoredSession | null> {
  const rows = await db.read(`${selectSession} WHERE account_id = ? AND id = ?`, [accountId, id])
  return readSessions(rows).map(fromRow)[0] ?? null
}

/** The session that a payment waits for or has waited for; `null` for none. */
export async function findSessionOf(paymentId: string, accountId: string, db: Database): Promise<StoredSession | null> {
  const rows = await db.read(
    `${selectSession} WHERE account_id = ?
      AND id = (SELECT threeds_session_id FROM payments WHERE account_id = ? AND id = ?)`,
    [accountId, accountId, paymentId],
  )
  return readSessions(rows).map(fromRow)[0] ?? null
}

/**
 * The session of a transaction, or `null`.
 *
 * @param transactionId The threeDSServerTransID: by it directory servers and issuers name a session, whose account they
 *   do not know.
 */
export async function findTransaction(transactionId: string, db: Database): Promise<StoredSession | null> {
  const rows = await db.read(`${selectSession} WHERE external_session_id = ?`, [transactionId])
  return readSessions(rows).map(fromRow)[0] ?? null
}

/** The sessions that have not ended and whose time is over. */
export const lapsedSessions = {
  table: 'threeds_sessions',
  among: 'ended_at IS NULL',
  isDue: 'expires_at <= ? AND lease_until <= ?',
  params: (nowMs: number) => [nowMs, nowMs],
  orderBy: 'expires_at',
  columns: 'account_id, id',
}

/** The most that is looked at for a developer, who may search in them. */
const LATEST_MAX = 500

/** The latest sessions of all accounts, the newest first: for `local`, where they are few and one developer's. */
export async function latestSessions(db: Database): Promise<StoredSession[]> {
  const rows = await db.read(`${selectSession} ORDER BY created_at DESC LIMIT ?`, [LATEST_MAX])
  return readSessions(rows).map(fromRow)
}

/** The public facts of a session. */
export interface SessionFacts {
  /** In minor units: the payment's, or what the directory was asked for; `null` before it is asked. */
  amount: { minor: string; currency: string } | null
  card: { brand: string; last4: string } | null
}

/** Card and amount of each session, by its id. */
export async function factsOf(
  sessions: readonly Pick<SessionRecord, 'id'>[],
  db: Database,
): Promise<ReadonlyMap<string, SessionFacts>> {
  if (sessions.length === 0) return new Map()
  const rows = await db.read(
    `SELECT s.id, c.brand, c.last4, p.amount, p.currency,
        (SELECT m.message FROM threeds_messages m WHERE m.account_id = s.account_id
          AND m.transaction_id = s.external_session_id AND m.type = 'AReq' ORDER BY m.position LIMIT 1) AS areq
      FROM threeds_sessions s
      LEFT JOIN payment_instruments i ON i.account_id = s.account_id AND i.id = s.payment_instrument_id
      LEFT JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
      LEFT JOIN payments p ON p.account_id = s.account_id AND p.id = s.payment_id
      WHERE s.id IN (${sessions.map(() => '?').join(', ')})`,
    sessions.map(({ id }) => id),
  )
  return new Map(readFacts(rows).map((row) => [row.id, { amount: amountOf(row), card: cardOf(row) }]))
}

const readFacts = rowReader({
  id: threedsSessionsTable.id,
  brand: nullable(cardsTable.brand),
  last4: nullable(cardsTable.last4),
  amount: nullable(paymentsTable.amount),
  currency: nullable(paymentsTable.currency),
  areq: nullable(threedsMessagesTable.message),
})
type FactsRow = ReturnType<typeof readFacts>[number]

function amountOf({ amount, currency, areq }: FactsRow): SessionFacts['amount'] {
  if (amount !== null && currency !== null) return { minor: String(amount), currency }
  const { purchaseAmount, purchaseCurrency } = Object(areq) as Record<string, unknown> // any object is one
  const code = currencyOfNumber(String(purchaseCurrency))
  return typeof purchaseAmount === 'string' && code !== null ? { minor: purchaseAmount, currency: code } : null
}

function cardOf({ brand, last4 }: FactsRow): SessionFacts['card'] {
  return brand !== null && last4 !== null ? { brand, last4 } : null
}

const selectSession = `SELECT threeds_sessions.*,
    COALESCE((SELECT i.card_id FROM payment_instruments i WHERE i.account_id = threeds_sessions.account_id
      AND i.id = threeds_sessions.payment_instrument_id), '') AS card_id
  FROM threeds_sessions`
/** `card_id` is empty if the card was deleted: whatever needs it then fails as `CardGone`. */
const sessionColumns = { ...threedsSessionsTable, card_id: paymentInstrumentsTable.card_id }
const readSessions = rowReader(sessionColumns)

/** Whom a new session is for. */
export interface SessionSubject {
  customerId: string
  /** The payment that waits for it; `null` for none. */
  paymentId: string | null
  /** The API key that asks for it without a payment; `null` for a payment's. */
  keyId: string | null
}

const recommendation = z.object({ recommended_version: z.enum(MESSAGE_VERSIONS) })

/**
 * The version of EMV 3DS that a session's creator recommends, or `null`: one that is not spoken here counts as none.
 *
 * @param sessionData Unchecked: anything that the creator has sent.
 */
function recommendedVersion(sessionData: unknown): MessageVersion | null {
  return recommendation.safeParse(sessionData).data?.recommended_version ?? null
}

/** A new session for a payment instrument of the customer's. */
export function newSession(
  body: Pick<NewThreedsSession, 'storeId' | 'paymentInstrumentId' | 'provider' | 'sessionData'>,
  { customerId, paymentId, keyId }: SessionSubject,
  context: Emitter & Pick<RequestContext, 'services'>,
): SessionRecord {
  return {
    accountId: context.caller.accountId,
    id: context.newId(body.provider === 'vendor_a' ? 'threeds' : '3ds'),
    storeId: body.storeId,
    customerId,
    paymentInstrumentId: body.paymentInstrumentId,
    provider: body.provider,
    externalSessionId: uuidOf(context.services.randomness.bytes(16)),
    status: 'created',
    leaseUntilMs: 0,
    expiresAtMs: context.nowMs + SESSION_LIFETIME_MS,
    createdAtMs: context.nowMs,
    paymentId,
    keyId,
    requestHash: null,
    returnUrl: null,
    valueToldAtMs: null,
    recommendedVersion: recommendedVersion(body.sessionData),
    isPreview: context.caller.isPreview === true,
    methodStartedAtMs: null,
    methodNotifiedAtMs: null,
    authentication: null,
    result: null,
  }
}

/** The statement that records a new session with whatever its caller wants kept. */
export function insertSession(session: SessionRecord, sessionData: unknown): Write {
  return {
    sql: `INSERT INTO threeds_sessions (account_id, id, store_id, customer_id, payment_instrument_id, provider,
        external_session_id, status, session_data, lease_until, expires_at, created_at, updated_at, payment_id,
        is_preview, key_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      session.accountId,
      session.id,
      session.storeId,
      session.customerId,
      session.paymentInstrumentId,
      session.provider,
      session.externalSessionId,
      session.status,
      sessionData === undefined ? null : JSON.stringify(sessionData),
      session.leaseUntilMs,
      session.expiresAtMs,
      session.createdAtMs,
      session.createdAtMs,
      session.paymentId,
      Number(session.isPreview),
      session.keyId,
    ],
  }
}

/** The session as the API shows it. */
export function toResource(session: SessionRecord): ThreedsSession {
  const { id, externalSessionId, provider, status, paymentInstrumentId, createdAtMs } = session
  const createdAt = new Date(createdAtMs).toISOString()
  return { id, externalSessionId, provider, status, paymentInstrumentId, createdAt }
}

function fromRow(row: RowOf<typeof sessionColumns>): StoredSession {
  return {
    accountId: row.account_id,
    id: row.id,
    storeId: row.store_id,
    customerId: row.customer_id,
    paymentInstrumentId: row.payment_instrument_id,
    provider: row.provider,
    externalSessionId: row.external_session_id,
    status: row.status,
    leaseUntilMs: row.lease_until,
    expiresAtMs: row.expires_at,
    createdAtMs: row.created_at,
    paymentId: row.payment_id,
    keyId: row.key_id,
    requestHash: row.request_hash,
    returnUrl: row.return_url,
    valueToldAtMs: row.value_told_at,
    recommendedVersion: recommendedVersion(row.session_data),
    isPreview: row.is_preview,
    methodStartedAtMs: row.method_started_at,
    methodNotifiedAtMs: row.method_notified_at,
    cardId: row.card_id,
    sessionData: row.session_data,
    authentication: row.outcome,
    result: row.result,
  }
}

/** How long the issuer's method page may take. Source: EMV 3DS 2.2.0, 3DS Method: 10 seconds. */
export const METHOD_TIMEOUT_MS = 10_000

/** The recorded steps of a session's issuer method page; `null` for each that has not happened. */
interface MethodRecord {
  methodStartedAtMs: number | null
  methodNotifiedAtMs: number | null
}

/**
 * Whether the issuer's method page has run to its end: `Y` when its notification came in time, `N` when it did not, `U`
 * when there was none to run. Only our own record counts: a request of the shop's page may come from anyone.
 */
export function methodCompletion({ methodStartedAtMs, methodNotifiedAtMs }: MethodRecord): 'Y' | 'N' | 'U' {
  if (methodStartedAtMs === null) return 'U'
  if (methodNotifiedAtMs === null) return 'N'
  return methodNotifiedAtMs - methodStartedAtMs <= METHOD_TIMEOUT_MS ? 'Y' : 'N'
}

type OutcomeEvent = Extract<EventType, `s_threeds_session_${'challenge_required' | 'succeeded' | 'failed'}`>

/**
 * The event of an outcome; `null` while the bank asks the buyer elsewhere, of which there is nothing to tell. Succeeded are
 * those that prove something to the acquirer, by an authentication or by the attempt at one; whatever else a session ends
 * in is failed, and the event's `status` says how.
 */
export function sessionEvent(status: ThreedsStatus): OutcomeEvent | null {
  if (status === 'authenticating') return null
  if (status === 'challenge_required') return 's_threeds_session_challenge_required'
  return status === 'successful' || status === 'attempted' ? 's_threeds_session_succeeded' : 's_threeds_session_failed'
}
