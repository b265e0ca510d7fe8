import type { PlatformState } from '@tillwright/contract'
import { type RetentionConfig, retention } from '../privacy/index.ts'
import { type Database, int, rowReader } from '../storage/index.ts'

const DAY_MS = 86_400_000
/** Where each count stops. */
const COUNTED_MAX = 10_000

/** Finds rows whose time is over, by an index, for the kinds of data that have a limit. */
const dueRows: Readonly<Record<string, string>> = {
  answers: 'SELECT expires_at FROM idempotency_keys WHERE expires_at <= ?',
  sessions: 'SELECT last_activity_at FROM funnel_sessions WHERE last_activity_at <= ?',
  threeds_messages: 'SELECT at FROM threeds_messages WHERE at <= ?',
  audit: 'SELECT created_at FROM audit_seals WHERE created_at <= ?',
}

/** Retention periods in force, and how many rows the next sweep deletes. */
export async function readKept(
  db: Database,
  { nowMs, retention: chosen }: { nowMs: number } & RetentionConfig,
): Promise<PlatformState['retention']> {
  const days: Readonly<Record<string, number | null>> = {
    sessions: chosen.sessionsMs / DAY_MS,
    threeds_messages: chosen.threedsMessagesMs / DAY_MS,
    audit: chosen.auditMs / DAY_MS,
    events: chosen.eventsMs === null ? null : chosen.eventsMs / DAY_MS,
  }
  return Promise.all(
    retention.map(async ({ kind, tables, days: usual, setting }) => {
      const kept = days[kind] ?? usual
      const sql = dueRows[kind]
      // Answers carry the time when they expire.
      const before = kind === 'answers' || kept === null ? nowMs : nowMs - kept * DAY_MS
      const due = sql === undefined ? null : await countDue(sql, before, db)
      const hasMore = due !== null && due >= COUNTED_MAX
      return { kind, tables: [...tables], days: kept, setting: setting?.name ?? null, due, hasMore }
    }),
  )
}

async function countDue(rows: string, before: number, db: Database): Promise<number> {
  const sql = `SELECT count(*) AS due FROM (${rows} LIMIT ?) AS counted`
  return readCount(await db.read(sql, [before, COUNTED_MAX]))[0]?.due ?? 0
}

const readCount = rowReader({ due: int })
