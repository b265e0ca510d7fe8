import type { Clock } from './clock.ts'

/** A task that a worker repeats. */
export interface Work {
  clock: Clock
  /** Pause between two runs. */
  everyMs: number
  /** One look; `stopping` is aborted when the worker is to end. */
  look: (stopping: AbortSignal) => Promise<void>
  /** Is told of a look that failed; the next one follows all the same. */
  onError: (error: unknown) => void
}

/**
 * Starts a worker, whose first look is at once.
 *
 * @returns Stops it; resolves when it has.
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
