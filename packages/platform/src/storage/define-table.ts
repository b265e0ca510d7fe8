import type { Row, Value } from './database.ts'

/** Marks a value that a column must not hold. */
const UNEXPECTED = Symbol('unexpected')

/** The type of a column: how a value of the database becomes one of TypeScript. */
export interface Column<T> {
  /** Describes a valid value; shown in the error for an invalid one. */
  readonly expects: string
  readonly sqlType: 'text' | 'int'
  readonly isNullable: boolean
  parse(value: Value): T | typeof UNEXPECTED
  /** `table.column`, where the column belongs to a table. */
  readonly place?: string
}

/** The columns of a table or of a row, by name. */
export type Columns = Readonly<Record<string, Column<unknown>>>

/** A row after it was read with its columns. */
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never }

/** Text. */
export const text: Column<string> = {
  expects: 'text',
  sqlType: 'text',
  isNullable: false,
  parse: (value) => (typeof value === 'string' ? value : UNEXPECTED),
}

/** A whole number; also a time, in milliseconds since 1970, and an amount, in minor units. */
export const int: Column<number> = {
  expects: 'a whole number',
  sqlType: 'int',
  isNullable: false,
  parse: (value) => (Number.isSafeInteger(value) ? Number(value) : UNEXPECTED),
}

/** `true` or `false`, kept as 1 or 0. */
export const flag: Column<boolean> = {
  expects: '0 or 1',
  sqlType: 'int',
  isNullable: false,
  parse: (value) => (value === 1 ? true : value === 0 ? false : UNEXPECTED),
}

/**
 * One of some words.
 *
 * @param members A list of them, or a record with a key for each, so that a new word of a union fails to compile.
 */
export function oneOf<const Member extends string>(
  members: readonly Member[] | Readonly<Record<Member, unknown>>,
): Column<Member> {
  const words = new Set<Value>(Array.isArray(members) ? members : Object.keys(members))
  const isMember = (value: Value): value is Member => words.has(value)
  return {
    expects: `one of ${[...words].join(', ')}`,
    sqlType: 'text',
    isNullable: false,
    parse: (value) => (isMember(value) ? value : UNEXPECTED),
  }
}

/**
 * JSON text that the platform wrote from a `T`. That it is JSON is checked; that it is a `T` is declared here, with the
 * table, and nowhere else.
 */
export function json<T>(): Column<T> {
  return { expects: 'JSON', sqlType: 'text', isNullable: false, parse: parseJson }
}

function parseJson(value: Value) {
  if (typeof value !== 'string') return UNEXPECTED
  try {
    return JSON.parse(value)
  } catch {
    return UNEXPECTED
  }
}

/** The same column where it may also be NULL: by its table, or because of a LEFT JOIN. */
export function nullable<T>(column: Column<T>): Column<T | null> {
  return { ...column, isNullable: true, parse: (value) => (value === null ? null : column.parse(value)) }
}

/** The text of a JSON column, for an answer that is sent as it is stored. */
export function rawJson(column: Column<unknown>): Column<string> {
  return { ...column, isNullable: false, parse: text.parse }
}

/** Describes a table: every column with its type, in the order of the schema. */
export function defineTable<C extends Columns>(name: string, columns: C): C {
  const placed = Object.entries(columns).map(([key, column]) => [key, { ...column, place: `${name}.${key}` }])
  return Object.fromEntries(placed) as C // the same keys and types
}

/** Some of a table's columns. */
export function pick<C extends Columns, Name extends keyof C & string>(table: C, ...names: Name[]): Pick<C, Name> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<C, Name> // the keys just picked
}

/**
 * Builds a reader for the rows of a SELECT or RETURNING. Create it once, next to its SQL.
 *
 * @param columns By the name that each has in the result: a whole table for `SELECT *`, columns picked from several for
 *   a join, a bare type for what is computed. What else the rows hold is left out.
 * @returns Reads rows; throws `UnexpectedValue` where one does not hold what its columns say.
 */
export function rowReader<C extends Columns>(columns: C): (rows: readonly Row[]) => RowOf<C>[] {
  const entries = Object.entries(columns)
  function read(row: Row): RowOf<C> {
    const parsed: Record<string, unknown> = {}
    for (const [name, column] of entries) {
      const value = row[name]
      const result = value === undefined ? UNEXPECTED : column.parse(value)
      if (result === UNEXPECTED) throw new UnexpectedValue(column.place ?? name, column, value)
      parsed[name] = result
    }
    return parsed as RowOf<C> // each by its own column
  }
  return (rows) => rows.map(read)
}

/** The database holds something that the table's columns do not allow. The value itself is not in the message. */
export class UnexpectedValue extends Error {
  override readonly name = 'UnexpectedValue'

  constructor(place: string, { expects, isNullable }: Column<unknown>, value: Value | undefined) {
    const wanted = isNullable ? `${expects} or NULL` : expects
    const found = value === undefined ? 'was not selected' : `holds ${kindOf(value)}`
    super(`The column ${place} ${found}, where ${wanted} belongs.`)
  }
}

function kindOf(value: Value): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? 'other text' : 'another number'
}
