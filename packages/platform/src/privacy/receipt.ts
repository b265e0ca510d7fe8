import { type CustomerErasure, keptReasons, type Remainder, remainders } from '@tillwright/contract'
import type { Database, PersonalTable } from '../storage/index.ts'
import type { Counts } from './tables.ts'

/** Copies of data out of the platform's reach, and what ends them. */
export function remainsOf(engine: Database['engine']): CustomerErasure['remains'] {
  const files: Remainder = engine === 'sqlite' ? 'sqlite_pages' : 'postgres_files'
  return (['backups', files, 'other_systems'] as const).map((code) => ({ code, message: remainders[code] }))
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
    const kept = [...reasons].map(([code, own]) => ({
      fields: own.map(({ field }) => field),
      code,
      reason: keptReasons[code],
    }))
    return [{ data: table, found, erased, isDeleted: isDeleted === true, fields, kept }]
  })
}
