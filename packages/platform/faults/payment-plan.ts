import fc from 'fast-check'
import { verdicts, ways, type Behaviour } from './bank.ts'
import type { Death } from './mortal-database.ts'

/** How many processors each flow has. */
export const PROCESSORS = 4

/** One payment, and all that goes wrong with it. */
export interface PaymentPlan {
  /** How the flow's processors behave, by their place in it. */
  behaviours: readonly Behaviour[]
  /** How many further attempts its flow allows, less than there are processors. */
  retries: number
  /** When the process that serves it dies. */
  death: Death | null
}

/** Payments that are made at the same time. */
export interface Batch {
  payments: readonly PaymentPlan[]
  /** Whether payments are taken for abandoned while they are still under way, as a process does that has lost its clock. */
  impatient: boolean
  /** When the process dies that recovers them first. */
  recoveryDeath: Death | null
}

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  // In most cases a processor does what it should, so that chains get long and money is taken.
  verdict: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('succeeded', 'soft', 'refused') },
    fc.constantFrom(...verdicts),
  ),
  way: fc.oneof({ weight: 2, arbitrary: fc.constant('clear') }, fc.constantFrom(...ways)),
  mute: fc.integer({ min: 0, max: 2 }),
})

function death(transactionsMax: number): fc.Arbitrary<Death | null> {
  const when = fc.constantFrom('before' as const, 'after' as const)
  const dies = fc.record({ transaction: fc.integer({ min: 1, max: transactionsMax }), when })
  return fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, dies)
}

const paymentPlan: fc.Arbitrary<PaymentPlan> = fc.record({
  behaviours: fc.array(behaviour, { minLength: PROCESSORS, maxLength: PROCESSORS }),
  retries: fc.integer({ min: 0, max: PROCESSORS - 1 }),
  death: death(PROCESSORS + 1),
})

/** Batches of up to so many payments, which shrink to the fewest and simplest that still go wrong. */
export function batches(size: number): fc.Arbitrary<Batch> {
  return fc.record({
    payments: fc.array(paymentPlan, { minLength: 1, maxLength: size, size: 'max' }),
    impatient: fc.oneof({ weight: 2, arbitrary: fc.constant(false) }, fc.boolean()),
    recoveryDeath: death(6),
  })
}
