import type { Contract, EventLogQuery } from '@tillwright/contract'
import { ApiError, missing } from '../ambient/api-error.ts'
import type { Call, Handlers } from '../call.ts'
import { newestEvent, readLog, LOG_START, type LogPage } from './read-log.ts'
import { replayStatements } from './replay-event.ts'
import { wantsEvent } from './subscription.ts'
import { triggeredEvent } from './triggered-event.ts'

/** How often a request that waits looks for events: other processes have them too. */
const LOOK_EVERY_MS = 200

/**
 * Following events, trying them out and sending them again, beside the public API.
 *
 * @param stopping Ends the wait of whoever waits when the platform stops.
 */
export function eventLog(stopping: AbortSignal): Handlers<Contract['eventLog']> {
  return {
    list: async ({ query }, call) => ({ body: await nextPage(query, call, stopping) }),

    async trigger({ body }, call) {
      if (call.parts.environment === 'production') {
        throw new ApiError(
          'route_not_found',
          'Events cannot be triggered in production; use the development environment.',
        )
      }
      const { event, writes } = triggeredEvent(body, call)
      return { body: event, writes }
    },

    async replay({ params: { eventId } }, { parts: { db }, caller: { accountId }, nowMs }) {
      const key = [accountId, eventId]
      const [event] = await db.read('SELECT id FROM events WHERE account_id = ? AND id = ?', key)
      if (event === undefined) throw missing('event', eventId)
      const endpointIds = (await db.read(selectWanting, key)).map((row) => String(row['id']))
      return {
        body: { eventId, endpointIds },
        writes: replayStatements(db.engine, { accountId, eventId, endpointId: null }, nowMs),
      }
    },
  }
}

const selectWanting = `SELECT w.id FROM events e JOIN webhook_endpoints w ON ${wantsEvent}
  WHERE e.account_id = ? AND e.id = ? ORDER BY w.id`

/** The next page, as soon as there is an event on it or the wait is over. */
async function nextPage(query: EventLogQuery, call: Call, stopping: AbortSignal): Promise<LogPage> {
  const { parts, caller, nowMs } = call
  const position = {
    accountId: caller.accountId,
    after: await begin(query.after, call),
    limit: query.limit,
    types: query.types === undefined ? null : query.types.split(',').map((type) => type.trim()),
    drafts: query.drafts === 'true',
  }
  const untilMs = nowMs + query.waitSeconds * 1_000
  for (;;) {
    const page = await readLog(parts.db, position)
    const leftMs = untilMs - parts.clock.now()
    if (page.data.length > 0 || page.hasMore || leftMs <= 0 || stopping.aborted) return page
    await parts.clock.until(parts.clock.now() + Math.min(LOOK_EVERY_MS, leftMs), stopping)
  }
}

function begin(after: string | undefined, { parts, caller }: Call): Promise<string> | string {
  if (after === 'latest') return newestEvent(parts.db, caller.accountId)
  return after ?? LOG_START
}
