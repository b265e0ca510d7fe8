import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'

/** How a worker lives with a database that cannot serve. */
export interface Outage {
  /** Notes a failure, logs the first of an outage, and waits: 100 ms, then twice as long each time, up to 5 s. */
  failed(error: unknown): Promise<void>
  /** Notes that the database serves. */
  over(): void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/**
 * @param worker Names the worker in the log.
 * @param signal Ends a pause at once. Pauses go by the machine's time, because an outage takes no notice of a platform
 *   clock that stands still.
 */
export function outage(worker: string, log: Logger, signal: AbortSignal): Outage {
  let pauseMs = FIRST_PAUSE_MS
  let since: number | null = null
  return {
    async failed(error) {
      if (since === null) log.error({ err: error, worker }, 'the database does not serve a worker; it keeps trying')
      since ??= performance.now()
      const waitMs = pauseMs
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      await delay(waitMs, undefined, { signal }).catch(() => {}) // rejects only when aborted
    },
    over() {
      if (since === null) return
      log.info({ worker, afterMs: Math.round(performance.now() - since) }, 'the database serves the worker again')
      since = null
      pauseMs = FIRST_PAUSE_MS
    },
  }
}
