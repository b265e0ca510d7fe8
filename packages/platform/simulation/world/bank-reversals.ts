import { type PostAuthorizationOutcome, refused } from '../../src/processors/driver.ts'
import type { BankEvent } from './bank-events.ts'
import { STARTS_AT_MS, type World } from './world.ts'

/** What of a charge was refunded, in minor units. */
interface Refunded {
  attemptId: string
  processorId: string
  refunded: number
  refunds: { reference: string; amount: number }[]
  reversed: string[]
  moves: Map<string, PostAuthorizationOutcome>
}

/** The banks of buyers, some of which send a refund back. */
export interface Reversals {
  /** Notes a refund, which may come back shortly. */
  refunded(charge: Refunded, refund: { id: string; reference: string; amount: number }): void
  /** The number of refunds on their way back. */
  left(): number
}

/** Only refunds before this time come back, so that a month may pass at the end. */
const UNTIL_MS = STARTS_AT_MS + 600_000

export function openReversals(world: World, tell: (event: BankEvent) => void): Reversals {
  const { scheduler } = world
  const dice = world.dice.fork('refunds that come back')
  let left = 0

  function comeBack(charge: Refunded, { id, reference, amount }: Parameters<Reversals['refunded']>[1]): void {
    left -= 1
    charge.refunded -= amount
    charge.refunds = charge.refunds.filter((refund) => refund.reference !== reference)
    charge.reversed.push(reference)
    charge.moves.set(id, refused('reversed'))
    world.count('refunds that came back')
    world.tell('bank', `the refund ${reference} of ${amount} has come back`)
    tell({ about: 'refunds', processorId: charge.processorId, attemptId: charge.attemptId })
  }
  return {
    refunded(charge, refund) {
      if (scheduler.nowMs > UNTIL_MS || !dice.chance(0.2)) return
      left += 1
      scheduler.after(dice.between(1, 15_000), 'a refund comes back', () => comeBack(charge, refund))
    },
    left: () => left,
  }
}
