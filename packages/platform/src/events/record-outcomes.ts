import type { Parts } from '../call.ts'
import type { Outcome } from './attempt-delivery.ts'
import type { Outage } from './outage.ts'
import { outcomeWrites } from './outcome-writes.ts'

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
export function outcomeRecorder(
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
