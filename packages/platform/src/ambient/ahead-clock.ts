import type { Clock } from './clock.ts'

/** A clock that runs with another one, and some time ahead of it. */
export interface AheadClock extends Clock {
  /** Jumps forward until it is so many milliseconds ahead, and wakes whoever waits for a moment that has come. Never back. */
  jumpTo(aheadMs: number): void
}

/** @param aheadMs How far ahead it is at first, in milliseconds, 0 or more. */
export function aheadClock(base: Clock, aheadMs: number): AheadClock {
  let ahead = aheadMs
  const sleepers = new Set<() => void>()
  const now = () => base.now() + ahead
  return {
    now,
    machineNow: base.machineNow,
    async until(timeMs, signal) {
      while (!signal.aborted && now() < timeMs) {
        const woken = new AbortController()
        const wake = () => woken.abort('woken') // without a reason an error would be made each time, with its stack
        sleepers.add(wake)
        signal.addEventListener('abort', wake)
        await base.until(timeMs - ahead, woken.signal)
        signal.removeEventListener('abort', wake)
        sleepers.delete(wake)
      }
    },
    jumpTo(wantedMs) {
      if (wantedMs <= ahead) return
      ahead = wantedMs
      for (const wake of sleepers) wake()
    },
  }
}
