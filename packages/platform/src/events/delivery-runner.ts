import type { Services } from '../request-context.ts'
import { accountPlaces } from '../runtime/index.ts'
import { attemptDelivery, type Outcome } from './attempt-delivery.ts'
import type { Claim } from './claim-deliveries.ts'
import { type Backoff, outcomeWrites } from './delivery-outcomes.ts'
import { disablingWrites } from './disable-endpoints.ts'
import { type Deliver, DELIVERY_TIMEOUT_MS } from './egress.ts'

/** The claimed deliveries of a worker, from claim to record. */
export interface Tries {
  /** How many deliveries wait or are under way. */
  held(): number
  /** The endpoints, and the accounts, for which no more should be claimed. */
  full(): Full
  /** Tries them as soon as there are places; after the signal not at all. */
  add(claims: readonly Claim[]): void
  /**
   * To be called after the signal: gives back what waits and breaks off what is still under way after `graceMs`, by
   * the machine's time. Resolves when all is recorded.
   */
  finish(graceMs: number): Promise<void>
}

/** How deliveries are tried. */
export interface TriesOptions {
  deliver: Deliver
  backoff: Backoff
  /** From then on no try begins. */
  signal: AbortSignal
  /** Called when no more deliveries wait for an endpoint that has just answered. */
  caughtUp: () => void
}

/** Attempts deliveries concurrently within the limits of the lanes, and records their outcomes. */
export function deliveryTries(
  services: Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment' | 'telemetry'>,
  { deliver, backoff, signal, caughtUp }: TriesOptions,
): Tries {
  const breakingOff = new AbortController()
  const recorder = outcomeRecorder(services, { backoff, signal })
  const lanes = new DeliveryLanes()
  const underWay = new Set<Promise<void>>()

  function fillPlaces(): void {
    if (signal.aborted) return
    for (let claim = lanes.take(services.clock.now()); claim !== null; claim = lanes.take(services.clock.now())) {
      const attempt = tryOnce(claim).then(() => void underWay.delete(attempt))
      underWay.add(attempt)
    }
  }

  async function tryOnce(claim: Claim): Promise<void> {
    const outcome = await outcomeOf(claim)
    lanes.done(claim, outcome.kind === 'tried' && outcome.verdict.outcome !== 'delivered' ? 'failed' : 'acknowledged')
    recorder.add(outcome)
    fillPlaces()
    if (!lanes.isWaiting(claim.endpointId)) caughtUp()
  }

  async function outcomeOf(claim: Claim): Promise<Outcome> {
    try {
      return await attemptDelivery(claim, services, { deliver, signal: breakingOff.signal })
    } catch (error) {
      await backoff.failed(error)
      return { kind: 'released', claim }
    }
  }

  return {
    held: () => lanes.held,
    full: () => lanes.full(),
    add(claims) {
      lanes.add(claims)
      fillPlaces()
    },
    async finish(graceMs) {
      for (const claim of lanes.drain()) recorder.add({ kind: 'released', claim })
      const grace = setTimeout(() => breakingOff.abort(), graceMs)
      await Promise.all(underWay)
      clearTimeout(grace)
      await recorder.idle()
    },
  }
}

/** Records the outcomes of deliveries. */
export interface Recorder {
  add(outcome: Outcome): void
  /** Resolves when all that was added is recorded or given up. */
  idle(): Promise<void>
}

/** Maximum number of outcomes per transaction: larger ones would hold locks for too long. */
const GROUP_MAX = 100

/**
 * Runs one transaction at a time; outcomes that arrive in the meantime form the next, so that under load many share one
 * commit. If the database is unavailable, a transaction is retried until its leases expire; then another worker
 * attempts those deliveries.
 *
 * @param options `signal`: once aborted, a failing transaction is given up.
 */
function outcomeRecorder(
  services: Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets'>,
  { backoff, signal }: { backoff: Backoff; signal: AbortSignal },
): Recorder {
  const { db, clock } = services
  let waiting: Outcome[] = []
  let work: Promise<void> | null = null
  async function recordAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_MAX)
      waiting = waiting.slice(GROUP_MAX)
      await record(group)
    }
    work = null
  }
  async function record(group: readonly Outcome[]): Promise<void> {
    for (;;) {
      try {
        const nowMs = clock.now()
        await db.write(outcomeWrites(group, { nowMs, engine: db.engine }))
        backoff.over()
        return await disable(group, nowMs)
      } catch (error) {
        const expired = group.every(({ claim }) => claim.leaseUntilMs <= clock.now())
        if (expired || signal.aborted) return undefined
        await backoff.failed(error)
      }
    }
  }
  /** What fails here is done after the endpoint's next failure. */
  async function disable(group: readonly Outcome[], nowMs: number): Promise<void> {
    const disabling = disablingWrites(group, nowMs, services).map((transaction) => db.write(transaction))
    for (const each of await Promise.allSettled(disabling)) {
      if (each.status === 'rejected') await backoff.failed(each.reason)
    }
  }
  return {
    add(outcome) {
      waiting.push(outcome)
      work ??= recordAll()
    },
    idle: () => work ?? Promise.resolve(),
  }
}

/** For whom no more should be claimed. */
export interface Full {
  endpoints: string[]
  accounts: string[]
}

/** How many deliveries a worker holds, and of those how many are tried at once, over all accounts and to one endpoint. */
export const HELD_MAX = 1_024
const TRIES_MAX = 256
const TRIES_PER_ENDPOINT = 8
/** From so many on an endpoint gets no second place: slow ones leave room for those that have none yet. */
const TRIES_CROWDED = 128
/** An endpoint whose last answer was a failure is asked one at a time, so that broken ones leave room for others. */
const TRIES_WHILE_FAILING = 1
/** How many broken ones are asked at once, and how many deliveries to them are held. */
const FAILING_MAX = 64
const FAILING_HELD_MAX = 256
/** Claims with less time left are released: the attempt could outlast the lease and be repeated elsewhere. */
const LEASE_NEEDED_MS = DELIVERY_TIMEOUT_MS + 5_000

/**
 * Claimed deliveries, in one lane per endpoint, so that a slow receiver delays only its own. Of all that is limited here, an
 * account may have more as long as it has less than is free: it may have a hundred endpoints.
 */
export class DeliveryLanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #failing = new Set<string>()
  readonly #held = accountPlaces(HELD_MAX)
  readonly #running = accountPlaces(TRIES_MAX)
  readonly #failingHeld = accountPlaces(FAILING_HELD_MAX)
  readonly #failingRunning = accountPlaces(FAILING_MAX)

  /** How many deliveries wait or are being tried. */
  get held(): number {
    return this.#held.taken
  }

  /** For whom deliveries wait, or who has too many, or too many that are broken. */
  full(): Full {
    const lanes = [...this.#lanes]
    const isFull = ([endpointId, { accountId, queue }]: [string, Lane]) =>
      queue.length > 0 || (this.#failing.has(endpointId) && !this.#failingHeld.isFreeFor(accountId))
    const accounts = new Set(lanes.map(([, { accountId }]) => accountId))
    return {
      endpoints: lanes.filter(isFull).map(([endpointId]) => endpointId),
      accounts: [...accounts].filter((accountId) => !this.#held.isFreeFor(accountId)),
    }
  }

  isWaiting(endpointId: string): boolean {
    return (this.#lanes.get(endpointId)?.queue.length ?? 0) > 0
  }

  add(claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.#laneOf(claim).queue.push(claim)
      this.#held.take(claim.accountId)
      if (this.#failing.has(claim.endpointId)) this.#failingHeld.take(claim.accountId)
    }
  }

  /** The next to be tried, from the lanes in turn; `null` when nothing may be tried now. */
  take(nowMs: number): Claim | null {
    if (this.#running.taken >= TRIES_MAX) return null
    for (const [endpointId, lane] of this.#lanes) {
      this.#dropOld(endpointId, lane, nowMs)
      const claim = this.#mayTry(endpointId, lane) ? lane.queue.shift() : undefined
      if (claim === undefined) continue
      lane.running += 1
      this.#running.take(lane.accountId)
      if (this.#failing.has(endpointId)) this.#failingRunning.take(lane.accountId)
      this.#lanes.delete(endpointId) // and to the end of the line
      this.#lanes.set(endpointId, lane)
      return claim
    }
    return null
  }

  /** Frees the place of one that was taken. */
  done(claim: Claim, result: 'acknowledged' | 'failed'): void {
    const { accountId, endpointId } = claim
    const lane = this.#laneOf(claim)
    const wasFailing = this.#failing.has(endpointId)
    lane.running -= 1
    this.#running.leave(accountId)
    this.#held.leave(accountId)
    if (wasFailing) {
      this.#failingRunning.leave(accountId)
      this.#failingHeld.leave(accountId)
    }
    if (result === 'failed' && !wasFailing) this.#setFailing(endpointId, lane)
    if (result === 'acknowledged' && wasFailing) this.#setAnswering(endpointId, lane)
    if (lane.running === 0 && lane.queue.length === 0) this.#lanes.delete(endpointId)
  }

  /** Takes out all that wait. */
  drain(): Claim[] {
    return [...this.#lanes].flatMap(([endpointId, lane]) => this.#takeOut(endpointId, lane, lane.queue.length))
  }

  #laneOf({ accountId, endpointId }: Claim): Lane {
    const lane = this.#lanes.get(endpointId) ?? { accountId, queue: [], running: 0 }
    this.#lanes.set(endpointId, lane)
    return lane
  }

  #mayTry(endpointId: string, { accountId, running }: Lane): boolean {
    if (!this.#running.isFreeFor(accountId)) return false
    if (this.#failing.has(endpointId)) {
      return running < TRIES_WHILE_FAILING && this.#failingRunning.isFreeFor(accountId)
    }
    return running < (this.#running.taken < TRIES_CROWDED ? TRIES_PER_ENDPOINT : 1)
  }

  #setFailing(endpointId: string, { accountId, running, queue }: Lane): void {
    this.#failing.add(endpointId)
    this.#failingRunning.take(accountId, running)
    this.#failingHeld.take(accountId, running + queue.length)
  }

  #setAnswering(endpointId: string, { accountId, running, queue }: Lane): void {
    this.#failing.delete(endpointId)
    this.#failingRunning.leave(accountId, running)
    this.#failingHeld.leave(accountId, running + queue.length)
  }

  /** Drops deliveries that waited too long: their leases expire. Claims stand in the order of their leases. */
  #dropOld(endpointId: string, lane: Lane, nowMs: number): void {
    const keep = lane.queue.findIndex(({ leaseUntilMs }) => leaseUntilMs >= nowMs + LEASE_NEEDED_MS)
    this.#takeOut(endpointId, lane, keep === -1 ? lane.queue.length : keep)
  }

  #takeOut(endpointId: string, { accountId, queue }: Lane, count: number): Claim[] {
    if (count === 0) return []
    this.#held.leave(accountId, count)
    if (this.#failing.has(endpointId)) this.#failingHeld.leave(accountId, count)
    return queue.splice(0, count)
  }
}

interface Lane {
  accountId: string
  queue: Claim[]
  running: number
}
