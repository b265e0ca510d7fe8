import type { Row } from './database.ts'

/** A table as its engine's catalogue describes it. */
export interface DescribedTable {
  name: string
  columns: readonly { name: string; type: 'text' | 'int'; required: boolean }[]
  /** The primary key. */
  key: readonly string[]
}

/**
 * All rows of a database as they were at one moment, while others go on writing. Each row is one line, a JSON array of
 * its columns, the same text on both engines; the rows of a table come in the order of its primary key.
 */
export interface Snapshot {
  readonly engine: 'sqlite' | 'postgres'
  tables(): Promise<readonly DescribedTable[]>
  lines(table: DescribedTable): AsyncIterable<readonly string[]>
  rows(sql: string): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Takes rows into a database that no other process uses yet. */
export interface Loader {
  hasTable(name: string): Promise<boolean>
  /** Lines of a snapshot, a few thousand at most. */
  load(table: DescribedTable, lines: readonly string[]): Promise<void>
  /** Runs statements in migration syntax together, without parameters. */
  run(statements: readonly string[]): Promise<void>
  /** Makes everything durable, and closes. */
  close(): Promise<void>
}

/** How many rows are read at once. */
export const LINES_AT_ONCE = 2_000

/** An SQL expression for a row's line; `quote` makes JSON of one column. */
export function lineOf({ columns }: DescribedTable, quote: (column: string) => string): string {
  return `'[' || ${columns.map(({ name }) => `COALESCE(${quote(name)}, 'null')`).join(" || ',' || ")} || ']'`
}
