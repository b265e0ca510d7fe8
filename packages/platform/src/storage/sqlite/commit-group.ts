import type { Row, Statement, Transaction, Value, WriteOutcome } from '../database.ts'
import { sharedRowByRow } from '../shared-statements.ts'
import { type Connection, isDuplicate, isUnavailable } from './connection.ts'

/** The writer's report about one transaction: its outcome, or the error to reject it with. */
export type Report =
  | WriteOutcome
  | { outcome: 'mistaken'; message: string }
  | { outcome: 'unavailable'; message: string }
  | { outcome: 'fenced'; schema: number }

const NO_PARAMS: readonly Value[] = []
const NO_ROWS: readonly Row[] = []

/**
 * Runs callers' transactions in one database transaction, so that they share one fsync. Each has its own savepoint, so
 * one that is refused or invalid does not affect the others. On return, everything reported as committed is on disk.
 *
 * @param schema The schema that this process knows: nothing is written to one that has left it behind. `null` while it is
 *   not held to one.
 */
export function commitGroup(
  connection: Connection,
  transactions: readonly Transaction[],
  schema: number | null = null,
): readonly Report[] {
  try {
    connection.change('BEGIN IMMEDIATE', NO_PARAMS)
    if (schema !== null && isLeftBehind(connection, schema)) {
      connection.change('ROLLBACK', NO_PARAMS)
      return transactions.map(() => ({ outcome: 'fenced', schema }))
    }
    const reports = transactions.map((transaction) => runTransaction(connection, transaction))
    const mistake = runShared(
      connection,
      transactions.filter((_, i) => reports[i]?.outcome === 'committed'),
    )
    if (mistake !== null) {
      if (connection.database.isTransaction) connection.change('ROLLBACK', NO_PARAMS)
      if (transactions.length === 1) return [{ outcome: 'mistaken', message: mistake }]
      // One by one, to find the one with the invalid shared statement.
      return transactions.flatMap((transaction) => commitGroup(connection, [transaction], schema))
    }
    connection.change('COMMIT', NO_PARAMS)
    return reports
  } catch (error) {
    if (connection.database.isTransaction) connection.change('ROLLBACK', NO_PARAMS)
    const report: Report = { outcome: 'unavailable', message: messageOf(error) }
    return transactions.map(() => report)
  }
}

function isLeftBehind(connection: Connection, schema: number): boolean {
  const [state] = connection.rows('SELECT oldest FROM schema_state WHERE id = 1', NO_PARAMS)
  return Number(state?.['oldest']) > schema
}

/**
 * Runs the shared statements.
 *
 * @returns The error message if one is invalid, otherwise `null`.
 * @throws If the whole group is lost.
 */
function runShared(connection: Connection, transactions: readonly Transaction[]): string | null {
  try {
    for (const { sql, params } of sharedRowByRow(transactions)) connection.change(sql, params)
    return null
  } catch (error) {
    if (isUnavailable(error)) throw error
    return messageOf(error)
  }
}

/** @throws If the whole group is lost. */
function runTransaction(connection: Connection, transaction: Transaction): Report {
  const returned: (readonly Row[])[] = []
  connection.change('SAVEPOINT callers_transaction', NO_PARAMS)
  try {
    for (const statement of transaction) {
      const rows = statement.shared ? NO_ROWS : runStatement(connection, statement)
      if (rows === 'broken') return undo(connection, refused(returned.length, 'expectation'))
      returned.push(rows)
    }
  } catch (error) {
    // After some errors SQLite has already rolled back everything, and the savepoint is gone.
    if (isUnavailable(error) || !connection.database.isTransaction) throw error
    if (!isDuplicate(error)) return undo(connection, { outcome: 'mistaken', message: messageOf(error) })
    return undo(connection, refused(returned.length, 'duplicate'))
  }
  connection.change('RELEASE callers_transaction', NO_PARAMS)
  return { outcome: 'committed', returned }
}

function runStatement(connection: Connection, { sql, params, expect }: Statement): readonly Row[] | 'broken' {
  if (expect === undefined) return connection.rows(sql, params)
  const count = /^\s*SELECT\b/.test(sql) ? connection.rows(sql, params).length : connection.change(sql, params)
  return count === expect ? NO_ROWS : 'broken'
}

function refused(statement: number, reason: 'expectation' | 'duplicate'): Report {
  return { outcome: 'refused', statement, reason }
}

function undo(connection: Connection, report: Report): Report {
  connection.change('ROLLBACK TO callers_transaction', NO_PARAMS)
  connection.change('RELEASE callers_transaction', NO_PARAMS)
  return report
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Instead of the number of rows that must change: there is no guard, or the statement is shared. */
const UNGUARDED = -1
const SHARED = -2

/** Transactions on their way to the writer thread. Each SQL text is sent once, however often it is run. */
export interface PackedTransactions {
  /** Texts not sent before; the first has the number `from`. Any with a higher number are forgotten. */
  texts: readonly string[]
  from: number
  /**
   * One list of values, which is copied to the other thread in half the time that the same takes as lists within lists: for
   * each transaction the number of its statements, and for each of these the number of its text, its guard, the number of
   * its parameters, and the parameters.
   */
  values: readonly Value[]
}

/** Beyond this number all texts are forgotten, so that generated SQL cannot fill the memory of both threads. */
const TEXTS_MAX = 1_000

/** @returns Packs transactions for one unpacker, which must receive every result in order. */
export function packer(): (transactions: readonly Transaction[]) => PackedTransactions {
  let known = new Map<string, number>()
  return (transactions) => {
    if (known.size >= TEXTS_MAX) known = new Map()
    const from = known.size
    const texts: string[] = []
    const numberOf = (sql: string): number => {
      const number = known.get(sql)
      if (number !== undefined) return number
      texts.push(sql)
      known.set(sql, known.size)
      return known.size - 1
    }
    const values: Value[] = []
    for (const transaction of transactions) {
      values.push(transaction.length)
      for (const { sql, params, expect, shared } of transaction) {
        values.push(numberOf(sql), shared ? SHARED : (expect ?? UNGUARDED), params.length, ...params)
      }
    }
    return { values, texts, from }
  }
}

/** @returns Unpacks the results of one packer. */
export function unpacker(): (packed: PackedTransactions) => Transaction[] {
  const known: string[] = []
  return ({ texts, from, values }) => {
    known.splice(from, Infinity, ...texts)
    const transactions: Transaction[] = []
    let at = 0
    const next = () => Number(values[at++])
    while (at < values.length) {
      const transaction: Statement[] = []
      for (let left = next(); left > 0; left--) {
        const [text, guard, count] = [next(), next(), next()]
        transaction.push(unpacked(textOf(text, known), guard, values.slice(at, at + count)))
        at += count
      }
      transactions.push(transaction)
    }
    return transactions
  }
}

function textOf(number: number, known: readonly string[]): string {
  const sql = known[number]
  if (sql === undefined) throw new Error(`The text ${number} of a statement was not sent.`)
  return sql
}

function unpacked(sql: string, guard: number, params: readonly Value[]): Statement {
  if (guard === SHARED) return { sql, params, shared: true }
  return guard === UNGUARDED ? { sql, params } : { sql, params, expect: guard }
}

/** A report on its way back: of the usual transaction, which is committed and returns no rows, the number of its statements. */
export type PackedReport = Report | number

export function packedReport(report: Report): PackedReport {
  if (report.outcome !== 'committed' || report.returned.some((rows) => rows.length > 0)) return report
  return report.returned.length
}

export function unpackedReport(packed: PackedReport): Report {
  if (typeof packed !== 'number') return packed
  return { outcome: 'committed', returned: Array.from({ length: packed }, () => NO_ROWS) }
}
