import { setImmediate } from 'node:timers/promises'
import { type FlowReplay, REPLAYED_EXAMPLES_MAX, REPLAYED_MOVES_MAX, type RoutingRules } from '@tillwright/contract'
import { drawOf } from '../runtime/index.ts'
import { cascadeStopReason } from './next-attempt.ts'
import type { PastAttempt, PastPayment } from './past-payments.ts'
import { numberedCard, type Picking, pickProcessor } from './route.ts'

/** The rules to run payments through, and what the account's processors take now. */
export interface ReplayedFlow {
  flow: RoutingRules
  processors: Picking['processors']
}

/** Where payments go by another flow. */
export type Replayed = Pick<FlowReplay, 'payments' | 'moved' | 'refused' | 'moves' | 'otherMoves' | 'processors'>

/** How many payments are replayed before others have their turn. */
const SLICE = 500

/**
 * Runs payments of the past through the rules of a flow. Each attempt keeps its draw and the processors that were failing
 * then, so that a flow that is no different chooses no differently. A customer's last success is the recorded one, or where
 * the replay has sent it instead. A payment that goes elsewhere is followed no further: how it would have ended is not known.
 *
 * @param payments The oldest first.
 */
export async function replayFlow(payments: readonly PastPayment[], replayed: ReplayedFlow): Promise<Replayed> {
  const successes = successesOf()
  const counts = countsOf()
  for (const [at, payment] of payments.entries()) {
    if (at % SLICE === SLICE - 1) await setImmediate()
    const move = moveOf(payment, replayed, successes)
    counts.add(payment, move)
    successes.note(payment, move)
  }
  return { payments: payments.length, ...counts.sum() }
}

/** An attempt that goes elsewhere. `null` stands for no processor. */
interface Move {
  attempt: 'first' | 'further'
  from: string | null
  to: string | null
}

function moveOf(payment: PastPayment, { flow, processors }: ReplayedFlow, successes: Successes): Move | null {
  const { attempts, currency, brand } = payment
  const keepsCustomers = flow.stickyProcessorEnabled || payment.isRenewal
  const tried = new Set<string>()
  const choose = (attempt: PastAttempt, draw = attempt.draw): string | null => {
    const lastSuccess = keepsCustomers ? successes.before(payment.customerId, attempt) : 'off'
    const { failing } = attempt
    const method = numberedCard
    return pickProcessor({ flow, processors, currency, brand, method, tried, failing, lastSuccess, draw }).processorId
  }
  for (const [at, attempt] of attempts.entries()) {
    const before = attempts[at - 1]
    const name = before === undefined ? 'first' : 'further'
    const isTried = before === undefined || goesOn(before, at, flow) !== 'no'
    const to = isTried ? choose(attempt) : null
    if (to !== attempt.processorId) return { attempt: name, from: attempt.processorId, to }
    tried.add(attempt.processorId)
  }
  const last = attempts.at(-1)
  if (last === undefined || !payment.isStoppedByFlow || goesOn(last, attempts.length, flow) !== 'yes') return null
  const to = choose(last, drawOf(`${last.id} next`))
  return to === null ? null : { attempt: 'further', from: null, to }
}

/** Whether the rules ask another processor after an attempt; `unknown` where that is not up to them. */
function goesOn({ outcome, advice }: PastAttempt, attempts: number, flow: RoutingRules): 'yes' | 'no' | 'unknown' {
  if (outcome !== 'soft_decline' && outcome !== 'technical_failure') return 'unknown'
  return cascadeStopReason({ outcome, advice }, attempts, flow) === null ? 'yes' : 'no'
}

/** Where customers had their last success by the replay. */
interface Successes {
  before(customerId: string, attempt: PastAttempt): Picking['lastSuccess']
  note(payment: PastPayment, move: Move | null): void
}

function successesOf(): Successes {
  const seen = new Map<string, string>()
  /** Customers whose last success differs from the recorded one. */
  const moved = new Set<string>()
  return {
    before(customerId, { sticky, processorId }) {
      const known = seen.get(customerId)
      if (sticky === 'kept' && !moved.has(customerId)) return { processorId }
      return known === undefined || (sticky === 'none' && !moved.has(customerId)) ? 'none' : { processorId: known }
    },
    note({ customerId, attempts }, move) {
      const last = attempts.at(-1)
      if (last === undefined || !last.isSuccess) return
      if (move === null) moved.delete(customerId)
      else moved.add(customerId)
      const processorId = move === null ? last.processorId : move.to
      if (processorId === null) seen.delete(customerId)
      else seen.set(customerId, processorId)
    },
  }
}

type Counted = Omit<Replayed['moves'][number], 'paymentIds'> & { newest: string[] }

function countsOf() {
  const before = new Map<string, number>()
  const after = new Map<string, number>()
  const moves = new Map<string, Counted>()
  const countOne = (counts: Map<string, number>, processorId: string) =>
    counts.set(processorId, (counts.get(processorId) ?? 0) + 1)
  let [moved, refused] = [0, 0]
  return {
    add({ id, attempts: [first], currency, brand }: PastPayment, move: Move | null): void {
      if (first === undefined) return
      countOne(before, first.processorId)
      const to = move?.attempt === 'first' ? move.to : first.processorId
      if (to === null) refused += 1
      else countOne(after, to)
      if (move === null) return
      moved += 1
      const { attempt, from: fromProcessorId, to: toProcessorId } = move
      const key = JSON.stringify([attempt, fromProcessorId, toProcessorId, currency, brand])
      const none = { attempt, fromProcessorId, toProcessorId, currency, brand, payments: 0, newest: [] }
      const counted = moves.get(key) ?? none
      moves.set(key, { ...counted, payments: counted.payments + 1, newest: [id, ...counted.newest].slice(0, EACH_MAX) })
    },
    sum(): Omit<Replayed, 'payments'> {
      const ids = [...new Set([...before.keys(), ...after.keys()])]
      const shares = ids.map((id) => ({ processorId: id, before: before.get(id) ?? 0, after: after.get(id) ?? 0 }))
      const all = [...moves.values()].toSorted((a, b) => b.payments - a.payments)
      const listed = all.slice(0, REPLAYED_MOVES_MAX)
      const otherMoves = all.slice(REPLAYED_MOVES_MAX).reduce((sum, { payments }) => sum + payments, 0)
      const processors = shares.toSorted((a, b) => b.after - a.after)
      return { moved, refused, moves: withExamples(listed), otherMoves, processors }
    },
  }
}

/** The most examples of one move: with five moves or fewer, each has as many as there are. */
const EACH_MAX = REPLAYED_EXAMPLES_MAX / 5

/** Gives each move an example before any has a second one. */
function withExamples(moves: readonly Counted[]): Replayed['moves'] {
  const each = moves.length === 0 ? 0 : Math.min(EACH_MAX, Math.floor(REPLAYED_EXAMPLES_MAX / moves.length))
  return moves.map(({ newest, ...move }) => ({ ...move, paymentIds: newest.slice(0, each) }))
}
