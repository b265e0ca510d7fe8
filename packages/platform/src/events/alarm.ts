import type { Clock } from '../ambient/clock.ts'

/** What a worker sleeps by. */
export interface Alarm {
  /** Ends the sleep, or the next one if there is none. Costs next to nothing, however often it is called. */
  ring(): void
  /** Resolves when the time has come or the alarm has rung since the last sleep ended. One sleeper at a time. */
  sleepUntil(timeMs: number): Promise<void>
}

/** An alarm that has not rung. */
export function alarm(clock: Clock): Alarm {
  let rung = false
  let sleep: AbortController | null = null
  return {
    ring() {
      rung = true
      sleep?.abort()
    },
    async sleepUntil(timeMs) {
      if (!rung) {
        sleep = new AbortController()
        await clock.until(timeMs, sleep.signal)
        sleep = null
      }
      rung = false
    },
  }
}
