import { idsFrom } from '@tillwright/contract'
import type { Services } from '../request-context.ts'
import { type Database, DELETED_MAX, rowReader, type Statement } from '../storage/index.ts'
import { statisticsFoldsTable } from './tables.ts'

/** What is pruned, and until when. */
interface Pruning extends Pick<Services, 'db' | 'clock'> {
  /** Events from before that time go, in Unix milliseconds. */
  beforeMs: number
  /** When to leave the rest for later, in Unix milliseconds. */
  untilMs: number
}

/**
 * Deletes events whose time is over, with their deliveries: those that are counted in the statistics, and have no delivery that
 * is still to be made. Accounts take turns, so that one with many events does not hold up the others.
 */
export async function pruneEvents({ db, clock, beforeMs, untilMs }: Pruning): Promise<void> {
  const before = idsFrom('evt', beforeMs)
  for (;;) {
    let hasMore = false
    for (const old of readOld(await db.read(selectOld, [before]))) {
      if (clock.now() >= untilMs) return
      hasMore = (await pruneSome(old, before, db)) || hasMore
    }
    if (!hasMore) return
  }
}

const selectOld = `SELECT f.account_id, f.position FROM statistics_folds f WHERE (
    SELECT e.id FROM events e WHERE e.account_id = f.account_id AND e.id < ? AND e.id <= f.position
    ORDER BY e.id LIMIT 1) IS NOT NULL`
const readOld = rowReader(statisticsFoldsTable)

/** @returns Whether there may be more of the account. */
async function pruneSome(
  { account_id: accountId, position }: { account_id: string; position: string },
  before: string,
  db: Database,
): Promise<boolean> {
  const params = [accountId, accountId, before, position]
  const statements: Statement[] = [
    { sql: deleteDeliveries, params },
    { sql: deleteEvents, params },
  ]
  const pruned = await db.write(statements)
  return pruned.outcome === 'committed' && pruned.returned.some((rows) => rows.length >= DELETED_MAX)
}

const deleteDeliveries = `DELETE FROM webhook_deliveries WHERE account_id = ? AND (event_id, endpoint_id) IN (
    SELECT event_id, endpoint_id FROM webhook_deliveries
    WHERE account_id = ? AND event_id < ? AND event_id <= ? AND state <> 'pending'
    ORDER BY event_id LIMIT ${DELETED_MAX})
  AND state <> 'pending' RETURNING 1 AS deleted`

const deleteEvents = `DELETE FROM events WHERE account_id = ? AND id IN (
    SELECT e.id FROM events e
    WHERE e.account_id = ? AND e.id < ? AND e.id <= ? AND NOT EXISTS (
      SELECT 1 FROM webhook_deliveries d WHERE d.account_id = e.account_id AND d.event_id = e.id)
    ORDER BY e.id LIMIT ${DELETED_MAX})
  RETURNING 1 AS deleted`
