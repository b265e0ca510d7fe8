import type { Clock } from './clock.ts'
import { OperatorError } from './errors.ts'

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
  /** Called when a run has not failed. */
  onOver?: () => void
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
  onOver,
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

  function finished(): void {
    onDone?.()
    onOver?.()
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      pause = new AbortController()
      if (leads()) await look(signal).then(finished, onError)
      if (!signal.aborted) await clock.until(clock.now() + everyMs, pause.signal)
    }
  }
}

type Say = (facts: object, message: string) => void

/** Where failures are told. */
interface FailureLog {
  info: Say
  error: Say
}

/** A log for failures that nobody has to get up for. */
export function asWarnings(log: { info: Say; warn: Say }): FailureLog {
  return { info: (facts, message) => log.info(facts, message), error: (facts, message) => log.warn(facts, message) }
}

/** What a worker says of its failures. */
export interface Failures {
  onError: (error: unknown) => void
  onOver: () => void
}

/**
 * Tells of failures so that an outage does not fill the log: of those that come of something outside, such as a database
 * that is away, the first, without a stack, and when it is over. Every other one is a bug, and has its stack.
 *
 * @param options `worker`: its name in the log. `message`: what could not be done.
 */
export function failuresOf(log: FailureLog, { worker, message }: { worker: string; message: string }): Failures {
  let outage: { kind: string; sinceMs: number } | null = null
  return {
    onError(error) {
      if (!(error instanceof OperatorError)) return log.error({ err: error, worker }, message)
      if (outage?.kind === error.name) return
      outage = { kind: error.name, sinceMs: outage?.sinceMs ?? performance.now() }
      log.error({ kind: error.name, reason: error.message, worker }, message)
    },
    onOver() {
      if (outage === null) return
      log.info({ worker, afterMs: Math.round(performance.now() - outage.sinceMs) }, 'the worker is at work again')
      outage = null
    },
  }
}
