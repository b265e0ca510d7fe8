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
  /**
   * Corrects the clock: the first time at once, afterwards forward at once and back by running slower. Absent from clocks
   * that only a test moves.
   *
   * @returns How far this clock is still ahead of the time that the processes share, in milliseconds.
   */
  align?(sample: TimeSample): number
}

/** A sample of the time that the processes share, just taken. */
export interface TimeSample {
  /** The time that the processes share, in milliseconds since the Unix epoch. */
  sharedMs: number
  /** How far that is ahead of the database's own clock, in milliseconds. */
  aheadMs: number
  /** By how much `sharedMs` may be wrong either way. */
  uncertainMs: number
}

/** Node's longest timer; longer waits are split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** A clock that is ahead runs at half its speed until it is not, because it never goes back. */
const SLOWED_TO = 0.5
/** A correction that sleepers need not be woken for. */
const UNNOTICED_MS = 20

/** A machine's two clocks, in milliseconds: tests have others. */
export interface MachineClocks {
  /** Since the Unix epoch. May jump either way, when it is set. */
  wall: () => number
  /** Since any moment. Never jumps. */
  monotonic: () => number
}

/**
 * The machine's time at the start, from then on counted by its monotonic clock: setting the machine's clock changes
 * nothing here. `align` corrects it towards the time that all processes share, forward at once and back by running
 * slower.
 */
export function steadyClock(
  { wall, monotonic }: MachineClocks = { wall: Date.now, monotonic: () => performance.now() },
): Clock {
  let baseMs = wall()
  let baseAt = monotonic()
  /** Milliseconds still to be lost by running slower, counted from `baseAt`. */
  let toLoseMs = 0
  let aheadMs = 0
  let isFirst = true
  const sleepers = new Set<() => void>()
  const exact = () => {
    const elapsed = monotonic() - baseAt
    return baseMs + elapsed - Math.min(toLoseMs, elapsed * SLOWED_TO)
  }
  const now = () => Math.floor(exact())
  return {
    now,
    machineNow: () => now() - Math.round(aheadMs),
    async until(timeMs, signal) {
      while (!signal.aborted && now() < timeMs) {
        const woken = new AbortController()
        const wake = () => woken.abort('woken') // an explicit reason avoids creating an error, with its stack, each time
        sleepers.add(wake)
        signal.addEventListener('abort', wake)
        await timer(Math.min(timeMs - now(), LONGEST_TIMER_MS), woken.signal)
        signal.removeEventListener('abort', wake)
        sleepers.delete(wake)
      }
    },
    align(sample) {
      aheadMs = sample.aheadMs
      const currentMs = exact()
      const apartMs = sample.sharedMs - currentMs
      // A difference within the round trip is left alone, or small errors would add up.
      const sureMs = isFirst ? apartMs : Math.sign(apartMs) * Math.max(0, Math.abs(apartMs) - sample.uncertainMs)
      baseAt = monotonic()
      baseMs = isFirst || sureMs > 0 ? currentMs + sureMs : currentMs
      toLoseMs = isFirst ? 0 : Math.max(0, -sureMs)
      isFirst = false
      if (Math.abs(sureMs) > UNNOTICED_MS) for (const wake of sleepers) wake()
      return toLoseMs
    },
  }
}

/** The machine's own time, as it was when this process started and has gone on since. */
export const systemClock: Clock = steadyClock()

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
    ...(base.align && { align: base.align }),
    async until(timeMs, signal) {
      while (!signal.aborted && now() < timeMs) {
        const woken = new AbortController()
        const wake = () => woken.abort('woken')
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
