import { setTimeout as delay } from 'node:timers/promises'
import { ProcessorError } from './processor-error.ts'

/** The first pause; each later one is twice as long. */
const PAUSE_MS = 500
/** No repetition begins later than this after the first request, because a buyer waits for the answer. */
const REPEATED_FOR_MS = 2_000

/**
 * Sends a request that has an idempotency key, and sends it again as long as its outcome is unknown.
 *
 * @param send Sends it once, with a time limit of its own.
 * @throws {ProcessorError} The answer to the last request; if that was turned away unread, the failure of the one before.
 */
export async function repeatUnderKey<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  const lastStartMs = performance.now() + REPEATED_FOR_MS
  let unknown: ProcessorError | null = null
  for (let pauseMs = PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ProcessorError)) throw error
      if (unknown !== null && isTurnedAway(error)) throw unknown
      if (!error.isUncertain || performance.now() + pauseMs > lastStartMs) throw error
      unknown = error
      await delay(pauseMs)
    }
  }
}

/** Whether a repetition was refused before it was read, so that it says nothing about the request before it. */
function isTurnedAway({ status }: ProcessorError): boolean {
  return status === 401 || status === 403 || status === 429
}
