import type { Clock } from '../../ambient/clock.ts'
import type { Database } from '../../storage/database.ts'
import type { Charge, ChargeOutcome, DeclineCode, Processor } from './processor.ts'

/** What each test card does; any other number is charged. The numbers are the ones that the field uses. */
export const testCards: ReadonlyMap<string, DeclineCode> = new Map([
  ['4000000000000002', 'generic_decline'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000009987', 'lost_card'],
  ['4000000000009979', 'stolen_card'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error'],
])

/**
 * A processor that moves no money. It keeps a ledger of its own, as a real one would: a charge is on record before it is
 * answered, and the same id gets the same answer for ever.
 */
export function simulator({ db, clock }: { db: Database; clock: Clock }): Processor {
  return {
    async charge(charge) {
      const outcome = outcomeOf(charge)
      const { id, processorId, amount, currency } = charge
      const recorded = await db.write([
        {
          sql: `INSERT INTO simulator_charges (attempt_id, processor_id, outcome, amount, currency, created_at)
            VALUES (?, ?, ?, ?, ?, ?)`,
          params: [id, processorId, JSON.stringify(outcome), amount, currency, clock.now()],
        },
      ])
      return recorded.outcome === 'committed' ? outcome : earlierOutcome(id, db)
    },
  }
}

function outcomeOf({ card }: Charge): ChargeOutcome {
  const declineCode = testCards.get(card.number)
  return declineCode === undefined ? { outcome: 'succeeded' } : { outcome: 'declined', declineCode }
}

async function earlierOutcome(id: string, db: Database): Promise<ChargeOutcome> {
  const [row] = await db.read('SELECT outcome FROM simulator_charges WHERE attempt_id = ?', [id])
  if (row === undefined) throw new Error(`The simulator refused the charge ${id} but has no record of it.`)
  return JSON.parse(String(row['outcome']))
}
