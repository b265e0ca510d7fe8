import type { ChangedColumn, Database } from './database.ts'
import { type Backfill, type Contract, type Expand, type Migration, numberOf } from './migration.ts'

/**
 * The form of a migration's statement on an engine. `transaction`: statements that are committed together with the mark
 * that they are done. `alone`: outside of any transaction, and the same again after a crash. `column`: a change of one
 * column's definition that leaves the rows alone, for SQLite.
 */
export type Action =
  | { kind: 'transaction'; sql: readonly string[] }
  | { kind: 'alone'; index: string; sql: string }
  | ({ kind: 'column' } & ChangedColumn)

type Engine = Database['engine']

/**
 * The engines' differences. PostgreSQL compares text by language rules by default, SQLite by bytes; SQLite enforces
 * column types only in STRICT tables, and keeps a table with a primary key of text twice, as rows and as an index of
 * them, unless it is WITHOUT ROWID. PostgreSQL writes a changed row next to the old one: where the page has room for
 * it, and nothing that an index names has changed, no index is written.
 */
const WORDS = {
  sqlite: { text: 'TEXT', int: 'INTEGER', strict: 'STRICT', narrow: 'STRICT, WITHOUT ROWID', revised: 'STRICT' },
  postgres: {
    text: 'TEXT COLLATE "C"',
    int: 'BIGINT',
    strict: '',
    narrow: '',
    revised: 'WITH (fillfactor = 80)',
  },
} as const

/** Puts the engine's own words into portable SQL. */
export function inWordsOf(engine: Engine, sql: string): string {
  const words = WORDS[engine]
  return sql.replaceAll(/\{(text|int|strict|narrow|revised)\}/g, (_, word: keyof typeof words) => words[word]).trim()
}

/**
 * The actions of a migration on an engine, in order. None of them holds a lock that keeps writers of a large table out
 * for longer than it takes to change a catalogue.
 *
 * @throws {TypeError} If a statement is not one of the allowed forms, or not in this phase.
 */
export function actionsOf(migration: Expand | Contract, engine: Engine): readonly Action[] {
  const own = ownTables(migration)
  const together: string[] = []
  const rest: Action[] = []
  for (const statement of migration.statements) {
    const change = readStatement(statement, migration, own)
    if (change.kind === 'own') together.push(inWordsOf(engine, statement))
    else rest.push(...(engine === 'sqlite' ? onSqlite(change) : onPostgres(change)))
  }
  return [...(together.length > 0 ? [{ kind: 'transaction', sql: together } as const] : []), ...rest]
}

/** A statement that changes what is there, or (`own`) one about a table that its migration creates. */
type Change =
  | { kind: 'own' }
  | { kind: 'create index' | 'drop index' | 'drop table'; name: string; sql: string }
  | ({ kind: 'column' } & ChangedColumn)

const NAME = '([a-z_0-9]+)'
const CONSTANT = String.raw`(?:\d+|'[^']*')`
const FORMS = {
  table: new RegExp(String.raw`^CREATE TABLE ${NAME} \([\s\S]*\) \{(?:strict|narrow|revised)\}$`),
  index: new RegExp(String.raw`^CREATE (?:UNIQUE )?INDEX ${NAME}\s+ON ${NAME} \([^;]*$`),
  insert: new RegExp(String.raw`^INSERT INTO ${NAME}\b`),
  add: new RegExp(
    String.raw`^ALTER TABLE ${NAME} ADD COLUMN (${NAME} \{(?:text|int)\}(?: (?:NOT NULL )?DEFAULT ${CONSTANT})?)$`,
  ),
  require: new RegExp(String.raw`^ALTER TABLE ${NAME} ALTER COLUMN ${NAME} SET NOT NULL$`),
  allow: new RegExp(String.raw`^ALTER TABLE ${NAME} ALTER COLUMN ${NAME} DROP NOT NULL$`),
  dropColumn: new RegExp(String.raw`^ALTER TABLE ${NAME} DROP COLUMN ${NAME}$`),
  dropIndex: new RegExp(String.raw`^DROP INDEX ${NAME}$`),
  dropTable: new RegExp(String.raw`^DROP TABLE ${NAME}$`),
} as const

function ownTables({ statements }: Expand | Contract): ReadonlySet<string> {
  return new Set(statements.flatMap((sql) => FORMS.table.exec(sql.trim())?.[1] ?? []))
}

function readStatement(statement: string, migration: Expand | Contract, own: ReadonlySet<string>): Change {
  const sql = statement.trim()
  const isContract = migration.phase === 'contract'
  const match = (form: keyof typeof FORMS) => FORMS[form].exec(sql)
  const refuse = (rule: string): never => {
    throw new TypeError(`Migration "${migration.id}": ${sql.split('\n')[0]?.slice(0, 100)}: ${rule}`)
  }
  const of = (form: 'expand' | 'contract', change: Change): Change => {
    if ((form === 'contract') === isContract) return change
    return refuse(
      form === 'contract'
        ? 'Older processes still use what this takes away: it belongs into a contraction.'
        : 'A contraction only takes away; this belongs into an expansion.',
    )
  }
  if (match('table')) return of('expand', { kind: 'own' })
  const index = match('index')
  if (index) {
    const [, name = '', table = ''] = index
    return of('expand', own.has(table) ? { kind: 'own' } : { kind: 'create index', name, sql })
  }
  const insert = match('insert')
  if (insert && own.has(insert[1] ?? '')) return of('expand', { kind: 'own' })
  const column = columnChange(match)
  if (column !== null) return of(column.phase, column.change)
  const [dropIndex, dropTable] = [match('dropIndex'), match('dropTable')]
  if (dropIndex) return of('contract', { kind: 'drop index', name: dropIndex[1] ?? '', sql })
  if (dropTable) return of('contract', { kind: 'drop table', name: dropTable[1] ?? '', sql })
  return refuse(ruleBroken(sql))
}

function columnChange(
  match: (form: keyof typeof FORMS) => RegExpExecArray | null,
): { phase: 'expand' | 'contract'; change: Change } | null {
  const [add, require, allow, drop] = [match('add'), match('require'), match('allow'), match('dropColumn')]
  if (add) {
    const [, table = '', definition = '', column = ''] = add
    return { phase: 'expand', change: { kind: 'column', table, column, change: { to: 'add', definition } } }
  }
  const of = ([, table = '', column = '']: RegExpExecArray, to: 'require' | 'allow null' | 'drop'): Change => ({
    kind: 'column',
    table,
    column,
    change: { to },
  })
  if (allow) return { phase: 'expand', change: of(allow, 'allow null') }
  if (require) return { phase: 'contract', change: of(require, 'require') }
  return drop === null ? null : { phase: 'contract', change: of(drop, 'drop') }
}

/** Why the usual suspects are not among the allowed forms. */
const BROKEN: readonly (readonly [RegExp, string])[] = [
  [/^(UPDATE|DELETE|INSERT)\b/, 'Rows of existing tables are changed by a backfill, in batches.'],
  [/ADD COLUMN .*NOT NULL/, 'A required column needs a constant DEFAULT, which older processes then write.'],
  [/ADD COLUMN .*DEFAULT/, 'A default that is computed rewrites every row; use a constant, or a backfill.'],
  [/CONCURRENTLY/, 'Write CREATE INDEX or DROP INDEX; PostgreSQL is told to do it concurrently by itself.'],
  [/ALTER COLUMN .* TYPE/, 'Another type rewrites every row under a lock; add a column, fill it, drop the old one.'],
  [/RENAME/, 'Older processes use the old name; add the new one, fill it, drop the old one.'],
  [
    /ADD (CONSTRAINT|CHECK|PRIMARY|UNIQUE|FOREIGN)/,
    'It would read every row under a lock; use a unique index, or SET NOT NULL.',
  ],
  [/^(VACUUM|CLUSTER|REINDEX|LOCK)\b/, 'It locks the table.'],
]

function ruleBroken(sql: string): string {
  const known = BROKEN.find(([form]) => form.test(sql))?.[1]
  return (
    known ??
    'This is none of the forms that are known to lock nothing for long; see apps/docs/pages/operating/changing-the-schema.md.'
  )
}

function onPostgres(change: Exclude<Change, { kind: 'own' }>): readonly Action[] {
  const words = (sql: string) => inWordsOf('postgres', sql)
  if (change.kind !== 'column') {
    const { kind, name, sql } = change
    if (kind === 'drop table') return [{ kind: 'transaction', sql: [words(sql)] }]
    if (kind === 'drop index') return [{ kind: 'alone', index: name, sql: `DROP INDEX CONCURRENTLY IF EXISTS ${name}` }]
    return [{ kind: 'alone', index: name, sql: words(sql.replace(' INDEX ', ' INDEX CONCURRENTLY IF NOT EXISTS ')) }]
  }
  const { table, column } = change
  const steps = (...sql: string[]): Action[] =>
    sql.map((one) => ({ kind: 'transaction', sql: [`ALTER TABLE ${table} ${words(one)}`] }))
  const check = `${table}_${column}_present`
  switch (change.change.to) {
    case 'add':
      return steps(`ADD COLUMN ${change.change.definition}`)
    case 'allow null':
      return steps(`ALTER COLUMN ${column} DROP NOT NULL`)
    case 'drop':
      return steps(`DROP COLUMN ${column}`)
    case 'require': // only VALIDATE reads the rows, and it lets others write
      return steps(
        `ADD CONSTRAINT ${check} CHECK (${column} IS NOT NULL) NOT VALID`,
        `VALIDATE CONSTRAINT ${check}`,
        `ALTER COLUMN ${column} SET NOT NULL`,
        `DROP CONSTRAINT ${check}`,
      )
  }
}

/** SQLite reads every row for ADD COLUMN to a STRICT table, and writes every row for DROP COLUMN. */
function onSqlite(change: Exclude<Change, { kind: 'own' }>): readonly Action[] {
  if (change.kind !== 'column') return [{ kind: 'transaction', sql: [inWordsOf('sqlite', change.sql)] }]
  const { table, column, change: wanted } = change
  if (wanted.to !== 'add') return [{ kind: 'column', table, column, change: wanted }]
  return [{ kind: 'column', table, column, change: { to: 'add', definition: inWordsOf('sqlite', wanted.definition) } }]
}

/**
 * Checks a whole series of migrations: numbers without gaps, allowed statements, backfills over tables that exist, and no
 * name that exists already or that a contraction has freed.
 *
 * @throws {TypeError} With the rule that is broken.
 */
export function checkMigrations(migrations: readonly Migration[]): void {
  const taken = new Map<string, string>()
  const freed = new Map<string, string>()
  for (const [at, migration] of migrations.entries()) {
    if (numberOf(migration) !== at + 1)
      throw new TypeError(`Migration "${migration.id}" has to have the number ${at + 1}.`)
    if (migration.phase === 'backfill') {
      checkBackfill(migration)
      continue
    }
    for (const engine of ['sqlite', 'postgres'] as const) actionsOf(migration, engine)
    for (const name of migration.statements.flatMap(namesAdded)) {
      const [by, maker] = [freed.get(name), taken.get(name)]
      taken.set(name, migration.id)
      if (by === undefined && maker === undefined) continue
      const reason = by === undefined ? `exists since "${maker}"` : `was dropped by "${by}", which may still be waiting`
      throw new TypeError(`Migration "${migration.id}": "${name}" ${reason}; use a new name.`)
    }
    for (const name of migration.statements.flatMap(namesDropped)) freed.set(name, migration.id)
  }
}

function checkBackfill({ id, key, set, where }: Backfill): void {
  if (key.length === 0) throw new TypeError(`Migration "${id}": a backfill goes through its table by the primary key.`)
  if (/[;?]/.test(set + where))
    throw new TypeError(`Migration "${id}": a backfill has one assignment list and one condition, without parameters.`)
}

function namesAdded(sql: string): string[] {
  const add = FORMS.add.exec(sql.trim())
  const named = FORMS.table.exec(sql.trim()) ?? FORMS.index.exec(sql.trim())
  return [...(add ? [`${add[1]}.${add[3]}`] : []), ...(named?.[1] === undefined ? [] : [named[1]])]
}

function namesDropped(sql: string): string[] {
  const column = FORMS.dropColumn.exec(sql.trim())
  const named = FORMS.dropTable.exec(sql.trim()) ?? FORMS.dropIndex.exec(sql.trim())
  return [...(column ? [`${column[1]}.${column[2]}`] : []), ...(named?.[1] === undefined ? [] : [named[1]])]
}
