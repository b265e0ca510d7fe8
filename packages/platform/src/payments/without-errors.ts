import type { Write } from '../call.ts'

/**
 * Writes whose refusal has no error of its own: it means that somebody else was faster. A worker leaves it at that, and a
 * request is done again from what is there now.
 */
export function withoutErrors(writes: readonly Write[]): Write[] {
  return writes.map(({ otherwise: _, ...write }) => write)
}
