import type { Driver } from '../../src/processors/driver.ts'
import { manualClock } from '../../src/runtime/clock.ts'
import { newAuthorisation } from './new-authorisation.ts'

/** A driver's clock, which begins when new attempts do, and can be put forward: for all, or for one attempt alone. */
export type LateClock = ReturnType<typeof lateClock>

/** Starts one. */
export function lateClock() {
  const clock = manualClock(newAuthorisation().startedAtMs)
  return { ...clock, forward: (ms: number) => clock.advance(ms) }
}

/** Longer than any driver waits for an attempt that nothing is heard of. */
const LONG_MS = 2 * 60 * 60 * 1_000

/**
 * A driver that is asked again for as long as it does not know: first when what is on its way has arrived, then when the
 * time after which it has to say something is over. Attempts that were given up by then stay as old as that.
 */
export function answeringLate(driver: Driver, clock: LateClock): Driver {
  const old = new Set<string>()
  const underWay = new Set<Promise<unknown>>()
  async function aged<Outcome>(attemptId: string, ask: () => Promise<Outcome>): Promise<Outcome> {
    if (!old.has(attemptId)) return ask()
    clock.advance(LONG_MS)
    return ask().finally(() => clock.advance(-LONG_MS))
  }
  return {
    ...driver,
    authorise(authorisation) {
      const sent = aged(authorisation.attemptId, () => driver.authorise(authorisation))
      underWay.add(sent)
      return sent.finally(() => underWay.delete(sent))
    },
    async query(query) {
      if (query.reference !== null) return driver.query(query) // a buyer is waited for, which takes its time
      await Promise.allSettled(underWay)
      for (let asked = 0; asked < 3; asked++) {
        const outcome = await aged(query.attemptId, () => driver.query(query))
        if (outcome.outcome !== 'not_known_yet') return outcome
        old.add(query.attemptId)
      }
      return driver.query(query)
    },
  }
}
