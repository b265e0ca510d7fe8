import type { contract, Event } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Handlers } from '../call.ts'
import { eventColumns, eventFromRow, type EventRow } from './event-row.ts'
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

const selectEvent = `SELECT ${eventColumns}, c.email, c.first_name, c.last_name, s.name AS store_name
  FROM events e
  LEFT JOIN customers c ON c.account_id = e.account_id AND c.id = e.customer_id
  LEFT JOIN stores s ON s.account_id = e.account_id AND s.id = e.store_id
  WHERE e.account_id = ? AND e.id = ?`

type JoinedRow = EventRow & {
  email: string | null
  first_name: string | null
  last_name: string | null
  store_name: string | null
}

/** A store or customer that no longer exists is `null`, though the event still names it. */
function joinedEvent(row: JoinedRow): Event {
  const event = eventFromRow(row)
  const { customerId, storeId } = event
  const { email, first_name: firstName, last_name: lastName, store_name: name } = row
  const gone = customerId === null || email === null || firstName === null || lastName === null
  return {
    ...event,
    customer: gone ? null : { id: customerId, email, firstName, lastName },
    store: storeId === null || name === null ? null : { id: storeId, name },
  }
}
