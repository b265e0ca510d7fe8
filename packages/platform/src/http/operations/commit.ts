import type { Services, Write } from '../../request-context.ts'
import type { Row, Statement } from '../../storage/index.ts'

/**
 * A transaction was refused by a guard that has no error of its own: another request was faster. Read again and try
 * again.
 */
export class LostRace extends Error {}

/**
 * Commits writes as one transaction. Resolves when they are on disk.
 *
 * @returns The rows that each write has returned.
 * @throws {ApiError} That of the refused write's `onRefused`.
 * @throws {LostRace} When the refused write has none.
 */
export async function commit(
  writes: readonly Write[],
  { db }: Pick<Services, 'db'>,
): Promise<readonly (readonly Row[])[]> {
  if (writes.length === 0) return []
  const outcome = await db.write(writes.map(toStatement))
  if (outcome.outcome === 'committed') return outcome.returned
  throw (await writes[outcome.statement]?.onRefused?.(outcome.reason)) ?? new LostRace()
}

/** A write without its function, which could not be sent to the engine's worker. */
function toStatement({ sql, params, expect, shared }: Write): Statement {
  if (shared) return { sql, params, shared }
  return expect === undefined ? { sql, params } : { sql, params, expect }
}
