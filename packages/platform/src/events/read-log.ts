import type { Event } from '@tillwright/contract'
import type { Database } from '../storage/database.ts'
import { joinedColumns, joinedEvent, joinedTables, type JoinedRow } from './joined-event.ts'

/** Which events of an account are read, from where on. */
export interface LogPosition {
  accountId: string
  /** Events behind this id alone. */
  after: string
  limit: number
  /** Of these types alone; `null` for all. */
  types: readonly string[] | null
  drafts: boolean
}

/** A page of the log. `nextCursor` is behind all that was looked at. */
export interface LogPage {
  data: Event[]
  hasMore: boolean
  nextCursor: string
}

/** How many events one page looks at, so that a filter that few pass costs no more than one that all do. */
export const SCANNED_MAX = 1_000

/** Before the id of every event. */
export const LOG_START = 'evt_'

/**
 * Reads the next events of the log.
 *
 * @throws {DatabaseUnavailable}
 */
export async function readLog(db: Database, { accountId, after, limit, types, drafts }: LogPosition): Promise<LogPage> {
  const [bound] = await db.read(selectBound, [accountId, after])
  const end = bound === undefined ? null : String(bound['id'])
  const wanted = types === null ? null : JSON.stringify(types)
  const filter = [Number(drafts), wanted, wanted, wanted]
  const rows = await db.read(selectPage, [accountId, after, end ?? LOG_END, ...filter, limit + 1])
  const data = rows.slice(0, limit).map((row) => joinedEvent(row as JoinedRow)) // the columns of `selectPage`
  const last = data.at(-1)?.id ?? after
  if (rows.length > limit) return { data, hasMore: true, nextCursor: last }
  return { data, hasMore: end !== null, nextCursor: end ?? last }
}

/** The newest event of an account, for whoever begins now; `LOG_START` where there is none. */
export async function newestEvent(db: Database, accountId: string): Promise<string> {
  const [row] = await db.read('SELECT id FROM events WHERE account_id = ? ORDER BY id DESC LIMIT 1', [accountId])
  return row === undefined ? LOG_START : String(row['id'])
}

/** Behind every id. */
const LOG_END = '~'

/** Where a page ends at the latest. */
const selectBound = `SELECT id FROM events WHERE account_id = ? AND id > ? ORDER BY id LIMIT 1 OFFSET ${SCANNED_MAX - 1}`

const selectPage = `SELECT ${joinedColumns} FROM ${joinedTables}
  WHERE e.account_id = ? AND e.id > ? AND e.id <= ? AND e.draft <= ?
    AND (CAST(? AS TEXT) IS NULL OR replace(CAST(? AS TEXT), '"' || e.event_type || '"', '') <> CAST(? AS TEXT))
  ORDER BY e.id LIMIT ?`
