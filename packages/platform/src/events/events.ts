import type { contract } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Handlers } from '../call.ts'
import { joinedColumns, joinedEvent, joinedTables, type JoinedRow } from './joined-event.ts'
import { readCounts, type TypeCount } from './read-counts.ts'

/** Reading events and counting them. */
export const events: Handlers<typeof contract.events> = {
  async get({ params: { eventId } }, { parts, caller }) {
    const [row] = await parts.db.read(selectEvent, [caller.accountId, eventId])
    if (row === undefined) throw missing('event', eventId)
    return { body: joinedEvent(row as JoinedRow) } // the columns of `selectEvent`
  },

  async statistics({ body }, { parts, caller }) {
    const counts = (await readCounts(body, caller.accountId, parts.db)).toSorted(byCount)
    const totalEvents = counts.reduce((sum, { total }) => sum + total, 0)
    const processedCount = counts.reduce((sum, { processed }) => sum + processed, 0)
    const eventsByType = counts.map(({ eventType, total: count }) => ({ eventType, count }))
    return { body: { totalEvents, eventsByType, processedCount, unprocessedCount: totalEvents - processedCount } }
  },
}

/** The most frequent first, then by name. */
function byCount(a: TypeCount, b: TypeCount): number {
  return b.total - a.total || (a.eventType < b.eventType ? -1 : 1)
}

const selectEvent = `SELECT ${joinedColumns} FROM ${joinedTables} WHERE e.account_id = ? AND e.id = ?`
