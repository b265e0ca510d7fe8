import type { EvidenceOutcome } from '../../src/processors/driver.ts'
import type { ReportedDispute } from '../../src/processors/processor-driver.ts'
import type { BankEvent } from './bank-events.ts'
import type { Dice } from '../machine/dice.ts'
import { STARTS_AT_MS, type World } from './world.ts'

/** A dispute on the records of a cardholder's bank; at most one for an attempt. */
export interface Dispute extends Pick<ReportedDispute, 'kind' | 'amount' | 'attemptId' | 'reference'> {
  status: 'open' | 'won' | 'lost'
  /** What the bank has taken of it when it was lost; `null` for all. */
  taken: number | null
  /** Whether it was decided a second time, otherwise. */
  isRedecided: boolean
  /** The ids of the evidence received. */
  evidence: Set<string>
}

/** Money captured with an attempt, and refunded since, in minor units. */
interface Taken {
  attemptId: string
  processorId: string
  captured: number
  refunded: number
}

/** The cardholders behind the banks of a world, some of whom do not recognize a payment. */
export interface Disputes {
  /** Notes a capture, which its cardholder may dispute shortly. */
  taken(charge: Taken): void
  /** The part of an attempt that cannot be refunded, in minor units. */
  keptOf(attemptId: string): number
  evidence(id: string, reference: string): EvidenceOutcome
  /** By attempt id. */
  readonly opened: ReadonlyMap<string, Dispute>
  /** The number of undecided disputes. */
  left(): number
}

/** Only captures before this time are disputed, because banks take longer than the month that may pass at the end. */
const UNTIL_MS = STARTS_AT_MS + 600_000

export function openDisputes(world: World, tell: (event: BankEvent) => void): Disputes {
  const { scheduler } = world
  const dice = world.dice.fork('disputes')
  const diceOfAppeals = world.dice.fork('second chargebacks and appeals')
  const diceOfParts = world.dice.fork('disputes that are lost in part')
  const opened = new Map<string, Dispute>()
  let left = 0
  const isOver = ({ status }: Dispute) => status !== 'open'

  function open({ processorId, ...charge }: Taken): void {
    const dispute = newDispute(charge, dice)
    if (dispute === null) return
    const { attemptId, amount } = dispute
    left += 1
    opened.set(attemptId, dispute)
    const change = (what: string, how: () => void) => {
      how()
      world.count(`disputes ${what}`)
      world.tell('bank', `the dispute of ${attemptId} over ${amount} is ${what}`)
      tell({ about: 'dispute', processorId, attemptId })
    }
    change('opened', () => {})
    const later = (delayMs: number, then: () => void) =>
      void scheduler.after(delayMs, 'a bank looks at a dispute', then)
    const escalateMs = dice.between(1_000, 10_000)
    if (dispute.kind === 'inquiry' && dice.chance(0.6))
      later(escalateMs, () => change('a chargeback', () => escalate(dispute, diceOfParts)))
    later(escalateMs + dice.between(1_000, 20_000), () => {
      const isWon = dice.chance(dispute.evidence.size > 0 ? 0.8 : 0.3)
      change(isWon ? 'won' : 'lost', () => decide(dispute, isWon, diceOfParts))
      if (!diceOfAppeals.chance(0.3)) return (left -= 1)
      return later(diceOfAppeals.between(0, 20_000), () => {
        change('decided anew', () => {
          decide(dispute, !isWon, diceOfParts)
          dispute.isRedecided = true
        })
        left -= 1
      })
    })
  }
  return {
    taken(charge) {
      if (scheduler.nowMs > UNTIL_MS || !dice.chance(0.2)) return
      scheduler.after(dice.between(1_000, 12_000), 'a cardholder reads a statement', () => open(charge))
    },
    keptOf(attemptId) {
      const dispute = opened.get(attemptId)
      return dispute === undefined ? 0 : keptIn(dispute)
    },
    evidence(id, reference) {
      const dispute = [...opened.values()].find((each) => each.reference === reference)
      if (dispute === undefined) return { outcome: 'refused', reason: 'unknown_reference' }
      if (dispute.evidence.has(id)) return { outcome: 'submitted' }
      if (isOver(dispute)) return { outcome: 'refused', reason: 'too_late' }
      dispute.evidence.add(id)
      return { outcome: 'submitted' }
    },
    opened,
    left: () => left,
  }
}

/** A dispute of what is left of a charge, if anything is. */
function newDispute({ attemptId, captured, refunded }: Omit<Taken, 'processorId'>, dice: Dice): Dispute | null {
  const rest = captured - refunded
  if (rest <= 0) return null
  return {
    attemptId,
    reference: `case_${attemptId}`,
    amount: dice.chance(0.5) ? rest : 1 + dice.below(rest),
    kind: dice.chance(0.5) ? 'inquiry' : 'chargeback',
    status: 'open',
    taken: null,
    isRedecided: false,
    evidence: new Set(),
  }
}

/** Some become chargebacks over a part of what was asked about. */
function escalate(dispute: Dispute, dice: Dice): void {
  dispute.kind = 'chargeback'
  if (dice.chance(0.3)) dispute.amount = 1 + dice.below(dispute.amount)
}

/** Decides a dispute; some are lost in part. */
function decide(dispute: Dispute, isWon: boolean, dice: Dice): void {
  dispute.status = isWon ? 'won' : 'lost'
  if (isWon) return
  const isPart = dispute.amount > 1 && dice.chance(0.3)
  dispute.taken = isPart ? 1 + dice.below(dispute.amount - 1) : null
}

function keptIn({ status, amount, taken }: Dispute): number {
  if (status === 'won') return 0
  return status === 'lost' ? (taken ?? amount) : amount
}

/** A dispute in the shape of a processor's report. */
export function reported({ attemptId, reference, kind, amount, status, taken }: Dispute): ReportedDispute {
  const money = { amount, currency: 'USD', ...(status === 'lost' && taken !== null && { taken }) }
  return { attemptId, reference, kind, ...money, status, reason: 'fraudulent', respondBy: null }
}
