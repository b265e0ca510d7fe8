import { useRef, useState } from 'preact/hooks'
import { ApiFailure } from './client.ts'
import { askWhoIsHere, changed } from './query.ts'

/** A change that a reader of the page makes. */
export interface Change<Input> {
  /** Makes it; resolves to whether it was made. */
  run: (input: Input) => Promise<boolean>
  isRunning: boolean
  /** Why the last one was refused; `null` after one that was made. */
  failure: ApiFailure | null
  reset: () => void
  /** The beginnings of the names of operations that read what it changes. */
  affects: readonly string[]
}

/**
 * A change with its state. One at a time: a second click while it runs does nothing. An attempt whose outcome is not known
 * is repeated under the same `Idempotency-Key`, so that it is never made twice, and what it may have changed is read again.
 *
 * @param work Makes the change.
 * @param affects See {@link Change.affects}.
 */
export function useChange<Input>(
  work: (input: Input, options: { idempotencyKey: string }) => Promise<unknown>,
  affects: readonly string[],
): Change<Input> {
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const attempt = useRef<{ body: string; key: string } | null>(null)
  const run = async (input: Input) => {
    if (isRunning) return false
    const body = JSON.stringify(input)
    if (attempt.current?.body !== body) attempt.current = { body, key: crypto.randomUUID() }
    setRunning(true)
    setFailure(null)
    try {
      await work(input, { idempotencyKey: attempt.current.key })
      attempt.current = null
      await changed(...affects)
      return true
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      if (isUndecided(error)) void changed(...affects)
      else attempt.current = null
      askWhoIsHere(error)
      setFailure(error)
      return false
    } finally {
      setRunning(false)
    }
  }
  return { run, isRunning, failure, reset: () => setFailure(null), affects }
}

/**
 * Whether a change may have been made although it failed: there was no answer, or one of something between the page and the
 * platform, or the platform was still at work. Any other answer ends the attempt: what is sent next is another one.
 */
export function isUndecided({ status, code }: ApiFailure): boolean {
  return status === 0 || status >= 500 || code === 'idempotency_key_in_use'
}
