import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Row, Value } from '../database.ts'

/** A connection that keeps its statements prepared. */
export interface Connection {
  readonly database: DatabaseSync
  /** The rows of a statement, empty for one that returns none. */
  rows(sql: string, params: readonly Value[]): readonly Row[]
  /** Runs a statement that returns no rows; answers how many it changed. */
  change(sql: string, params: readonly Value[]): number
}

/** Texts beyond this number push out the oldest. The platform has a few hundred. */
const MAX_PREPARED = 1_000

export function prepared(database: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>()
  function statementOf(sql: string): StatementSync {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(inWordsOfSqlite(sql))
    if (statements.size === MAX_PREPARED) for (const oldest of statements.keys().take(1)) statements.delete(oldest)
    statements.set(sql, statement)
    return statement
  }
  return {
    database,
    // A blob or a bigint cannot come back: no column holds the one, and reading the other was not asked for.
    rows: (sql, params) => statementOf(sql).all(...bindable(params)) as Row[],
    change: (sql, params) => Number(statementOf(sql).run(...bindable(params)).changes),
  }
}

/** There is one writer, and what it writes under is 0. */
function inWordsOfSqlite(sql: string): string {
  return sql.replaceAll('{items}', 'json_each(?) AS item').replaceAll('{writer}', '0')
}

/** Numbers as bigints: SQLite would get a JavaScript number as a float, and divide and print it as one. */
function bindable(params: readonly Value[]): readonly SQLInputValue[] {
  if (!params.some((param) => typeof param === 'number')) return params
  return params.map((param) => (typeof param === 'number' ? BigInt(param) : param))
}
