import type { Client } from '@tillwright/client'
import type { Event, FunnelSession } from '@tillwright/contract'

/** As many as the platform gives at once. */
const PAGE = 100
/** The most pages that are read in one go. On a platform that many use, the rest follows the next time. */
const PAGES_MAX = 10
/**
 * Of requests at the same time an event may come to stand before one that was read already, so that what was read within this
 * time is read again.
 */
const OVERLAP_MS = 60_000

/** The events of one session, as far as they were read. */
export interface SessionEvents {
  session: FunnelSession
  /** By their ids, which sort by time. */
  known: Map<string, Event>
  /** The events behind this one are read next. */
  after: string
}

/** The beginning of a session's events. Ids begin with their time, in eight characters that all kinds of ids have alike. */
export function eventsOf(session: FunnelSession): SessionEvents {
  const after = `evt_${session.sessionId.slice('fsn_'.length, 'fsn_'.length + 8)}`
  return { session, known: new Map(), after }
}

/**
 * Reads what has happened in a session since the last time.
 *
 * @throws {TillwrightError} Where the key may not read events: it takes the role org:admin.
 */
export async function readSessionEvents(events: SessionEvents, { eventLog }: Pick<Client, 'eventLog'>): Promise<void> {
  let { after } = events
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await eventLog.list({ after, limit: PAGE, drafts: 'true' })
    for (const event of page.data) {
      if (isOfSession(event, events.session)) events.known.set(event.id, event)
      if (Date.now() - Date.parse(event.createdAt) > OVERLAP_MS) events.after = event.id
    }
    after = page.nextCursor
    if (!page.hasMore) return
  }
}

/** A preview has a customer of its own, so that whatever happens to this customer happens in the session. */
export function isOfSession(event: Event, { customerId, originalCustomerId }: FunnelSession): boolean {
  return event.customerId === customerId || event.customerId === originalCustomerId
}
