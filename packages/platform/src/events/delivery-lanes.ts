import type { Claim } from './claim-deliveries.ts'
import { DELIVERY_TIMEOUT_MS } from './egress.ts'

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
/** A lease that ends sooner is let go, because the try could outlive it and be repeated elsewhere meanwhile. */
const LEASE_NEEDED_MS = DELIVERY_TIMEOUT_MS + 5_000

/** The claimed deliveries, in one lane for each endpoint, so that a slow receiver holds up nobody but itself. */
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

/** Lets go what waited too long: its lease ends by itself. Claims stand in the order of their leases. */
function dropOld({ queue }: Lane, nowMs: number): number {
  const keep = queue.findIndex(({ leaseUntilMs }) => leaseUntilMs >= nowMs + LEASE_NEEDED_MS)
  return queue.splice(0, keep === -1 ? queue.length : keep).length
}
