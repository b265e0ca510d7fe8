import type { Connection, FieldDef, Submittable } from 'pg'
import type { Value } from '../database.ts'
import type { Answer } from './answer.ts'
import type { Translation } from './translate.ts'

/** A statement as it is sent. */
export interface BatchStatement extends Translation {
  params: readonly Value[]
}

/** `answers[i]` is to statement `i`. Of a batch that failed: to those before `statement`, which failed. */
export type BatchResult =
  | { outcome: 'done'; answers: readonly Answer[] }
  | { outcome: 'failed'; answers: readonly Answer[]; statement: number; error: Error }

/**
 * The names that a connection has prepared, with the columns of what they return once these are known: a prepared
 * statement never changes them, so that they are asked for once.
 */
export type Prepared = Map<string, Answer['columns'] | null>

/** What `pg` calls on the query that is being answered, beyond what its types say; see its lib/query.js. */
interface Answered extends Submittable {
  handleRowDescription(message: { fields: readonly FieldDef[] }): void
  handleDataRow(message: { fields: readonly (string | null)[] }): void
  handleCommandComplete(): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/**
 * Statements that go to the server in one piece, with one Sync behind them: one round trip, and after a failure the
 * server skips the rest. To be given to a client's `query`, one at a time. (The pipeline mode of `pg` sends a Sync with
 * every statement, which halves the throughput.)
 *
 * @param prepared What this connection has prepared; kept up to date.
 * @param settle Also called when the connection is lost.
 */
export function batch(
  statements: readonly BatchStatement[],
  prepared: Prepared,
  settle: (result: BatchResult) => void,
): Submittable {
  const answers: Answer[] = []
  let fresh: readonly string[] = []
  let described: Answer['columns'] | null = null
  let lines: (readonly (string | null)[])[] = []
  const query: Answered = {
    submit(connection) {
      connection.stream.cork()
      fresh = statements.map((statement) => send(connection, statement, prepared))
      connection.sync()
      connection.stream.uncork()
    },
    handleRowDescription({ fields }) {
      described = fields
    },
    handleDataRow({ fields }) {
      lines.push(fields)
    },
    handleCommandComplete() {
      const name = statements[answers.length]?.name ?? ''
      const columns = described ?? prepared.get(name) ?? NO_COLUMNS
      if (name !== '' && prepared.has(name)) prepared.set(name, columns)
      answers.push({ columns, lines })
      described = null
      lines = []
    },
    handleError(error) {
      const statement = answers.length
      // Those behind the failure were not prepared, and it may have been before it failed: all are done anew next time.
      for (const name of [statements[statement]?.name ?? '', ...fresh.slice(statement)]) prepared.delete(name)
      settle({ outcome: 'failed', answers, statement, error })
    },
    handleReadyForQuery: () => settle({ outcome: 'done', answers }),
  }
  return query
}

const NO_COLUMNS: Answer['columns'] = []

/** @returns The statement's name if this prepared it, otherwise nothing. */
function send(connection: Connection, { name, text, params }: BatchStatement, prepared: Prepared): string {
  const known = prepared.has(name)
  if (!known) {
    // Whether a name is taken can be unknown after a failure; closing one that is not is no error.
    if (name !== '') connection.close({ type: 'S', name }, true)
    connection.parse({ name, text, types: [] }, true)
    if (name !== '') prepared.set(name, null)
  }
  connection.bind({ statement: name, values: params.map((param) => (param === null ? null : String(param))) }, true)
  if ((prepared.get(name) ?? null) === null) connection.describe({ type: 'P' }, true)
  connection.execute(null, true)
  return known ? '' : name
}
