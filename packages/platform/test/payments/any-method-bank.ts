import { declined } from '../../src/processors/authorisation.ts'
import type { AuthorisationOutcome, OtherMethod } from '../../src/processors/authorisation.ts'
import type { Driver, DriverOf, QueryOutcome } from '../../src/processors/driver.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { driverWith } from './driver-with.ts'

/** Delivery of a request and its answer. `twice`: the request arrives two times. */
export const ways = ['clear', 'lost', 'unanswered', 'twice'] as const

/**
 * Reaction of the buyer, or of the buyer's bank, to an accepted payment. `late`: pays after expiry. `never`: does
 * nothing. A card is decided at once: it is charged by `pay`, and declined otherwise.
 */
export const ends = ['pay', 'refuse', 'never', 'late'] as const

/** How one payment goes. */
export interface Course {
  way: (typeof ways)[number]
  end: (typeof ends)[number]
  /** How often the processor does not answer when it is asked. */
  mute: number
  /** Whether captures and refunds are answered later. */
  isSlow: boolean
}

/** A processor's books for one attempt, in minor units. */
export interface Booked {
  attemptId: string
  processorId: string
  /** How often its money was taken: more than once is a double charge. */
  captures: number
  captured: number
  refunded: number
}

/** Processors of all methods that know nothing of each other. */
export interface AnyMethodBank {
  driverOf: DriverOf
  books: ReadonlyMap<string, Booked>
  /** Buyers and their banks act on all that waits for them, those of late ones after its time. */
  act(): void
}

/** How long buyers have, in milliseconds. */
export const TIME_MS = 15 * 60_000

interface Kept {
  course: Course
  isAtOnce: boolean
  isLedAway: boolean
  amount: number
  state: 'open' | 'paid' | 'refused'
  expiresMs: number
}

/** @param courseOf The course of a payment, by its amount. */
export function anyMethodBank(courseOf: (amount: number) => Course, clock: Clock): AnyMethodBank {
  const { kept, books, take, arrive, query } = bookkeeping(courseOf, clock)
  const refunds = new Map<string, number>()

  function driver(processorId: string): Driver {
    return driverWith({
      async authorise({ attemptId, amount, method: { type } }) {
        const { way } = courseOf(amount)
        const arrival = { processorId, amount, method: type }
        if (way === 'lost') throw new Error('The connection broke.')
        const answered = arrive(attemptId, arrival)
        if (way === 'unanswered') throw new Error('The connection broke.')
        return way === 'twice' ? arrive(attemptId, arrival) : answered
      },
      query: async ({ attemptId }) => query(attemptId),
      async refund({ id, reference, amount }) {
        const attemptId = reference.replace('ref_', '')
        const booked = books.get(attemptId)
        if (booked === undefined) return { outcome: 'refused', reason: 'unknown_reference' }
        const asked = refunds.get(id) ?? 0
        refunds.set(id, asked + 1)
        if (asked === 0) {
          if (booked.refunded + amount > booked.captured) return { outcome: 'refused', reason: 'amount_too_large' }
          booked.refunded += amount
        }
        const isSlow = kept.get(attemptId)?.course.isSlow === true
        return isSlow && asked === 0 ? { outcome: 'pending', reference: id } : { outcome: 'succeeded', reference: id }
      },
    })
  }

  return {
    driverOf: async ({ id }) => driver(id),
    books,
    act() {
      for (const [attemptId, one] of kept) {
        if (one.state !== 'open' || one.isAtOnce) continue
        const isOver = clock.now() >= one.expiresMs
        if (one.course.end === 'pay' && !isOver) take(attemptId)
        if (one.course.end === 'late' && isOver) take(attemptId)
        if (one.course.end === 'refuse' && !isOver) one.state = 'refused'
      }
    },
  }
}

/** The processors' records of attempts, and their answers to queries. */
function bookkeeping(courseOf: (amount: number) => Course, clock: Clock) {
  const kept = new Map<string, Kept>()
  const books = new Map<string, Booked>()
  const unheard = new Set<string>()
  const mutes = new Map<string, number>()

  function take(attemptId: string): void {
    const one = kept.get(attemptId)
    const booked = books.get(attemptId)
    if (one === undefined || booked === undefined || one.state !== 'open') return
    one.state = 'paid'
    booked.captures += 1
    booked.captured += one.amount
  }

  function arrive(attemptId: string, { processorId, amount, method }: Arrival): AuthorisationOutcome {
    if (unheard.has(attemptId)) return { outcome: 'refused_before_acceptance', reason: 'It was asked for in vain.' }
    if (!kept.has(attemptId)) {
      const course = courseOf(amount)
      const isAtOnce = method === 'card'
      kept.set(attemptId, {
        course,
        isAtOnce,
        isLedAway: method === 'redirect',
        amount,
        state: 'open',
        expiresMs: clock.now() + TIME_MS,
      })
      books.set(attemptId, { attemptId, processorId, captures: 0, captured: 0, refunded: 0 })
      if (isAtOnce && course.end === 'pay') take(attemptId)
    }
    return outcomeOf(attemptId)
  }

  function outcomeOf(attemptId: string): AuthorisationOutcome {
    const one = kept.get(attemptId)
    const reference = `ref_${attemptId}`
    if (one === undefined) return { outcome: 'refused_before_acceptance', reason: 'Unknown.' }
    if (one.state === 'paid') return { outcome: 'succeeded', reference }
    if (one.isAtOnce) return declined('stolen_card', { reference })
    if (one.state === 'refused') return declined('buyer_canceled', { reference })
    if (clock.now() >= one.expiresMs) return declined('payment_expired', { reference })
    const expiresAtMs = one.expiresMs
    return one.isLedAway
      ? { outcome: 'redirect', reference, url: 'https://bank.example/', expiresAtMs }
      : { outcome: 'pending', reference, expiresAtMs }
  }

  function query(attemptId: string): QueryOutcome {
    const mute = mutes.get(attemptId) ?? kept.get(attemptId)?.course.mute ?? 0
    mutes.set(attemptId, mute - 1)
    if (mute > 0) throw new Error('The processor does not answer.')
    if (!kept.has(attemptId)) {
      unheard.add(attemptId)
      return { outcome: 'not_found' }
    }
    return outcomeOf(attemptId)
  }

  return { kept, books, take, arrive, query }
}

interface Arrival {
  processorId: string
  amount: number
  method: 'card' | OtherMethod['type']
}
