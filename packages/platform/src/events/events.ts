import type { contract, Event } from '@tillwright/contract'
import type { Handlers } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { readCounts, type TypeCount } from './counts.ts'

/** An event without what it is about: as webhooks carry it. */
export type BareEvent = Omit<Event, 'customer' | 'store'>

/** The columns of `events` by the names of `EventRow`, for a query that calls the table `e`. */
export const eventColumns = `e.account_id AS event_account_id, e.id AS event_id, e.store_id, e.customer_id,
  e.event_type, e.properties, e.draft, e.created_at, e.processed_at`

/** What `eventColumns` selects. */
export type EventRow = {
  event_account_id: string
  event_id: string
  store_id: string | null
  customer_id: string | null
  event_type: string
  properties: string
  draft: number
  created_at: number
  processed_at: number | null
}

/** Reads an event from its row. */
export function eventFromRow(row: EventRow): BareEvent {
  return {
    id: row.event_id,
    accountId: row.event_account_id,
    storeId: row.store_id,
    customerId: row.customer_id,
    eventType: row.event_type,
    properties: JSON.parse(row.properties),
    draft: row.draft === 1,
    processedAt: row.processed_at === null ? null : new Date(row.processed_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** What `joinedEvent` reads, from `joinedTables`. */
export const joinedColumns = `${eventColumns}, c.email, c.first_name, c.last_name, s.name AS store_name`

/** Events, as `e`, with whom and what they are about. */
export const joinedTables = `events e
  LEFT JOIN customers c ON c.account_id = e.account_id AND c.id = e.customer_id
  LEFT JOIN stores s ON s.account_id = e.account_id AND s.id = e.store_id`

/** What `joinedColumns` selects. */
export type JoinedRow = EventRow & {
  email: string | null
  first_name: string | null
  last_name: string | null
  store_name: string | null
}

/** An event with its customer and store. A store or customer that no longer exists is `null`, though the event still names it. */
export function joinedEvent(row: JoinedRow): Event {
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
