import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../runtime/index.ts'

/** A column's value on either engine: text without NUL, an integer up to ±(2^53 - 1), or NULL. */
export type Value = string | number | null

/** A row as the engine returns it, by column name. */
export type Row = Record<string, Value>

/**
 * SQL in the portable subset, with `?` for each parameter in order. Placeholders cover the engines' differences:
 * `{items}` expands a JSON array, its only `?`, into rows `item.value`; `{each}`, in a shared statement without any
 * `?`, stands for such rows of all that share it, each with its parameters as `item.value ->> 0` and so on; `{writer}`
 * is a number that no other connection uses for writing at the same time; `{kept}` ends a subselect whose rows no other
 * transaction may delete before this one ends; `{now}` is the time by the clock of the database's machine, in
 * milliseconds since the Unix epoch.
 */
export interface Query {
  /** Constant text: engines cache it as a prepared statement, so values belong in `params`. */
  sql: string
  params: readonly Value[]
}

/** One statement of a transaction. It either returns rows (its SQL has `RETURNING`) or may carry a guard, not both. */
export interface Statement extends Query {
  /** Guard: the number of rows that must change, or that a SELECT must find. Any other count rolls the transaction back. */
  expect?: number
  /**
   * Runs after all others, for all transactions that are committed together. It has no guard and returns no rows.
   *
   * With `{items}` its one parameter is JSON text, and the statement runs once, with a JSON array of the parameters of all
   * transactions that share this SQL: for counters that every transaction updates, many of which then share one row update.
   * With `{each}` its parameters are values, and nothing may depend on whether it runs once for all rows or once for each:
   * a server is asked once; SQLite, where another run costs less than JSON, runs it for each.
   */
  shared?: true
}

/**
 * Statements that take effect together or not at all. Built by pure code from values read beforehand.
 *
 * The first text parameter of the first unshared statement should be the account: PostgreSQL locks the rows of
 * transactions that it commits together in that order, so that groups from several processes do not deadlock.
 * `account-first.ts` checks this in tests.
 */
export type Transaction = readonly Statement[]

/**
 * The outcome of a transaction. `committed` is reported only once it is on disk; `returned[i]` holds the rows of
 * statement `i`, empty without `RETURNING`. `refused` means that nothing was changed: statement number `statement`
 * violated its guard (`expectation`) or a unique constraint (`duplicate`).
 */
export type WriteOutcome =
  | { outcome: 'committed'; returned: readonly (readonly Row[])[] }
  | { outcome: 'refused'; statement: number; reason: 'expectation' | 'duplicate' }

/** Thrown when the database cannot serve: no connection, a full disk, a closed database. Safe to retry later. */
export class DatabaseUnavailable extends OperatorError {
  override readonly name: string = 'DatabaseUnavailable'
}

/**
 * Thrown when a newer version has changed the schema in a way that this process does not know: nothing that it writes is
 * kept, and nothing will be until it is replaced.
 */
export class DatabaseFenced extends DatabaseUnavailable {
  override readonly name = 'DatabaseFenced'

  constructor(schema: number) {
    super(
      `A newer version has changed the database, and this process, which knows schema ${schema}, writes nothing to it any more. ` +
        'Stop it and start the newer version.',
    )
  }
}

/** `stale`: what is read may be a little behind what was committed, so that a replica may answer. */
export interface ReadOptions {
  stale?: boolean
}

/** How busy a database is with one kind of work. */
export interface PoolLoad {
  pool: 'reads' | 'writes'
  connections: number
  /** Connections at work. */
  used: number
  /** Reads or transactions that wait for a connection. */
  waiting: number
}

/**
 * A durable store. Both engines run the suite `database.conformance.ts`.
 *
 * Transactions that arrive together may be committed together; they never see each other's partial changes. A read that
 * starts after a transaction was reported as committed sees its changes. Invalid SQL rejects the read or transaction
 * that contains it with an error other than `DatabaseUnavailable`, and nothing of that transaction is kept.
 */
export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  /** @throws {DatabaseUnavailable} */
  read(sql: string, params: readonly Value[], options?: ReadOptions): Promise<readonly Row[]>
  /** @throws {DatabaseUnavailable} The transaction may or may not have been committed, as with any lost connection. */
  write(transaction: Transaction): Promise<WriteOutcome>
  /** How busy it is at this moment. */
  load(): readonly PoolLoad[]
  /** Changes of the schema; absent from what only wraps a database. */
  readonly schema?: SchemaAccess
  /**
   * Removes what was deleted from the log of changes as well, where the platform can: of an embedded database, whose file
   * itself is overwritten by every deletion. Absent where there is nothing to do.
   *
   * @returns `false` while a reader uses the log; then try again later.
   */
  readonly emptyLog?: () => Promise<boolean>
  /** Waits for running transactions, then releases every file, lock and connection. */
  close(): Promise<void>
}

/** How a database's schema is changed, and how a process is kept from writing to one that it does not know. */
export interface SchemaAccess {
  /** Opens a connection that the limits of serving do not bind: neither their time nor their number. */
  connect(): Promise<SchemaConnection>
  /** Whether no other process can be writing: of an embedded database, whether no platform but this one has it open. */
  isAlone(): boolean
  /**
   * From now on refuses every transaction with `DatabaseFenced` once `schema_state.oldest` is greater than this. The
   * database itself decides, within the transaction.
   */
  fence(schema: number): void
}

/** A connection for changes of the schema. One call at a time. */
export interface SchemaConnection {
  rows(sql: string, params?: readonly Value[]): Promise<readonly Row[]>
  /**
   * Runs statements in one transaction. Waits for locks for a moment only, so that no other transaction queues behind
   * it.
   *
   * @throws {LockBusy} If another transaction holds a lock for longer.
   */
  transaction(statements: readonly Statement[]): Promise<void>
  /** Creates or drops an index without keeping writers out. May be run again after it was cut off. */
  index(name: string, sql: string): Promise<void>
  /** Changes the definition of a column and none of the rows, together with statements. SQLite only. */
  column(change: ChangedColumn, statements: readonly Statement[]): Promise<void>
  /** Resolves once no transaction is left that began before this call and has written anything. */
  drained(): Promise<void>
  close(): Promise<void>
}

/** A column of a table, and what becomes of it. */
export interface ChangedColumn {
  table: string
  column: string
  change: { to: 'add'; definition: string } | { to: 'require' | 'allow null' | 'drop' }
}

/** Thrown when a change of the schema would have to wait for another transaction's lock. Safe to retry. */
export class LockBusy extends Error {
  override readonly name = 'LockBusy'
}

/** Thrown when a change of the schema took longer than a statement may. Nothing of it is done. */
export class StatementTooLong extends OperatorError {
  override readonly name = 'StatementTooLong'

  /** @param limitMs The limit of the settings; 0 if they have none, so that the server or a pooler has set it. */
  constructor(limitMs: number, options?: ErrorOptions) {
    super(
      limitMs === 0
        ? 'A limit of the server or of a pooler has cut it off: run "tillwright migrate" with a DATABASE_URL that leads to PostgreSQL itself.'
        : `It took longer than ${limitMs / 1_000} s: raise TILLWRIGHT_MIGRATE_STATEMENT_SECONDS, or set it to 0 for no limit.`,
      options,
    )
  }
}

/** Thrown when there is no room for a change of the schema. Nothing of it is done. */
export class DiskFull extends OperatorError {
  override readonly name = 'DiskFull'

  constructor(options?: ErrorOptions) {
    super("The database's disk is full: make room.", options)
  }
}

/** The same database, whose reads may be a little behind: for lists and exports, not for reads after a write. */
export function staleReads(db: Database): Database {
  return { ...db, read: (sql, params) => db.read(sql, params, { stale: true }) }
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1_000

/**
 * Repeats an attempt for as long as the database is away. It must be one that a second time is refused, because the first
 * may have been committed although nothing was heard of it.
 *
 * @param goesOn Asked before each further attempt.
 * @throws What the last attempt has thrown.
 */
export async function insist<T>(attempt: () => Promise<T>, goesOn: () => boolean): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || !goesOn()) throw error
    }
    await delay(pauseMs, undefined, { ref: false })
  }
}
