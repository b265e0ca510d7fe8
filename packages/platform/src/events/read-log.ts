import type { Event, EventLogQuery } from '@tillwright/contract'
import type { RequestContext } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import { type Database, pick, readRows, rowReader, type Value } from '../storage/index.ts'
import { namesType } from './emit.ts'
import { joinedColumns, joinedTables, readJoinedEvents } from './events.ts'
import { eventsTable } from './tables.ts'

/** @throws {ApiError} `parameter_invalid` for an `after` that is neither an event of the account nor a time. */
export async function begin(after: string | undefined, { services, caller }: RequestContext): Promise<string> {
  if (after === 'latest') return newestEvent(services.db, caller.accountId)
  if (after === undefined) return LOG_START
  const { position } = readCursor(after)
  if (startOfTime.test(position)) return position
  const sql = 'SELECT id FROM events WHERE account_id = ? AND id = ?'
  const [row] = readEventIds(await services.db.read(sql, [caller.accountId, position]))
  if (row !== undefined) return row.id
  const message = `after is '${after}', which is no event of this account; send the nextCursor of a page, or leave it out.`
  throw new ApiError('parameter_invalid', message, { param: 'after' })
}

/**
 * A cursor: an event's id or a time, and from a stream a sum of the ids before it that the reader has had, in 48 bits.
 */
export function readCursor(after: string): { position: string; sum: bigint | null } {
  const [, position, text] = /^(evt_[0-9A-Za-z]*)_([0-9a-z]{1,10})$/.exec(after) ?? []
  if (position === undefined || text === undefined) return { position: after, sum: null }
  return { position, sum: [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n) }
}

/** The filters of an account's events. */
export interface LogFilters {
  /** Only these types; `null` for all. */
  types: readonly string[] | null
  drafts: boolean
  /** Only this store's; `null` for all. */
  storeId: string | null
}

export function filtersOf({ types, drafts, storeId }: Pick<EventLogQuery, 'types' | 'drafts' | 'storeId'>): LogFilters {
  const named = types?.split(',').map((type) => type.trim()) ?? null
  return { types: named, drafts: drafts === 'true', storeId: storeId ?? null }
}

/** From where on an account's events are read. */
interface LogPosition extends LogFilters {
  accountId: string
  /** Only events after this id. */
  after: string
  limit: number
}

/** A page of the log. `nextCursor` is after the last event scanned. */
export interface LogPage {
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
export async function readLog(db: Database, { accountId, after, limit, ...filters }: LogPosition): Promise<LogPage> {
  const [bound] = readEventIds(await db.read(selectBound, [accountId, after]))
  const end = bound?.id ?? null
  const params = [accountId, end ?? LOG_END, ...matchParams(filters)]
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

/** The SQL condition that an event, as `e`, passes the filters of `matchParams`. */
export const matches = `e.draft <= ?
    AND (CAST(? AS TEXT) IS NULL OR ${namesType('CAST(? AS TEXT)', `'"' || e.event_type || '"'`)})
    AND (CAST(? AS TEXT) IS NULL OR e.store_id = ?)`

export function matchParams({ types, drafts, storeId }: LogFilters): Value[] {
  const wanted = types === null ? null : JSON.stringify(types)
  return [Number(drafts), wanted, wanted, wanted, storeId, storeId]
}

const selectEvents = `SELECT e.id, ${joinedColumns} FROM ${joinedTables}
  WHERE e.account_id = ? AND e.id <= ? AND ${matches}`

const readEventIds = rowReader(pick(eventsTable, 'id'))
