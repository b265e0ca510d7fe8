import type { Clock, Database, DisputeKind, Row, Statement } from '../dependencies.ts'
import { findOrder, insertOrder, newOrder, outcomeOfOrder } from './orders.ts'
import {
  cardOf,
  disputedCards,
  feeOf,
  simulatedOutcome,
  type Authorization,
  type AuthorizationOutcome,
} from './outcomes.ts'
import { planReversal, reversedCards } from './reversals.ts'

/** A capture, refund, or void of an authorization. `id` is the idempotency key. */
export interface Move {
  id: string
  reference: string
}

/** Why a capture, refund, or void was refused. Nothing has changed in that case. */
export type MoveRefusal = 'amount_too_large' | 'wrong_state' | 'unknown_reference'
export type MoveOutcome = { outcome: 'succeeded'; reference: string } | { outcome: 'refused'; reason: MoveRefusal }

/** A processor that moves no money. Amounts are in minor units. */
export interface SimulatedProcessor {
  authorise(authorization: Authorization): Promise<AuthorizationOutcome>
  /** All captures together are at most what was authorized; none follows the final one. */
  capture(capture: Move & { amount: number; isFinal: boolean }): Promise<MoveOutcome>
  refund(refund: Move & { amount: number }): Promise<MoveOutcome>
  void(voiding: Move): Promise<MoveOutcome>
  /** The outcome of an authorization. `not_found` is final: a request that arrives later with the same id is refused. */
  query(
    facts: Pick<Authorization, 'attemptId' | 'amount' | 'currency'>,
  ): Promise<AuthorizationOutcome | { outcome: 'not_found' }>
  /** Takes the evidence of a dispute of its own, and keeps none of it. */
  submitEvidence(evidence: { reference: string }): Promise<EvidenceOutcome>
}

export type EvidenceOutcome = { outcome: 'submitted' } | { outcome: 'refused'; reason: 'unknown_reference' }

/** Storage of a simulated processor's ledger. */
export interface ProcessorDependencies {
  db: Database
  clock: Clock
  /** Base URL of the pages on which buyers pay with other methods: the bank's. */
  bankUrl?: string
  /** Owner of the ledger: a processor cannot see the charges of another. */
  processorId: string
}

/**
 * Opens a simulated processor. Like a real one it keeps its own ledger: a charge is recorded before the response is sent,
 * and a repeated id always gets the same response.
 */
export function simulatedProcessor(dependencies: ProcessorDependencies): SimulatedProcessor {
  const { db } = dependencies
  return {
    async authorise(authorization) {
      const { attemptId, amount, currency } = authorization
      if (authorization.method.type !== 'card') return beginOrder(authorization, dependencies)
      const outcome = simulatedOutcome(authorization, referenceOf(attemptId))
      const card = cardOf(authorization.method)
      const dispute = disputedCards.get(card?.number ?? '') ?? null
      const withCode = card?.kind === 'number' && card.cvc !== null
      const charge = insertCharge({ attemptId, amount, currency, outcome, dispute, withCode }, dependencies)
      const reversal = reversedCards.get(card?.number ?? '')
      const recorded = await db.write([charge, ...(reversal ? [planReversal(attemptId, reversal)] : [])])
      return recorded.outcome === 'committed' ? outcome : recordedOutcome(await requireCharge(attemptId, dependencies))
    },

    capture: ({ amount, isFinal, ...capture }) =>
      move({ ...capture, kind: 'capture', amount }, dependencies, {
        sql: `UPDATE simulator_charges SET captured = captured + ?, closed = ${Number(isFinal)}
          WHERE attempt_id = ? AND processor_id = ? AND authorised - captured >= ? AND closed = 0`,
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
        sql: `UPDATE simulator_charges SET closed = ?
          WHERE attempt_id = ? AND processor_id = ? AND authorised - captured >= ? AND closed = 0`,
        amounts: [1, 1],
      }),

    async query({ attemptId, amount, currency }) {
      const order = await orderOutcome(attemptId, dependencies)
      if (order !== null) return order
      await db.write([
        insertCharge(
          { attemptId, amount, currency, outcome: neverArrived, dispute: null, withCode: false },
          dependencies,
        ),
      ])
      const row = await requireCharge(attemptId, dependencies)
      const outcome = recordedOutcome(row)
      if (outcome.outcome === 'refused_before_acceptance') return { outcome: 'not_found' }
      if (outcome.outcome !== 'authorized' || row['closed'] === 0) return outcome
      const captured = Number(row['captured'])
      return captured > 0 ? { ...outcome, outcome: 'succeeded', captured } : { outcome: 'not_found' }
    },

    async submitEvidence({ reference }) {
      const charge = await findCharge(reference.slice(DISPUTE_PREFIX.length), dependencies)
      const isOwn = reference.startsWith(DISPUTE_PREFIX) && charge !== undefined
      return isOwn ? { outcome: 'submitted' } : { outcome: 'refused', reason: 'unknown_reference' }
    },
  }
}

/** Puts an order on record that its buyer pays elsewhere or later. A repeated id has the order that there is. */
async function beginOrder(
  authorization: Authorization,
  dependencies: ProcessorDependencies,
): Promise<AuthorizationOutcome> {
  const { db, clock, processorId } = dependencies
  const { attemptId, method } = authorization
  const order = newOrder(authorization, { processorId, nowMs: clock.now() })
  const isEuro = authorization.currency === 'EUR' || (method.type === 'redirect' && method.method === 'paypal')
  if (order === null || !isEuro) {
    return { outcome: 'refused_before_acceptance', reason: 'The simulator takes this method in euros alone.' }
  }
  if ((await findCharge(attemptId, dependencies)) !== undefined) {
    return { outcome: 'refused_before_acceptance', reason: neverArrived.reason }
  }
  await db.write([insertOrder(order, clock.now())])
  return (await orderOutcome(attemptId, dependencies)) ?? neverArrived
}

/** Where an order stands; one that is paid has a charge on the ledger from then on. `null` where there is none. */
async function orderOutcome(
  attemptId: string,
  dependencies: ProcessorDependencies,
): Promise<AuthorizationOutcome | null> {
  const { db, clock, processorId, bankUrl = '' } = dependencies
  const order = await findOrder(attemptId, db)
  if (order === null) return null
  if (order.processorId !== processorId) throw elsewhere(attemptId)
  const reference = referenceOf(attemptId)
  const outcome = outcomeOfOrder(order, { reference, nowMs: clock.now(), bankUrl })
  if (outcome !== 'paid') return outcome
  const { amount, currency } = order
  const paid = { outcome: 'succeeded', reference, fee: feeOf(order) } as const
  const dispute = order.plan === 'returned' ? 'return' : null
  await db.write([insertCharge({ attemptId, amount, currency, outcome: paid, dispute, withCode: false }, dependencies)])
  return recordedOutcome(await requireCharge(attemptId, dependencies))
}

function elsewhere(attemptId: string): Error {
  return new Error(`The attempt ${attemptId} is on the ledger of another simulated processor.`)
}

/** Recorded for an id that was looked up but not found, so that a late request with this id is not charged. */
const neverArrived = {
  outcome: 'refused_before_acceptance',
  reason: 'The attempt was asked for before it arrived.',
} as const satisfies AuthorizationOutcome

const REFERENCE_PREFIX = 'simulated_'
const DISPUTE_PREFIX = 'simulated_dispute_'

function referenceOf(attemptId: string): string {
  return REFERENCE_PREFIX + attemptId
}

type Charge = Pick<Authorization, 'attemptId' | 'amount' | 'currency'> & {
  /** Whether a security code came with the card. */
  withCode: boolean
  outcome: AuthorizationOutcome
  /** How the cardholder will dispute the charge, or `null`; `return` for a debit that its bank sends back. */
  dispute: DisputeKind | 'return' | null
}

function insertCharge(
  { attemptId, amount, currency, outcome, dispute, withCode }: Charge,
  { clock, processorId }: ProcessorDependencies,
): Statement {
  const captured = outcome.outcome === 'succeeded' ? amount : 0
  const authorised = outcome.outcome === 'authorized' ? amount : captured
  return {
    sql: `INSERT INTO simulator_charges
        (attempt_id, processor_id, outcome, amount, currency, created_at, authorised, captured, closed, dispute, with_code)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      attemptId,
      processorId,
      JSON.stringify(outcome),
      amount,
      currency,
      clock.now(),
      authorised,
      captured,
      Number(outcome.outcome === 'succeeded'),
      dispute,
      Number(withCode),
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
  if (row === undefined) throw elsewhere(attemptId)
  return row
}

function recordedOutcome(row: Row): AuthorizationOutcome {
  return JSON.parse(String(row['outcome']))
}

interface LedgerMove extends Move {
  amount: number
  kind: 'capture' | 'refund' | 'void'
}

/** The update of a charge, and the condition that it is refused without. */
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
  const isOpen = Number(charge['authorised']) > 0 && charge['closed'] === 0
  const fits = kind === 'capture' ? isOpen : kind === 'refund' && captured > 0
  return fits ? 'amount_too_large' : 'wrong_state'
}

/** A charge that its cardholder disputes. */
export interface DisputedCharge {
  processorId: string
  attemptId: string
  kind: DisputeKind | 'return'
  /** The simulated processor's name of the dispute. */
  reference: string
}

/** Captured charges that are disputed, until `reportedDispute` removes them from the list. */
export async function findDisputes(db: Database, limit: number): Promise<DisputedCharge[]> {
  const rows = await db.read(
    'SELECT processor_id, attempt_id, dispute FROM simulator_charges WHERE dispute IS NOT NULL AND captured > 0 LIMIT ?',
    [limit],
  )
  return rows.map((row) => ({
    processorId: String(row['processor_id']),
    attemptId: String(row['attempt_id']),
    reference: DISPUTE_PREFIX + String(row['attempt_id']),
    kind: String(row['dispute']) as DisputedCharge['kind'], // only ever written from this union
  }))
}

/** Removes a dispute from the list. Refused if another process already did. */
export function reportedDispute(attemptId: string): Statement {
  return {
    sql: 'UPDATE simulator_charges SET dispute = NULL WHERE attempt_id = ? AND dispute IS NOT NULL',
    params: [attemptId],
    expect: 1,
  }
}
