import { type Migration, migrations } from '../src/storage/index.ts'

const id = (at: number, name: string) => `${String(migrations.length + at).padStart(4, '0')}-${name}`

/** Migrations of a made-up later release: a table, a column to be backfilled, an index, and a removal. */
const expand: Migration = {
  id: id(1, 'note'),
  statements: [
    'CREATE TABLE later_notes (account_id {text} NOT NULL, id {text} NOT NULL, PRIMARY KEY (account_id, id)) {narrow}',
    'ALTER TABLE payments ADD COLUMN note {text}',
    "ALTER TABLE products ADD COLUMN kind {text} NOT NULL DEFAULT 'thing'",
    'CREATE INDEX payments_for_later_release ON payments (account_id, order_id, id)',
  ],
}
const fill: Migration = {
  id: id(2, 'fill-note'),
  phase: 'backfill',
  table: 'payments',
  key: ['account_id', 'id'],
  set: 'note = order_id',
  where: 'note IS NULL',
}
const contract: Migration = {
  id: id(3, 'drop'),
  phase: 'contract',
  statements: ['DROP INDEX payments_for_later_release'],
}

/** The steps that a release knows: this one, the next, or the one after that. */
export function seriesOf(release: string | undefined): readonly Migration[] {
  const known: Record<string, readonly Migration[]> = { now: [], next: [expand, fill], after: [expand, fill, contract] }
  const later = known[release ?? 'now']
  if (later === undefined) throw new TypeError('STANDS_FOR is now, next or after.')
  return [...migrations, ...later]
}
