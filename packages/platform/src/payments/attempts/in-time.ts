import type { Parts } from '../../call.ts'

/** No clear answer: what was asked for may or may not have happened. */
export interface Unknown {
  outcome: 'unknown'
}

const unknown: Unknown = { outcome: 'unknown' }

/** How long a processor may take before its answer counts as unknown: well under the lease of a payment. */
const PROCESSOR_TIMEOUT_MS = 30_000

/**
 * Waits for a processor. One that does not answer in time, or not clearly, leaves the outcome unknown.
 *
 * @param about What the log says of it: the ids.
 */
export async function inTime<Outcome>(
  ask: () => Promise<Outcome>,
  about: Readonly<Record<string, string>>,
  { clock, log }: Pick<Parts, 'clock' | 'log'>,
): Promise<Outcome | Unknown> {
  const answered = new AbortController()
  const tooLate = clock.until(clock.now() + PROCESSOR_TIMEOUT_MS, answered.signal).then(() => unknown)
  try {
    return await Promise.race([ask(), tooLate])
  } catch (error) {
    log.error({ err: error, ...about }, 'a processor gave no answer; the payment stays as it is until it does')
    return unknown
  } finally {
    answered.abort('answered') // without a reason an error would be made each time, with its stack
  }
}
