import { type Authorisation, type AuthorisationOutcome, declined } from '../src/processors/authorisation.ts'
import type { Driver, DriverOf } from '../src/processors/driver.ts'
import type { ManualClock } from '../src/runtime/clock.ts'
import { driverWith } from '../test/payments/driver-with.ts'

/** Outcomes of an authorisation that reaches the processor. */
export const verdicts = ['succeeded', 'soft', 'hard', 'threeds', 'refused'] as const

/**
 * Network behaviour on the way to a processor and back.
 *
 * - `lost`: the request never arrives. `unanswered`: it does, and the answer is lost. Both break the connection.
 * - `silent`: it arrives, and there is no answer and no end. `swallowed`: the same without arriving.
 * - `late`: the connection breaks, and the request arrives after all, when the processor was asked for it in vain.
 * - `twice`: it arrives twice.
 */
export const ways = ['clear', 'lost', 'unanswered', 'silent', 'swallowed', 'late', 'twice'] as const

/** How one processor behaves towards one payment. */
export interface Behaviour {
  verdict: (typeof verdicts)[number]
  way: (typeof ways)[number]
  /** How often it does not answer when asked for the attempt's outcome. */
  mute: number
}

/** Several processors that know nothing of each other, and what they have done. */
export interface Bank {
  driverOf: DriverOf
  /** Each request that was sent, in order. */
  sent: { attemptId: string; processorId: string }[]
  /** The attempts whose money was taken, as often as it was. */
  taken: string[]
  /** How many requests wait for an answer that will not come. */
  silent(): number
  /** Advances the clock until every request to a silent processor has timed out. */
  giveUp(clock: ManualClock, afterMs: number): void
}

/** How a processor behaves towards the payment of an attempt. */
export type BehaviourOf = (attempt: Authorisation, processorId: string) => Behaviour

/** Opens the processors, each at the first time that it is asked for. */
export function openBank(behaviourOf: BehaviourOf): Bank {
  const drivers = new Map<string, Driver>()
  let silent = 0
  const never = () => ((silent += 1), new Promise<never>(() => {}))
  const bank: Bank = {
    sent: [],
    taken: [],
    async driverOf({ id }) {
      const driver = drivers.get(id) ?? openProcessor(id, { bank, behaviourOf, never })
      drivers.set(id, driver)
      return driver
    },
    silent: () => silent,
    giveUp(clock, afterMs) {
      silent = 0
      clock.advance(afterMs)
    },
  }
  return bank
}

interface PlatformDependencies {
  bank: Bank
  behaviourOf: BehaviourOf
  /** An answer that does not come. */
  never: () => Promise<never>
}

function openProcessor(processorId: string, { bank, behaviourOf, never }: PlatformDependencies): Driver {
  const ledger = new Map<string, AuthorisationOutcome>()
  const late = new Map<string, () => void>()
  const mutes = new Map<string, number>()

  function arrive(authorisation: Authorisation): AuthorisationOutcome {
    const known = ledger.get(authorisation.attemptId)
    if (known !== undefined) return known
    const outcome = outcomeOf(behaviourOf(authorisation, processorId))
    if (outcome.outcome === 'succeeded') bank.taken.push(authorisation.attemptId)
    ledger.set(authorisation.attemptId, outcome)
    return outcome
  }

  async function authorise(authorisation: Authorisation): Promise<AuthorisationOutcome> {
    const { attemptId } = authorisation
    const { way, mute } = behaviourOf(authorisation, processorId)
    mutes.set(attemptId, mute)
    bank.sent.push({ attemptId, processorId })
    if (way === 'late') late.set(attemptId, () => arrive(authorisation))
    if (way === 'swallowed') return never()
    if (way === 'lost' || way === 'late') throw new Error('The connection broke.')
    const outcome = arrive(authorisation)
    if (way === 'silent') return never()
    if (way === 'unanswered') throw new Error('The connection broke.')
    return way === 'twice' ? arrive(authorisation) : outcome
  }

  async function query({ attemptId }: { attemptId: string }): ReturnType<Driver['query']> {
    const mute = mutes.get(attemptId) ?? 0
    mutes.set(attemptId, mute - 1)
    if (mute > 0) throw new Error('The processor does not answer.')
    const known = ledger.get(attemptId)
    if (known !== undefined) return known.outcome === 'refused_before_acceptance' ? notFound : known
    ledger.set(attemptId, refused)
    late.get(attemptId)?.()
    return notFound
  }

  return driverWith({ authorise, query })
}

const notFound = { outcome: 'not_found' } as const
const refused = { outcome: 'refused_before_acceptance', reason: 'It cannot be reached.' } as const

function outcomeOf({ verdict }: Behaviour): AuthorisationOutcome {
  switch (verdict) {
    case 'succeeded':
      return { outcome: 'succeeded', reference: 'reference' }
    case 'soft':
      return declined('do_not_honor', { reference: null })
    case 'hard':
      return declined('stolen_card', { reference: null })
    case 'threeds':
      return { outcome: 'threeds_required', reference: null }
    case 'refused':
      return refused
  }
}
