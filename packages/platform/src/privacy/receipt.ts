import type { CustomerErasure } from '@tillwright/contract'
import type { Database, PersonalTable } from '../storage/index.ts'
import type { Counts } from './tables.ts'

/** What a platform cannot reach by itself, and what ends it. */
export function remainsOf(engine: Database['engine']): string[] {
  return [
    'Backups made before hold the data until they are deleted. Restoring one erases the customer again: docs/privacy.md says how.',
    engine === 'sqlite'
      ? 'The database file was overwritten and its log emptied. Unused space of an index page that was split may hold a word until the page is written again: VACUUM ends it.'
      : 'The files of PostgreSQL (free space of pages, write-ahead log, replicas that lag) hold old bytes until they are overwritten: VACUUM FULL and the end of the log’s retention end it.',
    'Processors, receivers of webhooks and other systems keep what they were sent; ask each to delete it.',
  ]
}

/** Says of each kind of data what was found, erased and kept, and why. Kinds without a row are left out. */
export function receiptOf(tables: readonly PersonalTable[], counts: Counts): NonNullable<CustomerErasure['receipt']> {
  return tables.flatMap(({ table, columns, isDeleted }) => {
    const { found, erased } = counts[table] ?? { found: 0, erased: 0 }
    if (found === 0) return []
    const rules = Object.entries(columns)
    const fields = rules.flatMap(([field, rule]) => (rule.rule === 'keep' ? [] : [field]))
    const reasons = Map.groupBy(
      rules.flatMap(([field, rule]) => (rule.rule === 'keep' ? [{ field, reason: rule.reason }] : [])),
      ({ reason }) => reason,
    )
    const kept = [...reasons].map(([reason, own]) => ({ fields: own.map(({ field }) => field), reason }))
    return [{ data: table, found, erased, isDeleted: isDeleted === true, fields, kept }]
  })
}
