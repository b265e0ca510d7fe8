import type { Event } from '@tillwright/contract'

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
