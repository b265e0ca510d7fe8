import {
  type Contract,
  type Event,
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
import { type Database, pick, readRows, rowReader } from '../storage/index.ts'
import { emit, namesType, wantsEvent } from './emit.ts'
import { joinedColumns, joinedTables, readJoinedEvents } from './events.ts'
import { replayStatements } from './replays.ts'
import { eventsTable, webhookEndpointsTable } from './tables.ts'

/** How often a request that waits looks for events: other processes have them too. */
const LOOK_EVERY_MS = 200

/**
 * Handlers that follow, trigger and replay events, outside the public API.
 *
 * @param stopping Aborts waiting requests when the platform stops.
 */
export function eventLog(stopping: AbortSignal): Handlers<Contract['eventLog']> {
  return {
    list: async ({ query }, context) => ({ body: await nextPage(query, context, stopping) }),

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
      if (event === undefined) throw missing('event', eventId)
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
const readEventIds = rowReader(pick(eventsTable, 'id'))

/** The next page, as soon as there is an event on it or the wait is over. */
async function nextPage(query: EventLogQuery, context: RequestContext, stopping: AbortSignal): Promise<LogPage> {
  const { services, caller, nowMs } = context
  const position = {
    accountId: caller.accountId,
    after: await begin(query.after, context),
    limit: query.limit,
    types: query.types === undefined ? null : query.types.split(',').map((type) => type.trim()),
    drafts: query.drafts === 'true',
  }
  const untilMs = nowMs + query.waitSeconds * 1_000
  for (;;) {
    const page = await readLog(services.db, position)
    const leftMs = untilMs - services.clock.now()
    if (page.data.length > 0 || page.hasMore || leftMs <= 0 || stopping.aborted) return page
    await services.clock.until(services.clock.now() + Math.min(LOOK_EVERY_MS, leftMs), stopping)
  }
}

/** @throws {ApiError} `parameter_invalid` for an `after` that is neither an event of the account nor a time. */
async function begin(after: string | undefined, { services, caller }: RequestContext): Promise<string> {
  if (after === 'latest') return newestEvent(services.db, caller.accountId)
  if (after === undefined) return LOG_START
  if (startOfTime.test(after)) return after
  const sql = 'SELECT id FROM events WHERE account_id = ? AND id = ?'
  const [row] = readEventIds(await services.db.read(sql, [caller.accountId, after]))
  if (row !== undefined) return row.id
  const message = `after is '${after}', which is no event of this account; send the nextCursor of a page, or leave it out.`
  throw new ApiError('parameter_invalid', message, { param: 'after' })
}

/** Which events of an account are read, from where on. */
export interface LogPosition {
  accountId: string
  /** Only events after this id. */
  after: string
  limit: number
  /** Only these types; `null` for all. */
  types: readonly string[] | null
  drafts: boolean
}

/** A page of the log. `nextCursor` is after the last event scanned. */
interface LogPage {
  data: Event[]
  hasMore: boolean
  nextCursor: string
}

/** How many events one page looks at, so that a filter that few pass costs no more than one that all do. */
export const SCANNED_MAX = 1_000

/** Sorts before every event id. */
const LOG_START = 'evt_'

/** A bound that is no event's id: the log's beginning, or the time that an id begins with. */
const startOfTime = /^evt_(?:[0-9A-Za-z]{8})?$/

/**
 * Reads the next events of the log.
 *
 * @throws {DatabaseUnavailable}
 */
async function readLog(db: Database, { accountId, after, limit, types, drafts }: LogPosition): Promise<LogPage> {
  const [bound] = readEventIds(await db.read(selectBound, [accountId, after]))
  const end = bound?.id ?? null
  const wanted = types === null ? null : JSON.stringify(types)
  const params = [accountId, end ?? LOG_END, Number(drafts), wanted, wanted, wanted]
  const list = { sql: selectEvents, params, key: [{ name: 'e.id', type: 'text' }], order: 'ascending' } as const
  const { rows, next } = await readRows(list, { after: [after], limit }, db)
  const data = readJoinedEvents(rows)
  const last = data.at(-1)?.id ?? after
  if (next !== null) return { data, hasMore: true, nextCursor: last }
  return { data, hasMore: end !== null, nextCursor: end ?? last }
}

/** Returns the id of an account's newest event, where a new reader starts; `LOG_START` if there is none. */
async function newestEvent(db: Database, accountId: string): Promise<string> {
  const sql = 'SELECT id FROM events WHERE account_id = ? ORDER BY id DESC LIMIT 1'
  const [row] = readEventIds(await db.read(sql, [accountId]))
  return row?.id ?? LOG_START
}

/** Sorts after every id. */
const LOG_END = '~'

/** Where a page ends at the latest. */
const selectBound = `SELECT id FROM events WHERE account_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ${SCANNED_MAX - 1}`

const selectEvents = `SELECT e.id, ${joinedColumns} FROM ${joinedTables}
  WHERE e.account_id = ? AND e.id <= ? AND e.draft <= ?
    AND (CAST(? AS TEXT) IS NULL OR ${namesType('CAST(? AS TEXT)', `'"' || e.event_type || '"'`)})`

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
