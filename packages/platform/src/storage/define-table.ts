import type { Database, Row, Value } from './database.ts'

/** Returned by a column's reader for a value that the column must not hold. */
const UNEXPECTED = Symbol('unexpected')

/** A column's type: how a database value becomes a TypeScript value. */
export interface Column<T> {
  /** A description of valid values, for the error message. */
  readonly expects: string
  readonly sqlType: 'text' | 'int'
  readonly isNullable: boolean
  parse(value: Value): T | typeof UNEXPECTED
  /** `table.column`, if the column belongs to a table. */
  readonly place?: string
}

/** The columns of a table or of a row, by name. */
export type Columns = Readonly<Record<string, Column<unknown>>>

/** A row parsed with its columns. */
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never }

export const text: Column<string> = {
  expects: 'text',
  sqlType: 'text',
  isNullable: false,
  parse: (value) => (typeof value === 'string' ? value : UNEXPECTED),
}

/** An integer; also used for times, in milliseconds since the Unix epoch, and for amounts, in minor units. */
export const int: Column<number> = {
  expects: 'a whole number',
  sqlType: 'int',
  isNullable: false,
  parse: (value) => (Number.isSafeInteger(value) ? Number(value) : UNEXPECTED),
}

/** A boolean, stored as 1 or 0. */
export const flag: Column<boolean> = {
  expects: '0 or 1',
  sqlType: 'int',
  isNullable: false,
  parse: (value) => (value === 1 ? true : value === 0 ? false : UNEXPECTED),
}

/**
 * One of a fixed set of strings.
 *
 * @param members A list, or a record with a key for each, so that adding a member to the union fails to compile here.
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
 * JSON text that the platform wrote from a `T`. Only its syntax is checked when it is read; its type is declared here,
 * with the table, and nowhere else.
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

/** The same column, but nullable: by its definition, or because of a LEFT JOIN. */
export function nullable<T>(column: Column<T>): Column<T | null> {
  return { ...column, isNullable: true, parse: (value) => (value === null ? null : column.parse(value)) }
}

/** The unparsed text of a JSON column, for responses that return it as it is stored. */
export function rawJson(column: Column<unknown>): Column<string> {
  return { ...column, isNullable: false, parse: text.parse }
}

/** Defines a table: every column with its type, in the order of the schema. */
export function defineTable<C extends Columns>(name: string, columns: C): C {
  const placed = Object.entries(columns).map(([key, column]) => [key, { ...column, place: `${name}.${key}` }])
  return Object.fromEntries(placed) as C // the same keys and types
}

export function pick<C extends Columns, Name extends keyof C & string>(table: C, ...names: Name[]): Pick<C, Name> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<C, Name> // the keys just picked
}

/**
 * Creates a parser for the rows of a SELECT or RETURNING. Built once, next to its SQL.
 *
 * @param columns By their names in the result: a whole table for `SELECT *`, columns picked from several tables for a
 *   join, a bare type for a computed value. Other values in the rows are dropped.
 * @returns Parses rows; throws `UnexpectedValue` if a value does not match its column.
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
    return parsed as RowOf<C> // each value was parsed by its own column
  }
  return (rows) => rows.map(read)
}

/** Thrown for a stored value that its column does not allow. The message does not contain the value. */
class UnexpectedValue extends Error {
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

/** Few lengths make few statements, which the database keeps prepared. */
function padded(values: readonly Value[]): Value[] {
  const [last] = values.slice(-1)
  if (last === undefined) return []
  const length = [1, 8, 32, 128, 512].find((size) => size >= values.length) ?? 1_024
  return [...values, ...Array.from({ length: Math.max(0, length - values.length) }, () => last)]
}

/**
 * The end of a condition that a column is one of some values, and its parameters. Only a few different numbers of marks
 * come of it, so that the database keeps the statements prepared.
 *
 * @param values At least one, at most 1,024.
 */
export function among(values: readonly Value[]): { sql: `IN (${string})`; params: Value[] } {
  const params = padded(values)
  return { sql: `IN (${params.map(() => '?').join(', ')})`, params }
}

/** Reads whole rows of an account by their ids, in any order. */
export async function readByIds<C extends Columns>(
  columns: C,
  { table, ids, accountId }: { table: string; ids: readonly string[]; accountId: string },
  db: Database,
): Promise<RowOf<C>[]> {
  if (ids.length === 0) return []
  const { sql, params } = among(ids)
  return rowReader(columns)(
    await db.read(`SELECT * FROM ${table} WHERE account_id = ? AND id ${sql}`, [accountId, ...params]),
  )
}
