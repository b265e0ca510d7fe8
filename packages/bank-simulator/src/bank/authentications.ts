import type { EmvMessage, SentMessage } from '@tillwright/emv-3ds'
import type { BankDependencies, Database, Row, Statement } from '../dependencies.ts'
import type { Decision, Faults, Scenario } from './scenario.ts'

/** The outcome of a challenge. */
export interface ChallengeResult {
  transStatus: Decision
  transStatusReason?: string
  /** Why the challenge ended before the cardholder answered. Source: EMV 3DS 2.2.0, challengeCancel. */
  challengeCancel?: string
}

/** State of an authentication at the simulated issuer, stored as JSON. */
export interface AcsState {
  /** The AReq, without the card number. */
  areq: EmvMessage
  ares: EmvMessage
  /** The card brand, as named by the vault, and the last four digits. */
  brand: string
  last4: string
  scenario: Scenario
  faults: Faults
  /** Whether the browser has opened the challenge. */
  opened: boolean
  /** `threeDSSessionData`, returned unchanged when the challenge ends. */
  sessionData: string | null
  /** Number of wrong codes entered. */
  tries: number
  /** Number of times the buyer has answered. */
  interactions: number
  result: ChallengeResult | null
  /** Delivery of the result to the 3DS Server: scheduled, in progress, or done. */
  delivery: 'none' | 'waiting' | 'sending' | 'done'
}

/** An authentication at the simulated issuer. */
export interface AcsTransaction extends AcsState {
  accountId: string
  /** `threeDSServerTransID`. */
  transactionId: string
  acsTransactionId: string
  /** Row version, used to detect concurrent changes. */
  revision: number
  /** When the next scheduled step is due, in milliseconds since the Unix epoch; `null` if none is. */
  dueAtMs: number | null
}

const COLUMNS = 'account_id, transaction_id, acs_transaction_id, revision, due_at, state'

/** Finds an authentication by `threeDSServerTransID`. */
export async function findByTransaction(
  { accountId, transactionId }: Pick<AcsTransaction, 'accountId' | 'transactionId'>,
  db: Database,
): Promise<AcsTransaction | null> {
  const [row] = await db.read(`SELECT ${COLUMNS} FROM acs_transactions WHERE account_id = ? AND transaction_id = ?`, [
    accountId,
    transactionId,
  ])
  return row === undefined ? null : fromRow(row)
}

/** Finds an authentication by `acsTransID`, the only id that a browser sends. */
export async function findByAcsId(acsTransactionId: string, db: Database): Promise<AcsTransaction | null> {
  const [row] = await db.read(`SELECT ${COLUMNS} FROM acs_transactions WHERE acs_transaction_id = ?`, [
    acsTransactionId,
  ])
  return row === undefined ? null : fromRow(row)
}

/** Maximum number of rows per query. */
const DUE_MAX = 100

/** Authentications whose next step is due. */
export async function findDue(nowMs: number, db: Database): Promise<AcsTransaction[]> {
  const rows = await db.read(`SELECT ${COLUMNS} FROM acs_transactions WHERE due_at <= ? ORDER BY due_at LIMIT ?`, [
    nowMs,
    DUE_MAX,
  ])
  return rows.map(fromRow)
}

/** Inserts a new authentication. Violates a unique constraint if the transaction already has one. */
export function insertTransaction(transaction: AcsTransaction, nowMs: number): Statement {
  const { accountId, transactionId, acsTransactionId, revision, dueAtMs } = transaction
  return {
    sql: `INSERT INTO acs_transactions (${COLUMNS}, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    params: [accountId, transactionId, acsTransactionId, revision, dueAtMs, stateOf(transaction), nowMs],
  }
}

/** Updates an authentication. Refused if its row has changed since it was read. */
function updateTransaction(transaction: AcsTransaction): Statement[] {
  const { accountId, transactionId, revision, dueAtMs } = transaction
  const key = [accountId, transactionId]
  return [
    {
      sql: `UPDATE acs_transactions SET revision = revision + 1
        WHERE account_id = ? AND transaction_id = ? AND revision = ?`,
      params: [...key, revision],
      expect: 1,
    },
    {
      sql: 'UPDATE acs_transactions SET state = ?, due_at = ? WHERE account_id = ? AND transaction_id = ?',
      params: [stateOf(transaction), dueAtMs, ...key],
      expect: 1,
    },
  ]
}

function stateOf(transaction: AcsTransaction): string {
  const { areq, ares, brand, last4, scenario, faults, opened, sessionData, tries, interactions, result, delivery } =
    transaction
  const state: AcsState = {
    areq,
    ares,
    brand,
    last4,
    scenario,
    faults,
    opened,
    sessionData,
    tries,
    interactions,
    result,
    delivery,
  }
  return JSON.stringify(state)
}

function fromRow(row: Row): AcsTransaction {
  const state: AcsState = JSON.parse(String(row['state'])) // only written by stateOf
  return {
    ...state,
    accountId: String(row['account_id']),
    transactionId: String(row['transaction_id']),
    acsTransactionId: String(row['acs_transaction_id']),
    revision: Number(row['revision']),
    dueAtMs: row['due_at'] === null || row['due_at'] === undefined ? null : Number(row['due_at']),
  }
}

/** Number of retries after a concurrent change. */
const RACES_MAX = 5

/** A pure transition from the current state of an authentication to its next one. */
export type Step = (transaction: AcsTransaction, nowMs: number) => AcsTransaction

/** A step and the messages that caused it. */
export interface Change {
  step: Step
  messages?: readonly SentMessage[]
}

/** The resulting state of an authentication, and whether this step changed it. */
export interface Changed {
  transaction: AcsTransaction
  moved: boolean
}

/**
 * Applies a step to an authentication, and retries from the start after a concurrent change.
 *
 * @returns `null` if the issuer has no authentication with this id.
 */
export async function changeTransaction(
  acsTransactionId: string,
  { step, messages = [] }: Change,
  { db, clock, server }: Pick<BankDependencies, 'db' | 'clock' | 'server'>,
): Promise<Changed | null> {
  for (let races = 0; races < RACES_MAX; races++) {
    const transaction = await findByAcsId(acsTransactionId, db)
    if (transaction === null) return null
    const nowMs = clock.now()
    const changed = step(transaction, nowMs)
    const moved = changed !== transaction
    if (!moved && messages.length === 0) return { transaction, moved }
    const recorded = server.recordMessages(messages, { ...transaction, nowMs })
    const outcome = await db.write([...(moved ? updateTransaction(changed) : []), ...recorded])
    if (outcome.outcome === 'committed' && !moved) return { transaction, moved }
    if (outcome.outcome === 'committed') return { transaction: { ...changed, revision: changed.revision + 1 }, moved }
  }
  throw new Error(`The authentication ${acsTransactionId} keeps changing.`)
}
