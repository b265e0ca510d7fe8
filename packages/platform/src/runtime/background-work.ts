import type { Clock } from './clock.ts'

/** A task that runs repeatedly in the background. */
export interface Work {
  clock: Clock
  /** Pause between two runs, in milliseconds. */
  everyMs: number
  /** One run; `stopping` is aborted when the worker should end. */
  look: (stopping: AbortSignal) => Promise<void>
  /** Called when a run fails; the next run is unaffected. */
  onError: (error: unknown) => void
}

/**
 * Starts a worker, which runs for the first time immediately.
 *
 * @returns Stops the worker; resolves once it has stopped.
 */
export function startWorker({ clock, everyMs, look, onError }: Work): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const done = run()
  return () => {
    stopping.abort()
    return done
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await look(signal).catch(onError)
      await clock.until(clock.now() + everyMs, signal)
    }
  }
}
