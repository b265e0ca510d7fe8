import type { Write } from '../../call.ts'

/**
 * Writes whose refusal means that somebody else was faster: the request is done again from what is there now, instead of
 * being answered with the error that they would have had.
 */
export function orAgain(writes: readonly Write[]): Write[] {
  return writes.map(({ otherwise: _, ...write }) => write)
}
