import { OperatorError } from '../runtime/index.ts'

/** A column value on either engine: text without NUL, an integer within ±(2^53 - 1), or NULL. */
export type Value = string | number | null

/** One row as the engine returns it, by column name. */
export type Row = Record<string, Value>

/**
 * SQL of the portable subset, with `?` for each parameter in order. Two words stand for what the engines say differently:
 * `{items}` for the elements of a JSON array, its only `?`, as rows `item.value`; `{writer}` for a number that no other
 * connection writes under at the same time.
 */
export interface Query {
  /** A fixed text: engines keep it prepared, so nothing that varies belongs in it. */
  sql: string
  params: readonly Value[]
}

/**
 * One statement of a unit of writes. It either returns rows (its SQL has `RETURNING`) or may carry a guard, not both.
 */
export interface Statement extends Query {
  /** The guard: how many rows must change. Another count undoes the whole unit. */
  expect?: number
  /**
   * Runs once for all units that are committed together, behind them. Its one parameter is JSON text; what arrives is
   * the JSON array of the texts of all units that carry this SQL. For counters that every unit moves: under load many
   * share one change of a row. It carries no guard and returns no rows.
   */
  shared?: true
}

/**
 * Statements that take effect together or not at all. Built by pure code from what was read before.
 *
 * The first text parameter of the first statement that is not shared should be the account: PostgreSQL locks the rows of units that it
 * commits together in that order, so that groups of several processes do not lock each other out. `account-first.ts`
 * watches over it while tests run.
 */
export type Transaction = readonly Statement[]

/**
 * Outcome of a unit. `committed` is reported only once the unit is on disk; `returned[i]` holds the rows of statement
 * `i`, empty for one without `RETURNING`. `refused` means that nothing was changed: statement number `statement` failed
 * its guard (`expectation`) or violated a unique constraint (`duplicate`).
 */
export type WriteOutcome =
  | { outcome: 'committed'; returned: readonly (readonly Row[])[] }
  | { outcome: 'refused'; statement: number; reason: 'expectation' | 'duplicate' }

/** Thrown when the engine cannot serve: no connection, a full disk, a closed database. Worth trying again later. */
export class DatabaseUnavailable extends OperatorError {
  override readonly name = 'DatabaseUnavailable'
}

/**
 * A durable store. Two engines implement it and run one suite, `database.conformance.ts`.
 *
 * Units that arrive together may be committed together; they never see each other half-done. A read that starts after
 * a unit was reported as committed sees it. A mistake in the SQL rejects the read or the unit it is in with another
 * error than `DatabaseUnavailable`, and nothing of that unit is kept.
 */
export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  /** @throws {DatabaseUnavailable} */
  read(sql: string, params: readonly Value[]): Promise<readonly Row[]>
  /** @throws {DatabaseUnavailable} Then the unit may or may not have been committed, as with any lost connection. */
  write(unit: Transaction): Promise<WriteOutcome>
  /** Waits for the units under way, then gives up every file, lock and connection. */
  close(): Promise<void>
}
