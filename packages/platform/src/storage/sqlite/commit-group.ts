import type { Row, Statement, Transaction, Value, WriteOutcome } from '../database.ts'
import { sharedStatements } from '../shared-statements.ts'
import { type Connection, isDuplicate, isUnavailable } from './connection.ts'

/** The writer's report on one unit: its outcome, or the error to reject it with. */
export type Report =
  | WriteOutcome
  | { outcome: 'mistaken'; message: string }
  | { outcome: 'unavailable'; message: string }

const NO_PARAMS: readonly Value[] = []
const NO_ROWS: readonly Row[] = []

/**
 * Runs units in one transaction, so that they share one wait for the disk. Each has a savepoint of its own: one that is
 * refused or mistaken leaves its neighbours alone. When it returns, whatever it reports as committed is on disk.
 */
export function commitGroup(connection: Connection, units: readonly Transaction[]): readonly Report[] {
  try {
    connection.change('BEGIN IMMEDIATE', NO_PARAMS)
    const reports = units.map((unit) => runUnit(connection, unit))
    const mistake = runShared(
      connection,
      units.filter((_, i) => reports[i]?.outcome === 'committed'),
    )
    if (mistake !== null) return judgeShared(connection, units, mistake)
    connection.change('COMMIT', NO_PARAMS)
    return reports
  } catch (error) {
    if (connection.database.isTransaction) connection.change('ROLLBACK', NO_PARAMS)
    const report: Report = { outcome: 'unavailable', message: messageOf(error) }
    return units.map(() => report)
  }
}

/**
 * Runs what the units share.
 *
 * @returns What is wrong with it, or `null`.
 * @throws If the whole group is lost.
 */
function runShared(connection: Connection, units: readonly Transaction[]): string | null {
  try {
    for (const { sql, params } of sharedStatements(units)) connection.change(sql, params)
    return null
  } catch (error) {
    if (isUnavailable(error)) throw error
    return messageOf(error)
  }
}

/** Alone, a unit answers for the mistake in what it shares; together they are tried one by one. */
function judgeShared(connection: Connection, units: readonly Transaction[], message: string): readonly Report[] {
  if (connection.database.isTransaction) connection.change('ROLLBACK', NO_PARAMS)
  if (units.length === 1) return [{ outcome: 'mistaken', message }]
  return units.flatMap((unit) => commitGroup(connection, [unit]))
}

/** @throws If the whole group is lost. */
function runUnit(connection: Connection, unit: Transaction): Report {
  const returned: (readonly Row[])[] = []
  connection.change('SAVEPOINT unit', NO_PARAMS)
  try {
    for (const statement of unit) {
      const rows = statement.shared ? NO_ROWS : runStatement(connection, statement)
      if (rows === 'broken') return undo(connection, refused(returned.length, 'expectation'))
      returned.push(rows)
    }
  } catch (error) {
    // After some failures SQLite has rolled back everything by itself; then there is no savepoint to return to.
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

/** A statement whose text is named by its place among all texts that were sent. */
type PackedStatement = readonly [text: number, params: readonly Value[], expect: number | undefined, shared: boolean]

/** Units on their way to the writer thread. Each SQL text travels once, however often it is run. */
export interface PackedUnits {
  /** Texts that were not sent before; the first of them has the number `from`. All that had a higher one are forgotten. */
  texts: readonly string[]
  from: number
  units: readonly (readonly PackedStatement[])[]
}

/** Beyond this number all texts are forgotten, so that one who makes them up does not fill both threads. */
const TEXTS_MAX = 1_000

/** @returns Packs units for one unpacker, which has to be given everything in the same order. */
export function packer(): (units: readonly Transaction[]) => PackedUnits {
  let known = new Map<string, number>()
  return (units) => {
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
    const packed = units.map((unit) =>
      unit.map(({ sql, params, expect, shared = false }) => [numberOf(sql), params, expect, shared] as const),
    )
    return { units: packed, texts, from }
  }
}

/** @returns Unpacks what one packer has packed. */
export function unpacker(): (packed: PackedUnits) => Transaction[] {
  const known: string[] = []
  return ({ texts, from, units }) => {
    known.splice(from, Infinity, ...texts)
    return units.map((unit) => unit.map((statement) => unpacked(statement, known)))
  }
}

function unpacked([text, params, expect, shared]: PackedStatement, known: readonly string[]): Statement {
  const sql = known[text]
  if (sql === undefined) throw new Error(`The text ${text} of a statement was not sent.`)
  return { sql, params, ...(expect !== undefined && { expect }), ...(shared && { shared }) }
}
