import {
  type AttemptFacts,
  type Authorisation,
  type AuthorisationOutcome,
  declined,
} from '../../src/processors/authorisation.ts'
import type { Driver, PostAuthorizationOutcome } from '../../src/processors/driver.ts'
import type { ProcessorDriver } from '../../src/processors/processor-driver.ts'
import { processorSettings } from '../../src/processors/settings.ts'
import { currentHost } from '../machine/host.ts'
import { type Disputes, openDisputes, reported } from './bank-disputes.ts'
import { openReversals, type Reversals } from './bank-reversals.ts'
import { BANK_DRIVER, type BankEvent, type BankEvents, bankEvents, openBankEvents } from './bank-events.ts'
import { strikes, type World } from './world.ts'

/** A processor's record of an attempt. Amounts in minor units. */
export interface Charge {
  attemptId: string
  processorId: string
  amount: number
  currency: string
  outcome: AuthorisationOutcome
  /** The 3-D Secure result sent with the attempt; `null` without 3-D Secure. */
  proof: { value: string; transactionId: string } | null
  /** How often money was authorized or captured for the attempt. */
  authorised: number
  captured: number
  refunded: number
  /** The refunds that were made, and have not come back. */
  refunds: { reference: string; amount: number }[]
  /** The references of those that came back. */
  reversed: string[]
  isVoided: boolean
  /** The outcomes of captures, refunds and voids, by their ids. */
  moves: Map<string, PostAuthorizationOutcome>
}

/** All processors of a world, and the banks behind them. */
export interface Bank {
  /** The driver through which platforms reach the processors. */
  driver: ProcessorDriver
  charges: ReadonlyMap<string, Charge>
  /** By attempt id. */
  disputes: Disputes['opened']
  /** The events that the processors send on their own. */
  events: BankEvents
  /** The number of events and decisions still to come. */
  left(): number
  /** A number that changes with the books. */
  version(): number
}

/** Amounts that decide the issuer's answer; any other is approved. */
export const verdictAmounts = { soft: 1_005, hard: 1_041, threeds: 1_065, away: 1_096 } as const

/** Opens the processors of a world. An attempt alone decides its outcome; the network does not. */
export function openBank(world: World): Bank {
  const charges = new Map<string, Charge>()
  const events = openBankEvents(world)
  const disputes = openDisputes(world, events.tell)
  const reversals = openReversals(world, events.tell)
  let version = 0
  const changed =
    <Outcome>(arrive: () => Outcome) =>
    () => {
      version += 1
      return arrive()
    }
  const open = (processorId: string): Driver => {
    const books = booksOf(processorId, charges, { world, tell: events.tell, disputes, reversals })
    const call = <Outcome>(what: string, arrive: () => Outcome) =>
      overTheNetwork(what, changed(arrive), { processorId, world })
    return {
      authorise: (sent) => call(`authorise ${sent.attemptId}`, () => books.authorise(sent)),
      capture: ({ id, reference, amount }) =>
        call(`capture ${amount} of ${reference}`, () => books.move({ id, reference, kind: 'capture', amount })),
      refund: ({ id, reference, amount }) =>
        call(`refund ${amount} of ${reference}`, () => books.move({ id, reference, kind: 'refund', amount })),
      void: ({ id, reference }) =>
        call(`void ${reference}`, () => books.move({ id, reference, kind: 'void', amount: 0 })),
      submitEvidence: ({ id, reference }) => call(`evidence for ${reference}`, () => disputes.evidence(id, reference)),
      query: (facts) => call(`query ${facts.attemptId}`, () => books.query(facts)),
    }
  }
  const driver: ProcessorDriver = {
    name: BANK_DRIVER,
    title: "the world's bank",
    settings: processorSettings,
    secret: null,
    capabilities,
    help: '',
    open: async ({ processorId }) => open(processorId),
    events: bankEvents({
      refundsOf(attemptId, processorId) {
        const now = () => {
          const { refunds = [], reversed = [] } = charges.get(attemptId) ?? {}
          return { refunds: refunds.slice(), reversed: reversed.slice() }
        }
        return overTheNetwork(`refunds of ${attemptId}`, now, { processorId, world })
      },
      disputeOf(attemptId, processorId) {
        const dispute = disputes.opened.get(attemptId)
        const report = () => (dispute === undefined ? null : reported(dispute))
        // Two concurrent queries get two answers.
        return overTheNetwork(`dispute of ${attemptId}`, report, { processorId, world, mostMs: 25 })
      },
    }),
  }
  const left = () => events.left() + disputes.left() + reversals.left()
  return { driver, charges, disputes: disputes.opened, events, left, version: () => version }
}

/** The capabilities of every processor of the world. */
const capabilities: ProcessorDriver['capabilities'] = {
  movesMoney: true,
  cards: ['number'],
  methods: [],
  answersLater: false,
  severalCaptures: false,
  partialRefunds: true,
  exemptions: [],
  zeroAmount: true,
  storedCredentials: false,
  accountUpdater: false,
  disputes: true,
  evidence: true,
  authentication: true,
}

/**
 * Sends a request to a processor and returns its answer, unless the network loses one of them. `mostMs`: the longest
 * either is under way.
 */
function overTheNetwork<Outcome>(
  what: string,
  arrive: () => Outcome,
  { processorId, world, mostMs = 500 }: { processorId: string; world: World; mostMs?: number },
): Promise<Outcome> {
  const { dice, scheduler } = world
  const at = currentHost()
  if (at === null) throw new Error('A processor is asked by a process.')
  const broken = () => new Error('The connection to the processor broke.')
  const who = processorId.slice(-6)
  const take = (): Outcome => {
    const outcome = arrive()
    world.tell('bank', `${at.name} asks ${who}: ${what} -> ${JSON.stringify(outcome)}`)
    return outcome
  }
  return new Promise((resolve, reject) => {
    const back = (delayMs: number, tell: () => void) => void at.after(delayMs, 'hears from a processor', tell)
    const breaks = () => back(dice.between(1, 3_000), () => reject(broken()))
    const later = (delayMs: number, work: () => void) =>
      void scheduler.after(delayMs, `${at.name} reaches a processor`, work)
    const lagMs = dice.between(20, mostMs)
    if (strikes(world, 'processor.swallowed')) return
    if (strikes(world, 'processor.request lost')) return breaks()
    if (strikes(world, 'processor.late')) {
      breaks()
      return later(dice.between(1_000, 60_000), () => void take())
    }
    const slowMs = strikes(world, 'processor.slow') ? dice.between(2_000, 40_000) : 0
    if (strikes(world, 'processor.twice')) later(dice.between(0, 5_000), () => void take())
    later(lagMs, () => {
      const outcome = take()
      if (strikes(world, 'processor.silent')) return
      if (strikes(world, 'processor.answer lost')) return breaks()
      back(dice.between(20, mostMs) + slowMs, () => resolve(outcome))
    })
  })
}

interface Move {
  id: string
  reference: string
  kind: 'capture' | 'refund' | 'void'
  amount: number
}

interface Office {
  world: World
  tell: (event: BankEvent) => void
  disputes: Disputes
  reversals: Reversals
}

function booksOf(processorId: string, charges: Map<string, Charge>, { world, tell, disputes, reversals }: Office) {
  const dice = world.dice.fork(`books of ${processorId}`)
  const enter = (facts: Facts, outcome: AuthorisationOutcome): Charge => {
    const charge = newCharge(facts, { processorId, outcome })
    charges.set(charge.attemptId, charge)
    return charge
  }
  return {
    authorise(sent: Authorisation): AuthorisationOutcome {
      const known = charges.get(sent.attemptId)
      if (known !== undefined) return known.outcome
      const charge = enter(sent, verdictOn(sent))
      const { attemptId, outcome, captured } = charge
      const isOver = captured > 0 || outcome.outcome === 'declined'
      if (!isOver || !strikes(world, 'processor.differs')) {
        if (captured > 0) disputes.taken(charge)
        if (dice.chance(0.3))
          // an event that repeats the answer
          tell({ about: 'attempt', processorId, attemptId })
        return outcome
      }
      // The answer denies a charge that was made, or an event follows a decline.
      tell({ about: 'attempt', processorId, attemptId })
      return captured > 0 ? declined('expired_card', { reference: `world_${attemptId}` }) : outcome
    },
    query(facts: AttemptFacts): AuthorisationOutcome | { outcome: 'not_found' } {
      const { outcome, isVoided, captured } = charges.get(facts.attemptId) ?? enter(facts, neverArrived)
      if (outcome.outcome === 'refused_before_acceptance' || isVoided) return { outcome: 'not_found' }
      return outcome.outcome === 'authorized' && captured > 0 ? { ...outcome, outcome: 'succeeded' } : outcome
    },
    move({ id, reference, kind, amount }: Move): PostAuthorizationOutcome {
      const charge = charges.get(reference.replace(/^world_/, ''))
      if (charge === undefined || charge.processorId !== processorId) return refused('unknown_reference')
      const known = charge.moves.get(id)
      if (known !== undefined) return known
      const outcome =
        moved(charge, { id, reference, kind, amount }, disputes.keptOf(charge.attemptId)) ??
        ({ outcome: 'succeeded', reference: `world_${id}` } as const)
      charge.moves.set(id, outcome)
      world.count(`bank ${kind}`)
      if (kind === 'capture' && outcome.outcome === 'succeeded') disputes.taken(charge)
      if (kind !== 'refund' || outcome.outcome !== 'succeeded') return outcome
      charge.refunds.push({ reference: outcome.reference, amount })
      reversals.refunded(charge, { id, reference: outcome.reference, amount })
      if (!strikes(world, 'processor.differs')) return outcome
      tell({ about: 'refunds', processorId, attemptId: charge.attemptId })
      return refused('wrong_state')
    },
  }
}

type Facts = AttemptFacts & Partial<Authorisation>

function newCharge(facts: Facts, { processorId, outcome }: Pick<Charge, 'processorId' | 'outcome'>): Charge {
  const { attemptId, amount, currency, capture, threeds = null } = facts
  const isGood = outcome.outcome === 'succeeded' || outcome.outcome === 'authorized'
  return {
    attemptId,
    processorId,
    amount,
    currency,
    outcome,
    proof: threeds && { value: threeds.authenticationValue, transactionId: threeds.threedsServerTransactionId },
    authorised: isGood && amount > 0 ? 1 : 0,
    captured: isGood && capture === 'now' ? amount : 0,
    refunded: 0,
    refunds: [],
    reversed: [],
    isVoided: false,
    moves: new Map(),
  }
}

/** One refund in eight exceeds the merchant's balance at the bank. */
function isRefusedByBank(id: string): boolean {
  return id.charCodeAt(id.length - 1) % 8 === 0
}

const neverArrived = {
  outcome: 'refused_before_acceptance',
  reason: 'The attempt was asked for before it arrived.',
} as const

/** Moves money, or returns why it cannot. `kept`: the disputed or lost part. */
function moved(charge: Charge, { id, kind, amount }: Move, kept: number): PostAuthorizationOutcome | null {
  const { outcome } = charge.outcome
  if (outcome !== 'succeeded' && outcome !== 'authorized') return refused('unknown_reference')
  switch (kind) {
    case 'capture':
      if (charge.captured > 0 || charge.isVoided) return refused('wrong_state')
      if (amount > charge.amount) return refused('amount_too_large')
      charge.captured = amount
      return null
    case 'refund':
      if (isRefusedByBank(id)) return refused('amount_too_large')
      if (charge.isVoided || charge.captured === 0) return refused('wrong_state')
      if (charge.refunded + kept + amount > charge.captured) return refused('amount_too_large')
      charge.refunded += amount
      return null
    case 'void':
      if (charge.captured > 0 || charge.isVoided) return refused('wrong_state')
      charge.isVoided = true
      return null
  }
}

function refused(reason: 'amount_too_large' | 'wrong_state' | 'unknown_reference'): PostAuthorizationOutcome {
  return { outcome: 'refused', reason }
}

function verdictOn({ attemptId, amount, capture, threeds }: Authorisation): AuthorisationOutcome {
  const reference = `world_${attemptId}`
  switch (amount % 10_000) {
    case verdictAmounts.soft:
      return declined('do_not_honor', { reference })
    case verdictAmounts.hard:
      return declined('lost_card', { reference })
    case verdictAmounts.away:
      return { outcome: 'refused_before_acceptance', reason: 'The processor is being repaired.' }
    case verdictAmounts.threeds:
      if (threeds === null) return { outcome: 'threeds_required', reference }
  }
  return { outcome: capture === 'now' ? 'succeeded' : 'authorized', reference }
}
