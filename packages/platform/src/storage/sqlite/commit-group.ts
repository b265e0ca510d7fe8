import type { Row, Statement, Unit, Value, WriteOutcome } from '../database.ts'
import { sharedStatements } from '../shared-statements.ts'
import type { Connection } from './connection.ts'
import { isDuplicate, isUnavailable } from './error-codes.ts'

/** What the writer reports of one unit: its outcome, or the error to reject it with. */
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
export function commitGroup(connection: Connection, units: readonly Unit[]): readonly Report[] {
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
function runShared(connection: Connection, units: readonly Unit[]): string | null {
  try {
    for (const { sql, params } of sharedStatements(units)) connection.change(sql, params)
    return null
  } catch (error) {
    if (isUnavailable(error)) throw error
    return messageOf(error)
  }
}

/** Alone, a unit answers for the mistake in what it shares; together they are tried one by one. */
function judgeShared(connection: Connection, units: readonly Unit[], message: string): readonly Report[] {
  if (connection.database.isTransaction) connection.change('ROLLBACK', NO_PARAMS)
  if (units.length === 1) return [{ outcome: 'mistaken', message }]
  return units.flatMap((unit) => commitGroup(connection, [unit]))
}

/** @throws If the whole group is lost. */
function runUnit(connection: Connection, unit: Unit): Report {
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
