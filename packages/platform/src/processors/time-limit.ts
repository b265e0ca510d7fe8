import type { Clock } from '../runtime/index.ts'
import { type AttemptFacts, type AuthorisationOutcome, notBegun } from './authorisation.ts'

const SECOND_MS = 1_000

/** A request that carries an attempt has its answer by then, repetitions included, or is given up. */
export const REQUEST_MS = 25 * SECOND_MS
/** An attempt that has waited for so long since it was put on record is not sent any more. */
export const SENT_WITHIN_MS = 60 * SECOND_MS
/** After that no request with the attempt is on its way any more, whatever clocks say. */
export const GONE_AFTER_MS = SENT_WITHIN_MS + REQUEST_MS + 60 * SECOND_MS

/** Sends an attempt, unless it has waited for too long. */
export async function sentInTime(
  { startedAtMs }: Pick<AttemptFacts, 'startedAtMs'>,
  clock: Clock,
  send: () => Promise<AuthorisationOutcome>,
): Promise<AuthorisationOutcome> {
  return clock.now() - startedAtMs > SENT_WITHIN_MS ? notBegun('The attempt has waited for too long.') : send()
}

/**
 * Does something that ends when its time is over. The timer is held here: a signal of `AbortSignal.timeout` that only a
 * request knows may be collected with it, and then the request is never cut off.
 */
export async function withinTime<Result>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
  }
}
