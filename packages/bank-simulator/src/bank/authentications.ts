import type { EmvMessage, SentMessage } from '@tillwright/emv-3ds'
import type { BankDependencies, Database, Row, Statement } from '../dependencies.ts'
import type { Decision, Faults, Scenario } from './scenario.ts'

/** What came of a challenge. */
export interface ChallengeResult {
  transStatus: Decision
  transStatusReason?: string
  /** Why it ended before the cardholder had answered. Source: EMV 3DS 2.2.0, challengeCancel. */
  challengeCancel?: string
}

/** What the simulated issuer knows of an authentication. */
export interface AcsState {
  /** The request, without the card number. */
  areq: EmvMessage
  ares: EmvMessage
  /** The card's brand as the vault names it, and its last four digits. */
  brand: string
  last4: string
  scenario: Scenario
  faults: Faults
  /** Whether the browser has come for its challenge. */
  opened: boolean
  /** What the shop's server wants back with the end of the challenge, as it was sent. */
  sessionData: string | null
  /** Codes that were wrong. */
  tries: number
  /** Times that the buyer has answered something. */
  interactions: number
  result: ChallengeResult | null
  /** Whether the 3DS server has been told of the result: it waits for its time, is being told, has been. */
  delivery: 'none' | 'waiting' | 'sending' | 'done'
}

/** An authentication at the simulated issuer. */
export interface AcsTransaction extends AcsState {
  accountId: string
  /** The 3DS server's. */
  transactionId: string
  acsTransactionId: string
  /** What was seen of the row: two that change it at once are told apart by it. */
  revision: number
  /** When something happens by itself: milliseconds since the Unix epoch, or `null`. */
  dueAtMs: number | null
}

const COLUMNS = 'account_id, transaction_id, acs_transaction_id, revision, due_at, state'

/** The authentication of a transaction of the 3DS Server, or `null`. */
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

/** The authentication that the issuer knows by its own id, or `null`. A browser brings nothing else. */
export async function findByAcsId(acsTransactionId: string, db: Database): Promise<AcsTransaction | null> {
  const [row] = await db.read(`SELECT ${COLUMNS} FROM acs_transactions WHERE acs_transaction_id = ?`, [
    acsTransactionId,
  ])
  return row === undefined ? null : fromRow(row)
}

/** The most that is looked at in one go. */
const DUE_MAX = 100

/** Authentications with which something is due. */
export async function findDue(nowMs: number, db: Database): Promise<AcsTransaction[]> {
  const rows = await db.read(`SELECT ${COLUMNS} FROM acs_transactions WHERE due_at <= ? ORDER BY due_at LIMIT ?`, [
    nowMs,
    DUE_MAX,
  ])
  return rows.map(fromRow)
}

/** The statement that records a new authentication; a duplicate when there is one of the transaction already. */
export function insertTransaction(transaction: AcsTransaction, nowMs: number): Statement {
  const { accountId, transactionId, acsTransactionId, revision, dueAtMs } = transaction
  return {
    sql: `INSERT INTO acs_transactions (${COLUMNS}, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    params: [accountId, transactionId, acsTransactionId, revision, dueAtMs, stateOf(transaction), nowMs],
  }
}

/** The statements that record what became of an authentication, unless somebody else has changed it meanwhile. */
export function updateTransaction(transaction: AcsTransaction): Statement[] {
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
  const state: AcsState = JSON.parse(String(row['state'])) // written by stateOf alone
  return {
    ...state,
    accountId: String(row['account_id']),
    transactionId: String(row['transaction_id']),
    acsTransactionId: String(row['acs_transaction_id']),
    revision: Number(row['revision']),
    dueAtMs: row['due_at'] === null || row['due_at'] === undefined ? null : Number(row['due_at']),
  }
}

/** How often a change is tried again that somebody else's has come before. */
const RACES_MAX = 5

/** What is done to an authentication, from how it stands. */
export type Step = (transaction: AcsTransaction, nowMs: number) => AcsTransaction

/** A step with the messages that led to it. */
export interface Change {
  step: Step
  messages?: readonly SentMessage[]
}

/** How an authentication stands, and whether the step has moved it there. */
export interface Changed {
  transaction: AcsTransaction
  moved: boolean
}

/**
 * Changes an authentication, again from the start when somebody else was faster.
 *
 * @returns `null` when the issuer has none of the id.
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
