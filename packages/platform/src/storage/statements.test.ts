import { describe, expect, test } from 'vitest'
import type { Migration } from './migration.ts'
import { migrations } from './migrations.ts'
import { editTable } from './sqlite/schema-connection.ts'
import { actionsOf, checkMigrations } from './statements.ts'

const expansion = (...statements: string[]) => ({ id: '0001-x', statements }) as const
const contraction = (...statements: string[]) => ({ id: '0001-x', phase: 'contract', statements }) as const

test("the platform's own migrations keep the rules", () => {
  checkMigrations(migrations)
})

describe('a statement that would keep writers out is refused with the reason', () => {
  test.each([
    ['UPDATE payments SET note = 1', /by a backfill, in batches/],
    ['ALTER TABLE payments ADD COLUMN note {text} NOT NULL', /needs a constant DEFAULT/],
    ["ALTER TABLE payments ADD COLUMN at {int} DEFAULT (unixepoch('now'))", /computed rewrites every row/],
    ['ALTER TABLE payments ALTER COLUMN amount TYPE numeric', /rewrites every row under a lock/],
    ['ALTER TABLE payments RENAME COLUMN amount TO total', /Older processes use the old name/],
    ['ALTER TABLE payments ADD CONSTRAINT c CHECK (amount > 0)', /read every row under a lock/],
    ['CREATE INDEX CONCURRENTLY i ON payments (amount)', /by itself/],
    ['VACUUM FULL payments', /locks the table/],
    ['CREATE TRIGGER t AFTER INSERT ON payments BEGIN END', /none of the forms/],
    ['ALTER TABLE payments DROP COLUMN amount', /belongs into a contraction/],
    ['DROP TABLE payments', /belongs into a contraction/],
    ['DROP INDEX i', /belongs into a contraction/],
    ['ALTER TABLE payments ALTER COLUMN amount SET NOT NULL', /belongs into a contraction/],
  ])('%s', (sql, reason) => {
    expect(() => checkMigrations([expansion(sql)])).toThrow(reason)
  })

  test('a contraction adds nothing', () => {
    const add = 'ALTER TABLE payments ADD COLUMN note {text}'
    expect(() => checkMigrations([contraction(add)])).toThrow(/only takes away/)
  })

  test.each([
    ['CREATE TABLE notes (id {text} PRIMARY KEY) {strict}', 'notes'],
    ['CREATE INDEX by_note ON payments (note)', 'by_note'],
    ['ALTER TABLE payments ADD COLUMN note {text}', 'payments.note'],
  ])('a name is not used twice: %s', (sql, name) => {
    const series: Migration[] = [expansion(sql), { id: '0002-y', statements: [sql] }]
    expect(() => checkMigrations(series)).toThrow(`"${name}" exists since "0001-x"`)
  })

  test('a name that was dropped is not used again, because the drop may still be waiting', () => {
    const series: Migration[] = [
      contraction('ALTER TABLE payments DROP COLUMN note'),
      { id: '0002-y', statements: ['ALTER TABLE payments ADD COLUMN note {int}'] },
    ]
    expect(() => checkMigrations(series)).toThrow(/"payments.note" was dropped by "0001-x"/)
  })

  test('numbers have no gaps', () => {
    expect(() => checkMigrations([{ id: '0002-x', statements: [] }])).toThrow(/number 1/)
  })
})

test('PostgreSQL builds and drops indexes of existing tables concurrently, outside of transactions', () => {
  const index = 'CREATE UNIQUE INDEX i ON payments (amount)'
  expect(actionsOf(expansion(index), 'postgres')).toEqual([
    { kind: 'alone', index: 'i', sql: 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON payments (amount)' },
  ])
  const table = 'CREATE TABLE payments (amount {int}) {strict}'
  expect(actionsOf(expansion(table, index), 'postgres')).toEqual([
    { kind: 'transaction', sql: ['CREATE TABLE payments (amount BIGINT)', index] },
  ])
})

test('PostgreSQL checks that nothing is NULL without keeping writers out', () => {
  const statements = actionsOf(contraction('ALTER TABLE payments ALTER COLUMN note SET NOT NULL'), 'postgres')
  expect(statements.flatMap((action) => (action.kind === 'transaction' ? action.sql : []))).toEqual([
    'ALTER TABLE payments ADD CONSTRAINT payments_note_present CHECK (note IS NOT NULL) NOT VALID',
    'ALTER TABLE payments VALIDATE CONSTRAINT payments_note_present',
    'ALTER TABLE payments ALTER COLUMN note SET NOT NULL',
    'ALTER TABLE payments DROP CONSTRAINT payments_note_present',
  ])
})

describe('the text of a table of SQLite', () => {
  const table =
    "CREATE TABLE t (\n  id TEXT PRIMARY KEY, n INTEGER NOT NULL DEFAULT 0, kind TEXT NOT NULL DEFAULT 'a,(b', CHECK (length(kind) > 0)) STRICT"

  test.each([
    [{ column: 'm', change: { to: 'add', definition: 'm INTEGER' } }, "'a,(b', m INTEGER, CHECK ("],
    [{ column: 'n', change: { to: 'allow null' } }, 'id TEXT PRIMARY KEY, n INTEGER DEFAULT 0,'],
    [{ column: 'n', change: { to: 'drop' } }, 'id TEXT PRIMARY KEY, dropped_n INTEGER,'],
    [{ column: 'id', change: { to: 'require' } }, 'id TEXT NOT NULL PRIMARY KEY, n'],
  ] as const)('%j', (changed, text) => {
    expect(editTable(table, { table: 't', ...changed })).toContain(text)
  })

  test('a column that is not there cannot be changed', () => {
    expect(() => editTable(table, { table: 't', column: 'x', change: { to: 'drop' } })).toThrow(/no column t\.x/)
  })
})
