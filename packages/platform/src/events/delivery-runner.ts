import type { Parts } from '../request-context.ts'
import { attemptDelivery, type Outcome } from './attempt-delivery.ts'
import type { Claim } from './claim-deliveries.ts'
import { deliveryLanes } from './delivery-lanes.ts'
import { type Outage, outcomeWrites } from './delivery-outcomes.ts'
import type { Deliver } from './egress.ts'

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
  outage: Outage
  /** From then on no try begins. */
  signal: AbortSignal
  /** Is told when none waits any more for an endpoint that has just answered. */
  caughtUp: () => void
}

/** Tries deliveries, many at once within the limits of the lanes, and records what becomes of them. */
export function deliveryTries(
  parts: Pick<Parts, 'db' | 'clock' | 'randomness' | 'secrets' | 'environment'>,
  { deliver, outage, signal, caughtUp }: TriesOptions,
): Tries {
  const breakingOff = new AbortController()
  const recorder = outcomeRecorder(parts, { outage, signal })
  const lanes = deliveryLanes()
  const underWay = new Set<Promise<void>>()

  function fillPlaces(): void {
    if (signal.aborted) return
    for (let claim = lanes.take(parts.clock.now()); claim !== null; claim = lanes.take(parts.clock.now())) {
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
      return await attemptDelivery(claim, parts, { deliver, signal: breakingOff.signal })
    } catch (error) {
      await outage.failed(error)
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

/** Writes down what became of deliveries. */
export interface Recorder {
  add(outcome: Outcome): void
  /** Resolves when all that was added is recorded or given up. */
  idle(): Promise<void>
}

/** How many outcomes share a unit at most: locks of a longer one would be held too long. */
const GROUP_MAX = 100

/**
 * One unit at a time: what arrives meanwhile becomes the next, so that under load many outcomes share one commit. When
 * the database cannot serve, a unit is tried until its leases are over; then somebody else tries those deliveries.
 *
 * @param options `signal`: from then on a unit that fails is given up.
 */
function outcomeRecorder(
  { db, clock }: Pick<Parts, 'db' | 'clock'>,
  { outage, signal }: { outage: Outage; signal: AbortSignal },
): Recorder {
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
        await db.write(outcomeWrites(group, { nowMs: clock.now(), engine: db.engine }))
        return outage.over()
      } catch (error) {
        const expired = group.every(({ claim }) => claim.leaseUntilMs <= clock.now())
        if (expired || signal.aborted) return undefined
        await outage.failed(error)
      }
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
