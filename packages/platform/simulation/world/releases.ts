import { seriesOf as stepsOf } from '../../faults/upgrade-series.ts'
import {
  type Database,
  DatabaseFenced,
  DatabaseUnavailable,
  DiskFull,
  type Transaction,
} from '../../src/storage/database.ts'
import { DatabaseBehind, DatabaseTooNew, type Migration, schemaOf } from '../../src/storage/migration.ts'
import type { DatabaseServer } from './database.ts'

/** This release, the next, which expands the schema, and the one after it, which contracts it. */
export type Release = 'now' | 'next' | 'after'

const RELEASES: readonly Release[] = ['now', 'next', 'after']

export const laterOf = (one: Release, other: Release): Release =>
  RELEASES.indexOf(one) > RELEASES.indexOf(other) ? one : other

/** The migrations of a release. */
export const seriesOf = (release: Release): readonly Migration[] => stepsOf(release)

/** The number of a release's newest schema. */
export const schemaOfRelease = (release: Release): number => schemaOf(seriesOf(release))

const RECORDS = /^\s*INSERT INTO payments \(account_id, id,/

/** Makes a database write like the code of a release: from the next one on, payments have the new column. */
export function asWrittenBy(release: Release, db: Database): Database {
  if (release === 'now') return db
  const notes = (transaction: Transaction) =>
    transaction
      .filter(({ sql }) => RECORDS.test(sql))
      .map(({ params }) => ({
        sql: 'UPDATE payments SET note = order_id WHERE account_id = ? AND id = ?',
        params: params.slice(0, 2),
      }))
  return { ...db, write: (transaction) => db.write([...transaction, ...notes(transaction)]) }
}

/** Whether a process was told that its release is too old for the schema. */
export function isShutOut(error: unknown): boolean {
  return error instanceof DatabaseTooNew
}

/** The error of a process that has lost the work on the schema to another one. */
const TAKEN_OVER = 'Another process has taken over the migration.'

/** A start: its release, and the oldest schema that could be written with at the time. */
export interface Start {
  release: Release
  oldest: number
}

/** The problem with a failed start; `null` if the failure is right in this world. */
export function wrongStart(error: unknown, { release, oldest }: Start, server: DatabaseServer): string | null {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof DatabaseFenced && oldest > schemaOfRelease(release))
    return `upgrade: the ${release} release is only told by its first transaction that it is too old: ${message}`
  if (error instanceof DatabaseTooNew) {
    if (message.includes('\n')) return `upgrade: a release is refused in more than one line: ${message}`
    const isRight = server.oldestSchema() > schemaOfRelease(release)
    return isRight ? null : `upgrade: the ${release} release is refused, and could serve: ${message}`
  }
  const isOfWorld = [DatabaseUnavailable, DatabaseBehind, DiskFull].some((kind) => error instanceof kind)
  return isOfWorld || message === TAKEN_OVER ? null : `upgrade: a process cannot start: ${message}`
}
