import { ApiError } from '../runtime/index.ts'
import type { Database, Row, Value } from './database.ts'

export interface List {
  /** `SELECT ... WHERE ...` with at least one condition; must select the columns of `key` under their own names. */
  sql: string
  params: readonly Value[]
  /** The columns that order the list, most significant first. Together they are unique. */
  key: readonly KeyColumn[]
  order: 'ascending' | 'descending'
}

/** An ordering column as the query writes it, such as `d.created_at`, and its type. */
export interface KeyColumn {
  name: string
  type: 'integer' | 'text'
}

/** A position in a list: the key columns' values at one row. */
export type Position = readonly (string | number)[]

export interface PageOfRows {
  rows: readonly Row[]
  /** Position of the next page; `null` on the last page. */
  next: Position | null
}

/**
 * Reads the rows of a list after a position.
 *
 * @param page `after` is `null` for the first page; without a `limit` all rows are read.
 * @throws {DatabaseUnavailable}
 */
export async function readRows(
  { sql, params, key, order }: List,
  { after, limit }: { after: Position | null; limit: number | undefined },
  db: Database,
): Promise<PageOfRows> {
  const columns = key.map(({ name }) => name)
  const isAfter = `AND (${columns.join(', ')}) ${order === 'ascending' ? '>' : '<'} (${columns.map(() => '?').join(', ')})`
  const direction = order === 'ascending' ? '' : ' DESC'
  const text = `${sql} ${after === null ? '' : isAfter} ORDER BY ${columns.map((name) => name + direction).join(', ')}`
  if (limit === undefined) return { rows: await db.read(text, [...params, ...(after ?? [])]), next: null }
  // One extra row shows whether there is a next page.
  const found = await db.read(`${text} LIMIT ?`, [...params, ...(after ?? []), limit + 1])
  const rows = found.slice(0, limit)
  const last = found.length > limit ? rows.at(-1) : undefined
  return { rows, next: last === undefined ? null : positionOf(last, key) }
}

/** The position of a row, which must have the key's columns under their own names. */
export function positionOf(row: Row, key: readonly KeyColumn[]): Position {
  return key.map(({ name, type }) => {
    const value = row[name.slice(name.indexOf('.') + 1)] ?? null
    if (value === null) throw new Error(`A list in pages must select ${name}, and it must not be null.`)
    return type === 'integer' ? Number(value) : value
  })
}

/** One page, as the API returns it. */
export interface ListPage<Entry> {
  data: Entry[]
  hasMore: boolean
  /** Pass as `after` to get the next page; `null` on the last page. */
  nextCursor: string | null
}

/**
 * Reads one page of a list, with opaque cursors.
 *
 * @param query `after` is the `nextCursor` of the previous page.
 * @throws {ApiError} `parameter_invalid` for `after` if it is not a cursor of this list.
 */
export async function readPage<Entry>(
  list: List & { read: (rows: readonly Row[]) => Entry[] },
  { limit, after }: { limit: number; after?: string | undefined },
  db: Database,
): Promise<ListPage<Entry>> {
  const position = after === undefined ? null : readCursor(after, list.key)
  const { rows, next } = await readRows(list, { after: position, limit }, db)
  const nextCursor = next === null ? null : writeCursor(next)
  return { data: list.read(rows), hasMore: nextCursor !== null, nextCursor }
}

/** The order of most lists: newest first, by `created_at` and `id`. */
export const newestFirst = {
  key: [
    { name: 'created_at', type: 'integer' },
    { name: 'id', type: 'text' },
  ],
  order: 'descending',
} as const satisfies Pick<List, 'key' | 'order'>

/** @returns base64url of the values, separated by spaces. */
export function writeCursor(position: Position): string {
  return Buffer.from(position.join(' ')).toString('base64url')
}

/** @throws {ApiError} `parameter_invalid` for `after`. */
export function readCursor(cursor: string, key: readonly KeyColumn[]): Position {
  const texts = Buffer.from(cursor, 'base64url').toString().split(' ')
  const values = texts.map((text, index) => valueOf(text, key[index]))
  if (values.length === key.length && !values.includes(null)) return values.flatMap((value) => value ?? [])
  throw new ApiError('parameter_invalid', 'after is not the nextCursor of a page; begin again without it.', {
    param: 'after',
  })
}

/** Parses a key column's value; `null` if the text is not valid for it. */
function valueOf(text: string, column: KeyColumn | undefined): string | number | null {
  if (column === undefined) return null
  if (column.type === 'text') return /^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : null
  const number = Number(text)
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(number) ? number : null
}
