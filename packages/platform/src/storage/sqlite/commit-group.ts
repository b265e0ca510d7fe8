import type { Row, Statement, Transaction, Value, WriteOutcome } from '../database.ts'
import { sharedStatements } from '../shared-statements.ts'
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
    for (const { sql, params } of sharedStatements(transactions)) connection.change(sql, params)
    return null
  } catch (error) {
    if (isUnavailable(error)) throw error
    return messageOf(error)
  }
}

/** @throws If the whole group is lost. */
function runTransaction(connection: Connection, transaction: Transaction): Report {
  const returned: (readonly Row[])[] = []
  connection.change('SAVEPOINT unit', NO_PARAMS)
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
  connection.change('RELEASE unit', NO_PARAMS)
  return { outcome: 'committed', returned }
}

function runStatement(connection: Connection, { sql, params, expect }: Statement): readonly Row[] | 'broken' {
  if (expect === undefined) return connection.rows(sql, params)
  return connection.change(sql, params) === expect ? NO_ROWS : 'broken'
}

function refused(statement: number, reason: 'expectation' | 'duplicate'): Report {
  return { outcome: 'refused', statement, reason }
}

function undo(connection: Connection, report: Report): Report {
  connection.change('ROLLBACK TO unit', NO_PARAMS)
  connection.change('RELEASE unit', NO_PARAMS)
  return report
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A statement whose SQL is replaced by its index among all texts sent so far. */
type PackedStatement = readonly [text: number, params: readonly Value[], expect: number | undefined, shared: boolean]

/** Transactions on their way to the writer thread. Each SQL text is sent once, however often it is run. */
export interface PackedTransactions {
  /** Texts not sent before; the first has the number `from`. Any with a higher number are forgotten. */
  texts: readonly string[]
  from: number
  transactions: readonly (readonly PackedStatement[])[]
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
    const packed = transactions.map((transaction) =>
      transaction.map(({ sql, params, expect, shared = false }) => [numberOf(sql), params, expect, shared] as const),
    )
    return { transactions: packed, texts, from }
  }
}

/** @returns Unpacks the results of one packer. */
export function unpacker(): (packed: PackedTransactions) => Transaction[] {
  const known: string[] = []
  return ({ texts, from, transactions }) => {
    known.splice(from, Infinity, ...texts)
    return transactions.map((transaction) => transaction.map((statement) => unpacked(statement, known)))
  }
}

function unpacked([text, params, expect, shared]: PackedStatement, known: readonly string[]): Statement {
  const sql = known[text]
  if (sql === undefined) throw new Error(`The text ${text} of a statement was not sent.`)
  return { sql, params, ...(expect !== undefined && { expect }), ...(shared && { shared }) }
}
