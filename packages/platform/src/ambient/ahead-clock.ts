import type { Clock } from './clock.ts'

/** A clock that runs with another one, and some time ahead of it. */
export interface AheadClock extends Clock {
  /** Jumps forward until it is so many milliseconds ahead, and wakes whoever waits for a moment that has come. Never back. */
  jumpTo(aheadMs: number): void
}

/** @param aheadMs How far ahead it is at first, in milliseconds, 0 or more. */
export function aheadClock(base: Clock, aheadMs: number): AheadClock {
  let ahead = aheadMs
  let jump = new AbortController()
  const now = () => base.now() + ahead
  return {
    now,
    machineNow: base.machineNow,
    async until(timeMs, signal) {
      while (!signal.aborted && now() < timeMs) {
        await base.until(timeMs - ahead, AbortSignal.any([signal, jump.signal]))
      }
    },
    jumpTo(wantedMs) {
      if (wantedMs <= ahead) return
      ahead = wantedMs
      const before = jump
      jump = new AbortController()
      before.abort()
    },
  }
}
