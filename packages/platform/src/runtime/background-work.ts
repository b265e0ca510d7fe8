import type { Clock } from './clock.ts'

/** A task that runs repeatedly in the background. */
export interface Work {
  clock: Clock
  /** Pause between two runs, in milliseconds. */
  everyMs: number
  /** One run; `stopping` is aborted when the worker should end. */
  look: (stopping: AbortSignal) => Promise<void>
  /** Whether this process may do it now: only a member of the cluster. Always unless given. */
  leads?: () => boolean
  /** Registers what ends a pause early; returns what unregisters it. */
  onWake?: (wake: () => void) => () => void
  /** Called when a run has come to its end. */
  onDone?: () => void
  /** Called when a run fails; the next run is unaffected. */
  onError: (error: unknown) => void
}

/**
 * Starts a worker, which runs for the first time immediately.
 *
 * @returns Stops the worker; resolves once it has stopped.
 */
export function startWorker({
  clock,
  everyMs,
  look,
  onError,
  onDone,
  leads = () => true,
  onWake,
}: Work): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  let pause = new AbortController()
  const wake = () => pause.abort('woken')
  const unregister = onWake?.(wake)
  signal.addEventListener('abort', wake)
  const done = run()
  return () => {
    stopping.abort()
    unregister?.()
    return done
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      pause = new AbortController()
      if (leads()) await look(signal).then(onDone, onError)
      if (!signal.aborted) await clock.until(clock.now() + everyMs, pause.signal)
    }
  }
}
