import type { contract, Event, StatisticsFilter } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Handlers } from '../call.ts'
import type { Value } from '../storage/database.ts'
import { eventColumns, eventFromRow, type EventRow } from './event-row.ts'

/** Reading events and counting them. */
export const events: Handlers<typeof contract.events> = {
  async get({ params: { eventId } }, { parts, caller }) {
    const [row] = await parts.db.read(selectEvent, [caller.accountId, eventId])
    if (row === undefined) throw missing('event', eventId)
    return { body: joinedEvent(row as JoinedRow) } // the columns of `selectEvent`
  },

  async statistics({ body }, { parts, caller }) {
    const rows = await parts.db.read(selectCounts, [caller.accountId, ...filterParams(body)])
    const counts = (rows as readonly CountRow[]).filter(isOfType(body.eventType)) // the columns of `selectCounts`
    const totalEvents = counts.reduce((sum, { count }) => sum + count, 0)
    const processedCount = counts.reduce((sum, { processed }) => sum + processed, 0)
    const eventsByType = counts.map(({ event_type: eventType, count }) => ({ eventType, count }))
    eventsByType.sort((a, b) => b.count - a.count || (a.eventType < b.eventType ? -1 : 1))
    return { body: { totalEvents, eventsByType, processedCount, unprocessedCount: totalEvents - processedCount } }
  },
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

/** A filter that was left out lets everything pass. */
const selectCounts = `SELECT event_type, count(*) AS count, count(processed_at) AS processed FROM events
  WHERE account_id = ? AND (CAST(? AS TEXT) IS NULL OR store_id = ?) AND (CAST(? AS TEXT) IS NULL OR customer_id = ?)
    AND created_at >= ? AND created_at < ? AND draft BETWEEN ? AND ?
  GROUP BY event_type`

type CountRow = {
  event_type: string
  count: number
  processed: number
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

function filterParams({ storeId, customerId, from, to, draft }: StatisticsFilter): Value[] {
  const store = storeId ?? null
  const customer = customerId ?? null
  const fromMs = from === undefined ? 0 : Date.parse(from)
  const toMs = to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to)
  return [store, store, customer, customer, fromMs, toMs, Number(draft ?? false), Number(draft ?? true)]
}

/** The counts come by type, so the types are picked from them: their number varies, a statement's text must not. */
function isOfType(eventType: StatisticsFilter['eventType']): (row: CountRow) => boolean {
  if (eventType === undefined) return () => true
  const types = typeof eventType === 'string' ? [eventType] : eventType
  return (row) => types.includes(row.event_type)
}
