import type { Clock, Database, DisputeKind, Row, Statement } from '../dependencies.ts'
import { disputedCards, simulatedOutcome, type Authorization, type AuthorizationOutcome } from './outcomes.ts'

/** A capture, refund or void, by the reference of its authorization. `id` is the idempotency key. */
export interface Move {
  id: string
  reference: string
}

/** Why a move was refused; nothing has changed then. */
export type MoveRefusal = 'amount_too_large' | 'wrong_state' | 'unknown_reference'
export type MoveOutcome = { outcome: 'succeeded'; reference: string } | { outcome: 'refused'; reason: MoveRefusal }

/** A processor that moves no money. Amounts are in the currency's minor unit. */
export interface SimulatedProcessor {
  authorise(authorization: Authorization): Promise<AuthorizationOutcome>
  capture(capture: Move & { amount: number }): Promise<MoveOutcome>
  refund(refund: Move & { amount: number }): Promise<MoveOutcome>
  void(voiding: Move): Promise<MoveOutcome>
  /** The outcome of an authorization. `not_found` is final: a request under the id that still arrives is refused. */
  query(
    facts: Pick<Authorization, 'attemptId' | 'amount' | 'currency'>,
  ): Promise<AuthorizationOutcome | { outcome: 'not_found' }>
}

/** Where a simulated processor keeps its ledger. */
export interface ProcessorDependencies {
  db: Database
  clock: Clock
  /** Whose ledger it is: one processor does not know the charges of another. */
  processorId: string
}

/**
 * Opens a simulated processor. It keeps a ledger of its own, as a real one would: a charge is on record before it is
 * answered, and the same id gets the same answer for ever.
 */
export function simulatedProcessor(dependencies: ProcessorDependencies): SimulatedProcessor {
  const { db } = dependencies
  return {
    async authorise(authorization) {
      const { attemptId, amount, currency } = authorization
      const outcome = simulatedOutcome(authorization, referenceOf(attemptId))
      const dispute = disputedCards.get(authorization.card.number) ?? null
      const charge = insertCharge({ attemptId, amount, currency, outcome, dispute }, dependencies)
      const recorded = await db.write([charge])
      return recorded.outcome === 'committed' ? outcome : recordedOutcome(await requireCharge(attemptId, dependencies))
    },

    capture: ({ amount, ...capture }) =>
      move({ ...capture, kind: 'capture', amount }, dependencies, {
        sql: `UPDATE simulator_charges SET captured = ?
          WHERE attempt_id = ? AND processor_id = ? AND authorised >= ? AND captured = 0 AND voided = 0`,
        amounts: [amount, amount],
      }),

    refund: ({ amount, ...refund }) =>
      move({ ...refund, kind: 'refund', amount }, dependencies, {
        sql: `UPDATE simulator_charges SET refunded = refunded + ?
          WHERE attempt_id = ? AND processor_id = ? AND captured - refunded >= ?`,
        amounts: [amount, amount],
      }),

    void: (voiding) =>
      move({ ...voiding, kind: 'void', amount: 0 }, dependencies, {
        sql: `UPDATE simulator_charges SET voided = ?
          WHERE attempt_id = ? AND processor_id = ? AND authorised >= ? AND captured = 0 AND voided = 0`,
        amounts: [1, 1],
      }),

    async query({ attemptId, amount, currency }) {
      await db.write([
        insertCharge({ attemptId, amount, currency, outcome: neverArrived, dispute: null }, dependencies),
      ])
      const row = await requireCharge(attemptId, dependencies)
      const outcome = recordedOutcome(row)
      if (outcome.outcome === 'refused_before_acceptance' || row['voided'] === 1) return { outcome: 'not_found' }
      return Number(row['captured']) > 0 ? { outcome: 'succeeded', reference: referenceOf(attemptId) } : outcome
    },
  }
}

/** What is put down under an id that was asked for in vain, so that it takes no money afterwards. */
const neverArrived = {
  outcome: 'refused_before_acceptance',
  reason: 'The attempt was asked for before it arrived.',
} as const satisfies AuthorizationOutcome

const REFERENCE_PREFIX = 'simulated_'

function referenceOf(attemptId: string): string {
  return REFERENCE_PREFIX + attemptId
}

type Charge = Pick<Authorization, 'attemptId' | 'amount' | 'currency'> & {
  outcome: AuthorizationOutcome
  /** How its cardholder will dispute it, or `null`. */
  dispute: DisputeKind | null
}

function insertCharge(
  { attemptId, amount, currency, outcome, dispute }: Charge,
  { clock, processorId }: ProcessorDependencies,
): Statement {
  const captured = outcome.outcome === 'succeeded' ? amount : 0
  const authorised = outcome.outcome === 'authorized' ? amount : captured
  return {
    sql: `INSERT INTO simulator_charges
        (attempt_id, processor_id, outcome, amount, currency, created_at, authorised, captured, dispute)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      attemptId,
      processorId,
      JSON.stringify(outcome),
      amount,
      currency,
      clock.now(),
      authorised,
      captured,
      dispute,
    ],
  }
}

async function findCharge(attemptId: string, { db, processorId }: ProcessorDependencies): Promise<Row | undefined> {
  const [row] = await db.read('SELECT * FROM simulator_charges WHERE attempt_id = ? AND processor_id = ?', [
    attemptId,
    processorId,
  ])
  return row
}

async function requireCharge(attemptId: string, dependencies: ProcessorDependencies): Promise<Row> {
  const row = await findCharge(attemptId, dependencies)
  if (row === undefined) throw new Error(`The attempt ${attemptId} is on the ledger of another simulated processor.`)
  return row
}

function recordedOutcome(row: Row): AuthorizationOutcome {
  return JSON.parse(String(row['outcome']))
}

interface LedgerMove extends Move {
  amount: number
  kind: 'capture' | 'refund' | 'void'
}

/** What a move does to the charge, under its guard: the first amount is set, the last one has to be there. */
interface Change {
  sql: string
  amounts: readonly [number, number]
}

async function move(
  { id, reference, amount, kind }: LedgerMove,
  dependencies: ProcessorDependencies,
  { sql, amounts: [set, needed] }: Change,
): Promise<MoveOutcome> {
  const { db, clock, processorId } = dependencies
  const attemptId = reference.slice(REFERENCE_PREFIX.length)
  const outcome = await db.write([
    {
      sql: 'INSERT INTO simulator_moves (id, attempt_id, kind, amount, created_at) VALUES (?, ?, ?, ?, ?)',
      params: [id, attemptId, kind, amount, clock.now()],
    },
    { sql, params: [set, attemptId, processorId, needed], expect: 1 },
  ])
  const repeated = outcome.outcome === 'refused' && outcome.reason === 'duplicate'
  if (outcome.outcome === 'committed' || repeated) return { outcome: 'succeeded', reference: `simulated_${id}` }
  return { outcome: 'refused', reason: refusalOf(kind, await findCharge(attemptId, dependencies)) }
}

function refusalOf(kind: LedgerMove['kind'], charge: Row | undefined): MoveRefusal {
  if (charge === undefined) return 'unknown_reference'
  const captured = Number(charge['captured'])
  const isOpen = Number(charge['authorised']) > 0 && captured === 0 && charge['voided'] === 0
  const fits = kind === 'capture' ? isOpen : kind === 'refund' && captured > 0
  return fits ? 'amount_too_large' : 'wrong_state'
}

/** A charge whose cardholder disputes it. */
export interface DisputedCharge {
  processorId: string
  attemptId: string
  kind: DisputeKind
}

/** Charges that were captured and are disputed, until `reportedDispute` takes them off the list. */
export async function findDisputes(db: Database, limit: number): Promise<DisputedCharge[]> {
  const rows = await db.read(
    'SELECT processor_id, attempt_id, dispute FROM simulator_charges WHERE dispute IS NOT NULL AND captured > 0 LIMIT ?',
    [limit],
  )
  return rows.map((row) => ({
    processorId: String(row['processor_id']),
    attemptId: String(row['attempt_id']),
    kind: String(row['dispute']) as DisputeKind, // written from this union alone
  }))
}

/** The statement that takes a dispute off the list. It is refused where another process came first. */
export function reportedDispute(attemptId: string): Statement {
  return {
    sql: 'UPDATE simulator_charges SET dispute = NULL WHERE attempt_id = ? AND dispute IS NOT NULL',
    params: [attemptId],
    expect: 1,
  }
}
