import type { Event } from '@tillwright/contract'
import { eventColumns, eventFromRow, type EventRow } from './event-row.ts'

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
