import type { Circuits } from '../cluster/index.ts'
import type { Clock } from '../runtime/index.ts'

/** After how many technical failures in a row a processor is left alone. */
const FAILURES_MAX = 5
/** For how long, before the next payment tries it again. One more failure leaves it alone for as long once more. */
const OPEN_MS = 30_000

/**
 * Keeps payments away from processors that do not work: those that did not answer, or refused for a technical reason,
 * several times in a row. Each process has its own, which is why it learns without a write.
 */
export interface CircuitBreaker {
  /** Whether the processor answered at all, be it with a decline. */
  note(processorId: string, worked: boolean): void
  /** The processors that are left alone now. */
  open(): ReadonlySet<string>
  /** Processors whose circuit is open, or half open so that the next payment tries them. */
  tripped(): Circuits
}

/** Whether a processor is left alone, by how it has failed. Source: M. Nygard, "Release It!", "Circuit Breaker". */
export type CircuitState = 'closed' | 'half_open' | 'open'

export function circuitState({ failures, lastMs }: Circuits[string], nowMs: number): CircuitState {
  if (failures < FAILURES_MAX) return 'closed'
  return nowMs < openUntilMs({ lastMs }) ? 'open' : 'half_open'
}

/** When the next payment tries a processor again that was left alone, in Unix milliseconds. */
export function openUntilMs({ lastMs }: Pick<Circuits[string], 'lastMs'>): number {
  return lastMs + OPEN_MS
}

export function circuitBreaker(clock: Pick<Clock, 'now'>): CircuitBreaker {
  const failing = new Map<string, { failures: number; lastMs: number }>()
  return {
    note(processorId, worked) {
      if (worked) failing.delete(processorId)
      else failing.set(processorId, { failures: (failing.get(processorId)?.failures ?? 0) + 1, lastMs: clock.now() })
    },
    open() {
      const isOpen = ([, circuit]: readonly [string, Circuits[string]]) => circuitState(circuit, clock.now()) === 'open'
      return new Set([...failing].filter(isOpen).map(([processorId]) => processorId))
    },
    tripped: () => Object.fromEntries([...failing].filter(([, { failures }]) => failures >= FAILURES_MAX)),
  }
}
