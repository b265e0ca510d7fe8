import type { Event } from '@tillwright/contract'
import { forward, type Receipt, type Receiver } from './forward.ts'

/** Pauses between two tries to reach a receiver that is away; the last one from then on. */
const PAUSES_MS = [250, 500, 1_000, 2_000]

/** How an event is brought to its receiver. */
export interface Delivering {
  signal: AbortSignal
  /** Is told why the receiver cannot be reached, once until it can again; `null` when it can again. */
  outage: (reason: string | null) => void
  /** Resolves after the time; rejects when the signal is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Sends an event to a receiver until that is there to take it. Whatever it answers, also an error, is an answer.
 *
 * @throws The reason of the signal.
 */
export async function deliver(event: Event, receiver: Receiver, delivering: Delivering): Promise<Receipt> {
  const { signal, outage, sleep } = delivering
  for (let tries = 0; ; tries++) {
    const outcome = await forward(event, receiver, signal)
    if (!('away' in outcome)) {
      if (tries > 0) outage(null)
      return outcome
    }
    if (tries === 0) outage(outcome.away)
    await sleep(PAUSES_MS[tries] ?? PAUSES_MS.at(-1) ?? 0, signal)
  }
}
