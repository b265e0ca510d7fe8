import type { Write } from '../request-context.ts'
import type { PersonalTable, Row, Value } from '../storage/index.ts'
import type { FoundRow } from './find-rows.ts'
import type { Counts } from './tables.ts'

/** The writes that erase some rows, and their counts. */
export interface ErasedRows {
  writes: Write[]
  /** Entries of the audit log, which are erased by the log itself. */
  entries: string[]
  counts: Counts
}

/** Works out what becomes of rows. Rows that were erased before need nothing, so that it can be done any number of times. */
export function eraseRows(found: readonly FoundRow[], { accountId, nowMs }: { accountId: string; nowMs: number }) {
  const erased: ErasedRows = { writes: [], entries: [], counts: {} }
  for (const { table, row } of found) {
    if (table.spares?.(row) === true) continue
    const count = (erased.counts[table.table] ??= { found: 0, erased: 0 })
    count.found += 1
    const changes = table.isDeleted ? [] : changesOf(table, row, nowMs)
    if (!table.isDeleted && changes.length === 0) continue
    count.erased += 1
    if (table.table === 'audit_entries') erased.entries.push(keyOf(table, row))
    else erased.writes.push(writeOf(table, row, { accountId, changes }))
  }
  return erased
}

/** The columns that must change, with their new values. */
function changesOf({ columns }: PersonalTable, row: Row, nowMs: number): [string, Value][] {
  return Object.entries(columns).flatMap(([column, rule]): [string, Value][] => {
    const value = row[column] ?? null
    if (rule.rule === 'keep') return []
    const erased = rule.rule === 'replace' ? rule.value(value, row, nowMs) : value === null ? null : rule.value
    return erased === value ? [] : [[column, erased]]
  })
}

function writeOf(
  { table, key }: PersonalTable,
  row: Row,
  { accountId, changes }: { accountId: string; changes: readonly [string, Value][] },
): Write {
  const where = `WHERE account_id = ?${key.map((column) => ` AND ${column} = ?`).join('')}`
  const params = [accountId, ...key.map((column) => row[column] ?? null)]
  if (changes.length === 0) return { sql: `DELETE FROM ${table} ${where}`, params }
  const set = changes.map(([column]) => `${column} = ?`).join(', ')
  return { sql: `UPDATE ${table} SET ${set} ${where}`, params: [...changes.map(([, value]) => value), ...params] }
}

/** Adds counts to those of earlier pages. Rows are found once, however many passes look at them. */
export function addCounts(sum: Counts, counts: Counts, isFirstPass: boolean): Counts {
  const all = { ...sum }
  for (const [table, { found, erased }] of Object.entries(counts)) {
    const known = all[table] ?? { found: 0, erased: 0 }
    all[table] = { found: known.found + (isFirstPass ? found : 0), erased: known.erased + erased }
  }
  return all
}

/** The key of a row whose table has a single column as its key. */
function keyOf({ key: [column = ''] }: PersonalTable, row: Row): string {
  return String(row[column])
}
