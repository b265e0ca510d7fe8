import { seriesOf as stepsOf } from '../../faults/upgrade-series.ts'
import type { Database, Transaction } from '../../src/storage/database.ts'
import { type Migration, schemaOf } from '../../src/storage/migration.ts'

/** This release, the next, which adds to the schema, and the one after it, which takes something away. */
export type Release = 'now' | 'next' | 'after'

const RELEASES: readonly Release[] = ['now', 'next', 'after']

export const laterOf = (one: Release, other: Release): Release =>
  RELEASES.indexOf(one) > RELEASES.indexOf(other) ? one : other

/** The steps of the schema that a release knows. */
export const seriesOf = (release: Release): readonly Migration[] => stepsOf(release)

/** The number of the newest schema that a release knows. */
export const schemaOfRelease = (release: Release): number => schemaOf(seriesOf(release))

const RECORDS = /^\s*INSERT INTO payments \(account_id, id,/

/** The database as the code of a release writes it: from the next on, the new column of a payment is written with the payment. */
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
