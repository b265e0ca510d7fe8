import type { contract, Event } from '@tillwright/contract'
import type { Handlers } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { nullable, pick, type RowOf, rowReader, text } from '../storage/index.ts'
import { readCounts, type TypeCount } from './counts.ts'
import { eventsTable } from './tables.ts'

/** An event without what it is about: as webhooks carry it. */
export type BareEvent = Omit<Event, 'customer' | 'store'>

/** The columns of `events` by the names of `EventRow`, for a query that calls the table `e`. */
export const eventColumns = `e.account_id AS event_account_id, e.id AS event_id, e.store_id, e.customer_id,
  e.event_type, e.properties, e.draft, e.created_at, e.processed_at`

/** The row that `eventColumns` selects. */
export const eventRow = {
  event_account_id: eventsTable.account_id,
  event_id: eventsTable.id,
  ...pick(eventsTable, 'store_id', 'customer_id', 'event_type', 'properties', 'draft', 'created_at', 'processed_at'),
}

/** Reads an event from its row. */
export function eventFromRow(row: RowOf<typeof eventRow>): BareEvent {
  return {
    id: row.event_id,
    accountId: row.event_account_id,
    ...(row.store_id !== null && { storeId: row.store_id }),
    ...(row.customer_id !== null && { customerId: row.customer_id }),
    eventType: row.event_type,
    properties: row.properties,
    draft: row.draft,
    ...(row.processed_at !== null && { processedAt: new Date(row.processed_at).toISOString() }),
    createdAt: new Date(row.created_at).toISOString(),
  }
}

/** The columns that `readJoinedEvents` reads, from `joinedTables`. */
export const joinedColumns = `${eventColumns}, c.email, c.first_name, c.last_name, s.name AS store_name`

/** Events, aliased `e`, joined with their customer and store. */
export const joinedTables = `events e
  LEFT JOIN customers c ON c.account_id = e.account_id AND c.id = e.customer_id
  LEFT JOIN stores s ON s.account_id = e.account_id AND s.id = e.store_id`

const joinedRow = {
  ...eventRow,
  email: nullable(text),
  first_name: nullable(text),
  last_name: nullable(text),
  store_name: nullable(text),
}

/** Reads what `joinedColumns` selects. */
export function readJoinedEvents(rows: Parameters<typeof readJoinedRows>[0]): Event[] {
  return readJoinedRows(rows).map(joinedEvent)
}

const readJoinedRows = rowReader(joinedRow)

/** An event with its customer and store. One that no longer exists is left out, though the event still names it. */
function joinedEvent(row: RowOf<typeof joinedRow>): Event {
  const event = eventFromRow(row)
  const { customerId, storeId } = event
  const { email, first_name: firstName, last_name: lastName, store_name: name } = row
  const gone = customerId === undefined || email === null || firstName === null || lastName === null
  return {
    ...event,
    ...(!gone && { customer: { id: customerId, email, firstName, lastName } }),
    ...(storeId !== undefined && name !== null && { store: { id: storeId, name } }),
  }
}

/** Reading events and counting them. */
export const events: Handlers<typeof contract.events> = {
  async get({ params: { eventId } }, { services, caller }) {
    const [event] = readJoinedEvents(await services.db.read(selectEvent, [caller.accountId, eventId]))
    if (event === undefined) throw missing('event', eventId, 'eventId')
    return { body: event }
  },

  async statistics({ body }, { services, caller }) {
    const counts = (await readCounts(body, caller.accountId, services.db)).toSorted(byCount)
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
