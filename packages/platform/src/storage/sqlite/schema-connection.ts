import { DatabaseSync } from 'node:sqlite'
import { type ChangedColumn, DiskFull, LockBusy, type SchemaConnection, type Statement } from '../database.ts'
import { hasPrimaryCode, prepared, SQLITE_BUSY, SQLITE_FULL } from './connection.ts'

/** For the index that is being built: sorting a million keys in memory takes half as long. */
const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -131072;
  PRAGMA threads = 2;
  PRAGMA secure_delete = ON;
`

let open = 0

/** Whether this thread has a connection that changes a schema: its commits are seen at once, in the same turn. */
export function isChangingSchema(): boolean {
  return open > 0
}

/** Opens a connection for changing the schema of a file, on the caller's thread: at that time no request is served. */
export function openSchemaConnection(file: string): SchemaConnection {
  // Not defensive, so that the definition of a column can be changed without touching the rows; see `changeColumn`.
  const database = new DatabaseSync(file, { timeout: 5_000, defensive: false })
  database.exec(SETTINGS)
  open += 1
  const connection = prepared(database)
  function inTransaction(work: () => void, statements: readonly Statement[]): void {
    try {
      database.exec('BEGIN IMMEDIATE')
      work()
      for (const { sql, params, expect } of statements) {
        if (expect === undefined) connection.rows(sql, params)
        else if (connection.change(sql, params) !== expect) {
          throw new Error('Another process has taken over the migration.')
        }
      }
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw inWords(error)
    }
  }
  return {
    rows: async (sql, params = []) => connection.rows(sql, params),
    transaction: async (statements) => inTransaction(() => {}, statements),
    index: async (_, sql) => {
      try {
        database.exec(sql)
      } catch (error) {
        throw inWords(error)
      }
    },
    async column(change, statements) {
      database.exec('PRAGMA writable_schema = ON')
      try {
        inTransaction(() => changeColumn(change, database), statements)
      } finally {
        database.exec('PRAGMA writable_schema = RESET') // and reads the schema anew
      }
    },
    async drained() {
      // Each transaction has the file to itself; earlier ones are over.
    },
    async close() {
      database.close()
      open -= 1
    },
  }
}

/** Puts errors that pass, or that an operator can act on, into words; others stay as they are. */
function inWords(error: unknown): unknown {
  if (hasPrimaryCode(error, [SQLITE_BUSY])) return new LockBusy('The file is being written.', { cause: error })
  return hasPrimaryCode(error, [SQLITE_FULL]) ? new DiskFull({ cause: error }) : error
}

/**
 * Changes the text of a CREATE TABLE where SQLite keeps it, as its documentation describes for changes that leave the
 * rows alone ("Making Other Kinds Of Table Schema Changes"). SQLite's own ADD COLUMN reads every row of a STRICT table,
 * and its DROP COLUMN writes every row; here both take the same short time whatever the table holds. A row that is
 * shorter than its table has the default in what it lacks. A column that is dropped stays in the rows under the name
 * `dropped_...`, which nothing reads or writes.
 */
function changeColumn(changed: ChangedColumn, database: DatabaseSync): void {
  const { table } = changed
  const select = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
  const sql = select.get(table)?.['sql']
  if (typeof sql !== 'string') throw new Error(`There is no table ${table}.`)
  const edited = editTable(sql, changed)
  if (changed.change.to === 'require') refuseNulls(changed, database)
  const indexes = database
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?")
    .all(table)
    .map((row) => String(row['sql']))
  parsed([edited, ...indexes])
  database.prepare("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?").run(edited, table)
  const version = Number(database.prepare('PRAGMA schema_version').get()?.['schema_version'])
  database.exec(`PRAGMA schema_version = ${version + 1}`) // other connections read the schema again
}

/** @throws If SQLite does not understand the table, or one of its indexes uses a column that is gone. */
function parsed(statements: readonly string[]): void {
  const scratch = new DatabaseSync(':memory:')
  try {
    for (const sql of statements) scratch.exec(sql)
  } finally {
    scratch.close()
  }
}

function refuseNulls({ table, column }: ChangedColumn, database: DatabaseSync): void {
  const found = database.prepare(`SELECT 1 AS found FROM ${table} WHERE ${column} IS NULL LIMIT 1`).get()
  if (found !== undefined) throw new Error(`${table}.${column} still holds NULL.`)
}

/** Edits the text of a CREATE TABLE. */
export function editTable(sql: string, { table, column, change }: ChangedColumn): string {
  const from = sql.indexOf('(') + 1
  const to = sql.lastIndexOf(')')
  const parts = splitParts(sql.slice(from, to))
  const nameOf = (part: string) => /^\s*(\w+)/.exec(part)?.[1] ?? ''
  const at = parts.findIndex((part) => nameOf(part) === column)
  if (change.to === 'add') {
    if (at !== -1) throw new Error(`${table}.${column} is there already.`)
    const constraint = parts.findIndex((part) => /^\s*(PRIMARY KEY|UNIQUE|CHECK|CONSTRAINT|FOREIGN KEY)\b/.test(part))
    parts.splice(constraint === -1 ? parts.length : constraint, 0, ` ${change.definition}`)
  } else {
    const part = parts[at]
    if (part === undefined) throw new Error(`There is no column ${table}.${column}.`)
    parts[at] = editPart(part, column, change.to)
  }
  return `${sql.slice(0, from)}${parts.join(',')}${sql.slice(to)}`
}

function editPart(part: string, column: string, to: 'require' | 'allow null' | 'drop'): string {
  switch (to) {
    case 'allow null':
      return part.replace(' NOT NULL', '')
    case 'require':
      return part.includes(' NOT NULL') ? part : part.replace(/^(\s*\w+ \w+)/, '$1 NOT NULL')
    case 'drop':
      return part.replace(/^(\s*)\w+ (\w+)[\s\S]*$/, `$1dropped_${column} $2`)
  }
}

/** Splits at the commas that are in no brackets and no quotes. */
function splitParts(text: string): string[] {
  const parts: string[] = []
  let [depth, isQuoted, from] = [0, false, 0]
  for (const [at, char] of [...text].entries()) {
    if (char === "'") isQuoted = !isQuoted
    if (isQuoted) continue
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (char !== ',' || depth > 0) continue
    parts.push(text.slice(from, at))
    from = at + 1
  }
  return [...parts, text.slice(from)]
}
