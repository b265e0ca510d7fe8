import type { Connection, FieldDef, Submittable } from 'pg'
import { OperatorError } from '../../runtime/index.ts'
import type { Row, Value } from '../database.ts'
import type { Translation } from './translate.ts'

/** A statement as sent to the server. */
export interface BatchStatement extends Translation {
  params: readonly Value[]
}

/**
 * `answers[i]` belongs to statement `i`. After a failure, only those before `statement`, which failed, have answers.
 */
export type BatchResult =
  | { outcome: 'done'; answers: readonly Answer[] }
  | { outcome: 'failed'; answers: readonly Answer[]; statement: number; error: Error }

/**
 * Statement names prepared on a connection, with their result columns once known. A prepared statement's columns never
 * change, so they are requested only once.
 */
export type Prepared = Map<string, Answer['columns'] | null>

/** The version of `pg` that this file is written for, pinned in package.json. */
export const PG_VERSION = '8.23.1'

/** The internals of `pg` that `batch` relies on. The client calls a query's methods. */
const INTERNALS = {
  Connection: ['parse', 'bind', 'describe', 'execute', 'close', 'sync'],
  Query: ['handleRowDescription', 'handleDataRow', 'handleCommandComplete', 'handleError', 'handleReadyForQuery'],
} as const

/**
 * Checks that the installed `pg` has the internals that a batch relies on.
 *
 * @param pg The module, and the version from its package.json.
 * @throws {OperatorError} With the versions found and required.
 */
export function requireInternals(pg: Readonly<Record<keyof typeof INTERNALS, unknown>>, version: string): void {
  const absent = Object.entries(INTERNALS).flatMap(([name, methods]) => {
    const found: { prototype?: Readonly<Record<string, unknown>> } = Object(pg[name as keyof typeof INTERNALS]) // a key of INTERNALS
    return methods
      .filter((method) => typeof found.prototype?.[method] !== 'function')
      .map((method) => `${name}.${method}`)
  })
  if (absent.length === 0) return
  throw new OperatorError(
    `The installed pg ${version} cannot be used: it has no ${absent.join(', ')}. ` +
      `Tillwright needs pg ${PG_VERSION}: remove what overrides its version, and install again.`,
  )
}

/** Methods that `pg` calls on the active query but does not declare in its types; see its lib/query.js. */
interface Answered extends Submittable {
  handleRowDescription(message: { fields: readonly FieldDef[] }): void
  handleDataRow(message: { fields: readonly (string | null)[] }): void
  handleCommandComplete(): void
  handleError(error: Error): void
  handleReadyForQuery(): void
}

/**
 * Sends statements in one piece with a single Sync: one round trip, and the server skips everything after a failure.
 * Pass it to a client's `query`, one at a time. (The pipeline mode of `pg` sends a Sync with every statement, which
 * halves the throughput.)
 *
 * @param prepared The connection's prepared statements, kept up to date; an empty map where they are unknown. Either
 *   way the batch prepares each text once at most.
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
      const { stream } = connection
      const messages: Uint8Array[] = []
      // A stream's write costs more than most messages, and `pg` makes one for each.
      Object.assign(connection, { stream: collecting(stream, messages) })
      try {
        fresh = statements.map((statement) => send(connection, statement, prepared))
        connection.sync()
      } finally {
        Object.assign(connection, { stream })
      }
      stream.write(Buffer.concat(messages))
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
      // Statements after the failure were not prepared; the failed one may have been. All are prepared again next time.
      for (const name of [statements[statement]?.name ?? '', ...fresh.slice(statement)]) prepared.delete(name)
      settle({ outcome: 'failed', answers, statement, error })
    },
    handleReadyForQuery: () => settle({ outcome: 'done', answers }),
  }
  return query
}

const NO_COLUMNS: Answer['columns'] = []

/** A stream that keeps what is written to it, for as long as the other one can be written to. */
function collecting(stream: Connection['stream'], messages: Uint8Array[]): Connection['stream'] {
  const write = (sent: Uint8Array) => {
    messages.push(sent)
    return true
  }
  return Object.create(stream, { write: { value: write } })
}

/** @returns The statement's name if this call prepared it, otherwise nothing. */
function send(connection: Connection, { name, text, params }: BatchStatement, prepared: Prepared): string {
  const known = prepared.has(name)
  if (!known) {
    if (name === '') connection.parse({ name, text, types: [] }, true)
    else {
      connection.stream.write(preparationOf(name, text))
      prepared.set(name, null)
    }
  }
  connection.bind({ statement: name, values: params.map((param) => (param === null ? null : String(param))) }, true)
  // The answer to the first with a name describes all that follow, those of the same batch included.
  if (!known) connection.describe({ type: 'P' }, true)
  connection.execute(null, true)
  return known ? '' : name
}

/** The messages that prepare a statement, by its name. Behind some poolers each batch sends them again. */
const preparations = new Map<string, { text: string; messages: Buffer }>()

/**
 * After a failure, or at a pooler's connection, it is unknown whether the name is taken; closing an unknown name is not an
 * error. Source: PostgreSQL, "Message Formats": Close and Parse.
 */
function preparationOf(name: string, text: string): Buffer {
  const known = preparations.get(name)
  if (known?.text === text) return known.messages
  const messages = Buffer.concat([message('C', `S${name}\0`), message('P', `${name}\0${text}\0\0\0`)])
  preparations.set(name, { text, messages })
  return messages
}

function message(kind: string, content: string): Buffer {
  const body = Buffer.from(content)
  const head = Buffer.alloc(5, kind)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Unparsed rows of one statement; has no columns if it returns none. */
export interface Answer {
  columns: readonly Pick<FieldDef, 'name' | 'dataTypeID'>[]
  lines: readonly (readonly (string | null)[])[]
}

/** Object ids of PostgreSQL's built-in types; see pg_type.dat. */
const BOOL = 16
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]) // int8, int2, int4, oid, float4, float8, numeric

const NO_ROWS: readonly Row[] = []

/**
 * Parses an answer's rows: numbers as numbers, booleans as 0 or 1, everything else as text.
 *
 * @throws {RangeError} If a number is not an integer up to ±(2^53 - 1).
 */
export function rowsOf({ columns, lines }: Answer): readonly Row[] {
  if (columns.length === 0 || lines.length === 0) return NO_ROWS
  const readers = columns.map(({ name, dataTypeID }) => ({ name, read: columnReader(dataTypeID) }))
  return lines.map((line) => {
    const row: Row = {}
    for (const [i, { name, read }] of readers.entries()) {
      const text = line[i] ?? null
      row[name] = text === null ? null : read(text)
    }
    return row
  })
}

/** Reads a value of a type from its text. */
export function columnReader(typeId: number): (text: string) => Value {
  if (NUMBERS.has(typeId)) return wholeNumber
  if (typeId === BOOL) return (text) => (text === 't' ? 1 : 0)
  return (text) => text
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not a whole number up to ±(2^53 - 1).`)
  return number
}
