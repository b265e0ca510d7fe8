/** The platform's only source of time, so that tests and the local platform can freeze and advance it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /**
   * The machine's own time, for values that others check against their clocks. Equals `now()` unless this clock was
   * moved.
   */
  machineNow(): number
  /** Resolves when `now()` reaches `timeMs`, or immediately when `signal` is aborted. Never rejects. */
  until(timeMs: number, signal: AbortSignal): Promise<void>
}

/** Node's longest timer; longer waits are split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  machineNow: () => Date.now(),
  async until(timeMs, signal) {
    while (!signal.aborted && Date.now() < timeMs) {
      await timer(Math.min(timeMs - Date.now(), LONGEST_TIMER_MS), signal)
    }
  },
}

/** A clock that advances only when told to. */
export interface ManualClock extends Clock {
  /** Advances the time and resolves every wait that is now due. */
  advance(byMs: number): void
}

/** @param startMs Milliseconds since the Unix epoch. */
export function manualClock(startMs: number): ManualClock {
  let nowMs = startMs
  const waiting = new Set<{ timeMs: number; wake: () => void }>()
  return {
    now: () => nowMs,
    machineNow: () => nowMs,
    until(timeMs, signal) {
      if (signal.aborted || nowMs >= timeMs) return Promise.resolve()
      return new Promise((resolve) => {
        const waiter = { timeMs, wake: done }
        function done() {
          waiting.delete(waiter)
          signal.removeEventListener('abort', done)
          resolve()
        }
        signal.addEventListener('abort', done)
        waiting.add(waiter)
      })
    },
    advance(byMs) {
      nowMs += byMs
      for (const waiter of waiting) if (waiter.timeMs <= nowMs) waiter.wake()
    },
  }
}

function timer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const handle = setTimeout(done, ms)
    function done() {
      clearTimeout(handle)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}

/** A clock that runs ahead of another one. */
export interface AheadClock extends Clock {
  /**
   * Jumps to `aheadMs` milliseconds ahead of the base clock and resolves every wait that is now due. Never goes back.
   */
  jumpTo(aheadMs: number): void
}

/** @param aheadMs Initial offset in milliseconds, 0 or more. */
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
        const wake = () => woken.abort('woken') // an explicit reason avoids creating an error, with its stack, each time
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
