import {
  type Contract,
  type EventLogQuery,
  type EventProperties,
  type EventTrigger,
  eventTypes,
  exampleProperties,
  type TriggeredEvent,
} from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import { ruleMessage } from '@tillwright/contract/rule-messages'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { pick, rowReader } from '../storage/index.ts'
import { emit, wantsEvent } from './emit.ts'
import { openStream } from './event-stream.ts'
import type { LiveEvents } from './live-events.ts'
import { begin, filtersOf, type LogPage, readLog } from './read-log.ts'
import { replayStatements } from './replays.ts'
import { webhookEndpointsTable } from './tables.ts'

/** How often a request that waits looks for events: other processes have them too. */
const LOOK_EVERY_MS = 200

/**
 * Handlers that follow, trigger and replay events, outside the public API.
 *
 * @param stopping Aborts waiting requests when the platform stops.
 * @param live Where streams get new events from.
 */
export function eventLog(stopping: AbortSignal, live: LiveEvents): Handlers<Contract['eventLog']> {
  return {
    list: async ({ query }, context) => ({ body: await nextPage(query, context, stopping) }),

    stream: async ({ query }, context) => ({ rawJson: '{}', messages: await openStream(query, context, live) }),

    async trigger({ body }, context) {
      if (context.services.environment === 'production') {
        throw new ApiError(
          'route_not_found',
          'Events cannot be triggered in production; use the development environment.',
        )
      }
      const { event, writes } = triggeredEvent(body, context)
      return { body: event, writes }
    },

    async replay({ params: { eventId } }, { services: { db }, caller: { accountId }, nowMs }) {
      const key = [accountId, eventId]
      const [event] = await db.read('SELECT id FROM events WHERE account_id = ? AND id = ?', key)
      if (event === undefined) throw missing('event', eventId, 'eventId')
      const endpointIds = readEndpointIds(await db.read(selectWanting, key)).map(({ id }) => id)
      return {
        body: { eventId, endpointIds },
        writes: replayStatements(db.engine, { accountId, eventId, endpointId: null }, nowMs),
      }
    },
  }
}

const selectWanting = `SELECT w.id FROM events e JOIN webhook_endpoints w ON ${wantsEvent}
  WHERE e.account_id = ? AND e.id = ? ORDER BY w.id`
const readEndpointIds = rowReader(pick(webhookEndpointsTable, 'id'))

/** The next page, as soon as there is an event on it or the wait is over. */
async function nextPage(query: EventLogQuery, context: RequestContext, stopping: AbortSignal): Promise<LogPage> {
  const { services, caller, nowMs } = context
  const position = {
    accountId: caller.accountId,
    after: await begin(query.after, context),
    limit: query.limit,
    ...filtersOf(query),
  }
  const untilMs = nowMs + query.waitSeconds * 1_000
  for (;;) {
    const page = await readLog(services.db, position)
    const leftMs = untilMs - services.clock.now()
    if (page.data.length > 0 || page.hasMore || leftMs <= 0 || stopping.aborted) return page
    await services.clock.until(services.clock.now() + Math.min(LOOK_EVERY_MS, leftMs), stopping)
  }
}

/**
 * A draft event of the type, whose properties are the type's example with the given ones put over it.
 *
 * @throws {ApiError} For a property that the type does not have, or a value that it cannot have.
 */
function triggeredEvent(
  { eventType, properties = {} }: EventTrigger,
  context: RequestContext,
): { event: TriggeredEvent; writes: Write[] } {
  const checkedProperties = checked(eventType, overlaid(exampleProperties(eventType), properties))
  const id = context.newId('evt')
  const createdAt = new Date(context.nowMs).toISOString()
  const event = {
    id,
    accountId: context.caller.accountId,
    eventType,
    properties: checkedProperties,
    draft: true,
    createdAt,
  }
  return {
    event,
    writes: emit(eventType, { properties: checkedProperties, draft: true }, { ...context, newId: () => id }),
  }
}

/** Objects are put over objects name by name; anything else takes the place of what was there. */
function overlaid(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = Object.entries(over).map(([name, value]) => {
    const below = Object.hasOwn(base, name) ? base[name] : undefined
    return [name, isObject(below) && isObject(value) ? overlaid(below, value) : value] as const
  })
  return { ...base, ...Object.fromEntries(merged) }
}

function checked(type: EventTrigger['eventType'], properties: Record<string, unknown>): EventProperties<typeof type> {
  const result = eventTypes[type].strict().safeParse(properties, { error: ruleMessage })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const param = ['properties', ...(issue?.path ?? []), ...unknown].join('.')
  const problem =
    unknown.length > 0 ? `is not a property of ${type}; leave it out` : `does not fit ${type}: it ${issue?.message}`
  throw new ApiError('parameter_invalid', `${param} ${problem}.`, { param })
}
