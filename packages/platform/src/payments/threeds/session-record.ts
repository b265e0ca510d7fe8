import type { NewThreedsSession, ThreedsSession } from '@tillwright/contract'
import { uuidOf } from '../../ambient/uuid.ts'
import type { Call, Write } from '../../call.ts'
import type { Database, Row } from '../../storage/database.ts'
import { SESSION_LIFETIME_MS, type TimedStatus } from './threeds-status.ts'

/** A session as it is kept, but for the caller's `sessionData` and the outcome. */
export interface SessionRecord extends TimedStatus, Omit<ThreedsSession, 'createdAt'> {
  accountId: string
  storeId: string
  customerId: string
  createdAtMs: number
}

/** A session of the account, or `null`. */
export async function findSession(id: string, accountId: string, db: Database): Promise<SessionRecord | null> {
  const [row] = await db.read(
    `SELECT account_id, id, store_id, customer_id, payment_instrument_id, provider, external_session_id, status,
      lease_until, expires_at, created_at FROM threeds_sessions WHERE account_id = ? AND id = ?`,
    [accountId, id],
  )
  return row === undefined ? null : fromRow(row)
}

/** A new session for a payment instrument of the customer's. */
export function newSession(body: NewThreedsSession, customerId: string, call: Call): SessionRecord {
  return {
    accountId: call.caller.accountId,
    id: call.newId(body.provider === 'vendor_a' ? 'threeds' : '3ds'),
    storeId: body.storeId,
    customerId,
    paymentInstrumentId: body.paymentInstrumentId,
    provider: body.provider,
    externalSessionId: uuidOf(call.parts.randomness.bytes(16)),
    status: 'created',
    leaseUntilMs: 0,
    expiresAtMs: call.nowMs + SESSION_LIFETIME_MS,
    createdAtMs: call.nowMs,
  }
}

/** The statement that records a new session with whatever its caller wants kept. */
export function insertSession(session: SessionRecord, sessionData: unknown): Write {
  return {
    sql: `INSERT INTO threeds_sessions (account_id, id, store_id, customer_id, payment_instrument_id, provider,
        external_session_id, status, session_data, lease_until, expires_at, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    ],
  }
}

/** The session as the API shows it. */
export function toResource(session: SessionRecord): ThreedsSession {
  const { id, externalSessionId, provider, status, paymentInstrumentId, createdAtMs } = session
  const createdAt = new Date(createdAtMs).toISOString()
  return { id, externalSessionId, provider, status, paymentInstrumentId, createdAt }
}

function fromRow(row: Row): SessionRecord {
  return {
    accountId: String(row['account_id']),
    id: String(row['id']),
    storeId: String(row['store_id']),
    customerId: String(row['customer_id']),
    paymentInstrumentId: String(row['payment_instrument_id']),
    provider: String(row['provider']) as SessionRecord['provider'], // written from this union alone
    externalSessionId: String(row['external_session_id']),
    status: String(row['status']) as SessionRecord['status'], // as above
    leaseUntilMs: Number(row['lease_until']),
    expiresAtMs: Number(row['expires_at']),
    createdAtMs: Number(row['created_at']),
  }
}
