import type { Services } from '../request-context.ts'
import { attemptDelivery, type Outcome } from './attempt-delivery.ts'
import type { Claim } from './claim-deliveries.ts'
import { type Backoff, outcomeWrites } from './delivery-outcomes.ts'
import { disablingWrites } from './disable-endpoints.ts'
import { type Deliver, DELIVERY_TIMEOUT_MS } from './egress.ts'

/** The claimed deliveries of a worker, from claim to record. */
export interface Tries {
  /** How many deliveries wait or are under way. */
  held(): number
  /** The endpoints for which no more should be claimed. */
  full(): string[]
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
  const lanes = deliveryLanes()
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

/** How many deliveries are tried at once, over all endpoints and to one. */
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

/** Claimed deliveries, in one lane per endpoint, so that a slow receiver delays only its own. */
export interface Lanes {
  /** How many deliveries wait or are being tried. */
  readonly held: number
  /** The endpoints for which no more should be claimed: deliveries wait for them, or for too many that are broken. */
  full(): string[]
  isWaiting(endpointId: string): boolean
  add(claims: readonly Claim[]): void
  /** The next to be tried, from the lanes in turn; `null` when nothing may be tried now. */
  take(nowMs: number): Claim | null
  /** Frees the place of one that was taken. */
  done(claim: Claim, result: 'acknowledged' | 'failed'): void
  /** Takes out all that wait. */
  drain(): Claim[]
}

interface Lane {
  queue: Claim[]
  running: number
}

const NO_LANE: Lane = { queue: [], running: 0 }

/** Lanes without deliveries. */
export function deliveryLanes(): Lanes {
  const lanes = new Map<string, Lane>()
  const failing = new Set<string>()
  let waiting = 0
  let running = 0
  function laneOf(endpointId: string): Lane {
    const lane = lanes.get(endpointId) ?? { queue: [], running: 0 }
    lanes.set(endpointId, lane)
    return lane
  }
  function sumOfFailing(count: (lane: Lane) => number): number {
    return [...failing].reduce((sum, endpointId) => sum + count(lanes.get(endpointId) ?? NO_LANE), 0)
  }
  return {
    get held() {
      return waiting + running
    },
    full() {
      const waitedFor = [...lanes].flatMap(([endpointId, { queue }]) => (queue.length > 0 ? [endpointId] : []))
      const broken = sumOfFailing(heldIn) >= FAILING_HELD_MAX ? failing : []
      return [...new Set([...waitedFor, ...broken])]
    },
    isWaiting: (endpointId) => (lanes.get(endpointId)?.queue.length ?? 0) > 0,
    add(claims) {
      for (const claim of claims) laneOf(claim.endpointId).queue.push(claim)
      waiting += claims.length
    },
    take(nowMs) {
      if (running >= TRIES_MAX) return null
      const failingRunning = sumOfFailing((lane) => lane.running)
      for (const [endpointId, lane] of lanes) {
        waiting -= dropOld(lane, nowMs)
        const places = failing.has(endpointId) ? placesOfBroken(failingRunning) : placesOfOther(running)
        const claim = lane.running < places ? lane.queue.shift() : undefined
        if (claim === undefined) continue
        lane.running += 1
        running += 1
        waiting -= 1
        lanes.delete(endpointId) // and to the end of the line
        lanes.set(endpointId, lane)
        return claim
      }
      return null
    },
    done({ endpointId }, result) {
      const lane = laneOf(endpointId)
      lane.running -= 1
      running -= 1
      if (result === 'failed') failing.add(endpointId)
      else failing.delete(endpointId)
      if (lane.running === 0 && lane.queue.length === 0) lanes.delete(endpointId)
    },
    drain() {
      waiting = 0
      return [...lanes.values()].flatMap(({ queue }) => queue.splice(0))
    },
  }
}

function heldIn({ queue, running }: Lane): number {
  return queue.length + running
}

function placesOfBroken(failingRunning: number): number {
  return failingRunning < FAILING_MAX ? TRIES_WHILE_FAILING : 0
}

function placesOfOther(running: number): number {
  return running < TRIES_CROWDED ? TRIES_PER_ENDPOINT : 1
}

/** Drops deliveries that waited too long: their leases expire. Claims stand in the order of their leases. */
function dropOld({ queue }: Lane, nowMs: number): number {
  const keep = queue.findIndex(({ leaseUntilMs }) => leaseUntilMs >= nowMs + LEASE_NEEDED_MS)
  return queue.splice(0, keep === -1 ? queue.length : keep).length
}
