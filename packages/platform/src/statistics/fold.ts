import type { Services } from '../request-context.ts'
import { failuresOf, startWorker } from '../runtime/index.ts'
import { type Database, rowReader, type Statement, text } from '../storage/index.ts'
import { addTo, COUNT_MAX, type Counter, counters, type Fact, LOG_START, readFacts, settledAt } from './count-events.ts'
import { statisticsFoldsTable } from './tables.ts'

/** How often events are folded into counters: what is younger is read from the log. */
const FOLD_EVERY_MS = 15_000
/** Accounts looked for at a time. */
const ACCOUNTS_AT_ONCE = 100

const HOUR_MS = 3_600_000
export const spanOf = { hour: HOUR_MS, day: 24 * HOUR_MS } as const

/**
 * Starts folding the event logs of all accounts into counters. Payments pay nothing for it; each step counts a stretch of a log
 * and moves the position behind it in one transaction, so that nothing is counted twice or left out, whichever process does
 * it and wherever it stops.
 *
 * @returns Stops it; resolves when it has.
 */
export function startFolding({ db, clock, cluster, log }: Pick<Services, 'db' | 'clock' | 'cluster' | 'log'>) {
  return startWorker({
    clock,
    everyMs: FOLD_EVERY_MS,
    leads: () => cluster.mayLead(),
    look: (stopping) => foldAll(db, clock.now(), stopping),
    onDone: () => cluster.finished('statistics'),
    ...failuresOf(log, { worker: 'statistics', message: 'events could not be counted; trying again' }),
  })
}

/** Folds everything that has settled. */
export async function foldAll(db: Database, nowMs: number, stopping?: AbortSignal): Promise<void> {
  const end = settledAt(nowMs)
  for (let after = ''; ;) {
    const behind = readBehind(await db.read(selectBehind, [LOG_START, after, LOG_START, end]))
    for (const { id: accountId, position } of behind) {
      for (let at: string | null = position; at !== null && stopping?.aborted !== true;) {
        at = await foldStretch({ accountId, after: at, end }, db)
      }
    }
    const last = behind.at(-1)
    if (last === undefined || behind.length < ACCOUNTS_AT_ONCE || stopping?.aborted === true) return
    after = last.id
  }
}

/** A sub-select with a limit, because a planner that has not seen the table grow would read all of it for an EXISTS. */
const selectBehind = `SELECT a.id, COALESCE(f.position, ?) AS position
  FROM accounts a LEFT JOIN statistics_folds f ON f.account_id = a.id
  WHERE a.id > ? AND (SELECT e.id FROM events e
    WHERE e.account_id = a.id AND e.id > COALESCE(f.position, ?) AND e.id <= ? ORDER BY e.id LIMIT 1) IS NOT NULL
  ORDER BY a.id LIMIT ${ACCOUNTS_AT_ONCE}`
const readBehind = rowReader({ id: text, position: statisticsFoldsTable.position })

/** @returns Where to go on; `null` at the end, or when another process was faster. */
async function foldStretch(
  stretch: { accountId: string; after: string; end: string },
  db: Database,
): Promise<string | null> {
  const { accountId, after } = stretch
  const { facts, position, hasMore } = await readFacts(stretch, 'fold', db)
  if (position === after) return null
  const moved = { sql: movePosition, params: [accountId, position, after], expect: 1 }
  const { outcome } = await db.write([moved, ...countFacts(accountId, facts)])
  return outcome === 'committed' && hasMore ? position : null
}

/** Refused unless the position is still the one that the stretch began at. */
const movePosition = `INSERT INTO statistics_folds (account_id, position) VALUES (?, ?)
  ON CONFLICT (account_id) DO UPDATE SET position = excluded.position WHERE statistics_folds.position = ?`

/** Adds facts to the counters: by hour and day, for their store and for all stores together. */
function countFacts(accountId: string, facts: readonly Fact[]): Statement[] {
  const rows = new Map<string, number[]>()
  for (const { adds, subject, storeId, atMs } of facts) {
    for (const store of storeId === null ? [''] : ['', storeId]) {
      for (const spanMs of Object.values(spanOf)) {
        const key = JSON.stringify([accountId, store, spanMs, atMs - (atMs % spanMs), subject])
        const before = rows.get(key)
        rows.set(
          key,
          counters.map((counter, at) => addTo(before?.[at] ?? 0, adds[counter] ?? 0)),
        )
      }
    }
  }
  if (rows.size === 0) return []
  const items = [...rows].map(([key, numbers]) => [...JSON.parse(key), ...numbers])
  return [{ sql: addCounters, params: [JSON.stringify(items)] }]
}

const addCounters = `INSERT INTO statistics_counts
  (account_id, store_id, span_ms, starts_at, subject, ${counters.join(', ')})
  SELECT item.value ->> 0, item.value ->> 1, CAST(item.value ->> 2 AS BIGINT), CAST(item.value ->> 3 AS BIGINT),
    item.value ->> 4, ${counters.map((_, at) => `CAST(item.value ->> ${at + 5} AS BIGINT)`).join(', ')}
  FROM {items} WHERE true
  ON CONFLICT (account_id, store_id, span_ms, starts_at, subject) DO UPDATE
  SET ${counters.map((name) => `${name} = ${cappedSum(name)}`).join(', ')}`

function cappedSum(name: Counter): string {
  const sum = `statistics_counts.${name} + excluded.${name}`
  return `CASE WHEN ${sum} > ${COUNT_MAX} THEN ${COUNT_MAX} ELSE ${sum} END`
}
