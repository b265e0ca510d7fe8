import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { type DescribedTable, lineOf, LINES_AT_ONCE, type Loader, type Snapshot } from '../snapshot.ts'
import { inWordsOf } from '../statements.ts'
import { prepared } from './connection.ts'

/** Opens a snapshot of a file: a read transaction, which lets a platform go on writing. */
export function openSnapshot(file: string): Snapshot {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  const connection = prepared(database)
  database.exec('BEGIN')
  connection.rows('SELECT count(*) FROM sqlite_schema', []) // the moment is that of the first read
  return {
    engine: 'sqlite',
    async tables() {
      const names = connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
        [],
      )
      return names.map(({ name }) => describe(String(name), database))
    },
    async *lines(table) {
      const line = lineOf(table, (column) => `json_quote(${column})`)
      const rows = database.prepare(`SELECT ${line} AS line FROM ${table.name} ORDER BY ${table.key.join(', ')}`)
      let lines: string[] = []
      for (const row of rows.iterate()) {
        if (lines.push(String(row['line'])) < LINES_AT_ONCE) continue
        yield lines
        lines = []
        await setImmediate()
      }
      if (lines.length > 0) yield lines
    },
    rows: async (sql) => connection.rows(sql, []),
    close: async () => database.close(),
  }
}

function describe(name: string, database: DatabaseSync): DescribedTable {
  const columns = database.prepare('SELECT name, type, "notnull" AS required, pk FROM pragma_table_info(?)').all(name)
  const live = columns.filter((column) => !String(column['name']).startsWith('dropped_'))
  const key = live.filter((column) => Number(column['pk']) > 0).toSorted((a, b) => Number(a['pk']) - Number(b['pk']))
  return {
    name,
    columns: live.map((column) => ({
      name: String(column['name']),
      type: column['type'] === 'INTEGER' ? 'int' : 'text',
      required: column['required'] === 1,
    })),
    key: key.map((column) => String(column['name'])),
  }
}

/** Opens a file to be filled. Nothing in it is safe before `close`. */
export function openLoader(file: string): Loader {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -131072; PRAGMA temp_store = MEMORY',
  )
  function together(work: () => void): void {
    database.exec('BEGIN IMMEDIATE')
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
  return {
    async hasTable(name) {
      return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined
    },
    async load({ name, columns }, lines) {
      const places = columns.map(() => '?').join(', ')
      const sql = `INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')}) VALUES (${places})`
      const insert = database.prepare(sql)
      together(() => {
        for (const line of lines) insert.run(...bound(JSON.parse(line)))
      })
      await setImmediate()
    },
    run: async (statements) => together(() => statements.forEach((sql) => database.exec(inWordsOf('sqlite', sql)))),
    async close() {
      database.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
    },
  }
}

/** Numbers as whole numbers; SQLite would store a JavaScript number as a float. */
function bound(values: readonly (string | number | null)[]): SQLInputValue[] {
  return values.map((value) => (typeof value === 'number' ? BigInt(value) : value))
}
