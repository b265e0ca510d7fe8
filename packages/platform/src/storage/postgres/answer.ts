import type { FieldDef } from 'pg'
import type { Row, Value } from '../database.ts'

/** The rows of one statement as they came: without columns if it returns none. */
export interface Answer {
  columns: readonly Pick<FieldDef, 'name' | 'dataTypeID'>[]
  lines: readonly (readonly (string | null)[])[]
}

/** Object ids of PostgreSQL's built-in types, see pg_type.dat. */
const BOOL = 16
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]) // int8, int2, int4, oid, float4, float8, numeric

const NO_ROWS: readonly Row[] = []

/**
 * The rows of an answer: numbers as numbers, a boolean as 0 or 1, everything else as the server writes it.
 *
 * @throws {RangeError} For a number that is no whole number up to ±(2^53 - 1).
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

function columnReader(typeId: number): (text: string) => Value {
  if (NUMBERS.has(typeId)) return wholeNumber
  if (typeId === BOOL) return (text) => (text === 't' ? 1 : 0)
  return (text) => text
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is not a whole number up to ±(2^53 - 1).`)
  return number
}
