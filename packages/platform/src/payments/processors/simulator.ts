import type { DisputeKind } from '@tillwright/contract'
import type { Clock } from '../../ambient/clock.ts'
import type { Database, Row, Statement } from '../../storage/database.ts'
import type { Authorisation, AuthorisationOutcome, Driver, FollowUpOutcome, FollowUpRefusal } from './driver.ts'
import type { ProcessorDriver } from './processor-driver.ts'
import { processorSettings } from './processor-settings.ts'
import { disputedCards, simulatedOutcome } from './simulated-outcome.ts'

/** The simulator among the drivers of processors. */
export const simulatorDriver: ProcessorDriver = {
  name: 'simulator',
  title: 'the simulator',
  settings: processorSettings,
  secret: null,
  capabilities: { movesMoney: false },
  help: '',
  open: async ({ processorId, parts }) => simulator({ ...parts, processorId }),
}

interface Surroundings {
  db: Database
  clock: Clock
  /** Whose ledger it is: one processor does not know the charges of another. */
  processorId: string
}

/**
 * A processor that moves no money. It keeps a ledger of its own, as a real one would: a charge is on record before it is
 * answered, and the same id gets the same answer for ever.
 */
export function simulator(surroundings: Surroundings): Driver {
  const { db } = surroundings
  return {
    async authorise(authorisation) {
      const { attemptId, amount, currency } = authorisation
      const outcome = simulatedOutcome(authorisation, referenceOf(attemptId))
      const dispute = disputedCards.get(authorisation.card.number) ?? null
      const charge = insertCharge({ attemptId, amount, currency, outcome, dispute }, surroundings)
      const recorded = await db.write([charge])
      return recorded.outcome === 'committed' ? outcome : recordedOutcome(await requireCharge(attemptId, surroundings))
    },

    capture: ({ amount, ...capture }) =>
      followUp({ ...capture, kind: 'capture', amount }, surroundings, {
        sql: `UPDATE simulator_charges SET captured = ?
          WHERE attempt_id = ? AND processor_id = ? AND authorised >= ? AND captured = 0 AND voided = 0`,
        amounts: [amount, amount],
      }),

    refund: ({ amount, ...refund }) =>
      followUp({ ...refund, kind: 'refund', amount }, surroundings, {
        sql: `UPDATE simulator_charges SET refunded = refunded + ?
          WHERE attempt_id = ? AND processor_id = ? AND captured - refunded >= ?`,
        amounts: [amount, amount],
      }),

    void: (voiding) =>
      followUp({ ...voiding, kind: 'void', amount: 0 }, surroundings, {
        sql: `UPDATE simulator_charges SET voided = ?
          WHERE attempt_id = ? AND processor_id = ? AND authorised >= ? AND captured = 0 AND voided = 0`,
        amounts: [1, 1],
      }),

    async query({ attemptId, amount, currency }) {
      await db.write([
        insertCharge({ attemptId, amount, currency, outcome: neverArrived, dispute: null }, surroundings),
      ])
      const row = await requireCharge(attemptId, surroundings)
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
} as const satisfies AuthorisationOutcome

const REFERENCE_PREFIX = 'simulated_'

function referenceOf(attemptId: string): string {
  return REFERENCE_PREFIX + attemptId
}

type Charge = Pick<Authorisation, 'attemptId' | 'amount' | 'currency'> & {
  outcome: AuthorisationOutcome
  /** How its cardholder will dispute it, or `null`. */
  dispute: DisputeKind | null
}

function insertCharge(
  { attemptId, amount, currency, outcome, dispute }: Charge,
  { clock, processorId }: Surroundings,
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

async function findCharge(attemptId: string, { db, processorId }: Surroundings): Promise<Row | undefined> {
  const [row] = await db.read('SELECT * FROM simulator_charges WHERE attempt_id = ? AND processor_id = ?', [
    attemptId,
    processorId,
  ])
  return row
}

async function requireCharge(attemptId: string, surroundings: Surroundings): Promise<Row> {
  const row = await findCharge(attemptId, surroundings)
  if (row === undefined) throw new Error(`The attempt ${attemptId} is on the ledger of another simulated processor.`)
  return row
}

function recordedOutcome(row: Row): AuthorisationOutcome {
  return JSON.parse(String(row['outcome']))
}

interface Move {
  id: string
  reference: string
  amount: number
  kind: 'capture' | 'refund' | 'void'
}

/** What a move does to the charge, under its guard: the first amount is set, the last one has to be there. */
interface Change {
  sql: string
  amounts: readonly [number, number]
}

async function followUp(
  { id, reference, amount, kind }: Move,
  surroundings: Surroundings,
  { sql, amounts: [set, needed] }: Change,
): Promise<FollowUpOutcome> {
  const { db, clock, processorId } = surroundings
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
  return { outcome: 'refused', reason: whyNot(kind, await findCharge(attemptId, surroundings)) }
}

function whyNot(kind: Move['kind'], charge: Row | undefined): FollowUpRefusal {
  if (charge === undefined) return 'unknown_reference'
  const captured = Number(charge['captured'])
  const isOpen = Number(charge['authorised']) > 0 && captured === 0 && charge['voided'] === 0
  const fits = kind === 'capture' ? isOpen : kind === 'refund' && captured > 0
  return fits ? 'amount_too_large' : 'wrong_state'
}
