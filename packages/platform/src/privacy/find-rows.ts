import { isObject } from '@tillwright/contract/json'
import { type IdempotencyKey, openAnswer } from '../accounts/index.ts'
import type { Services } from '../request-context.ts'
import { among, type OpenSealed, type PersonalTable, type Row } from '../storage/index.ts'
import type { Cursor, Frame, Position } from './tables.ts'

/** A customer, and the tables in which rows about them are looked for. */
export interface Subject {
  accountId: string
  customerId: string
  tables: readonly PersonalTable[]
}

/** A row about the customer. */
export interface FoundRow {
  table: PersonalTable
  row: Row
}

/** Some rows about the customer. `next` is `null` after the last. */
export interface FoundPage {
  found: readonly FoundRow[]
  next: Cursor | null
}

export const BEGINNING: Cursor = { at: 0, after: '', within: [] }

/** Rows that lead to others are read so many at a time, and those that have to be read to be told at all, more. */
const ROOTS = 100
const SCANNED = 500
/** Rows that belong to others are read so many at a time, and a page ends with as many: it has less than twice of them. */
const BATCH = 400

/**
 * Reads a page of all rows about a customer: some that name them, after everything that belongs to those; at the end, rows
 * that have no link to a customer but mention one. A page is of a bounded size, however much belongs to a single row; what
 * leads to others comes after them, so that it can be deleted and the next page is found all the same.
 */
export async function findRows(
  subject: Subject,
  cursor: Cursor,
  services: Pick<Services, 'db' | 'secrets'>,
): Promise<FoundPage> {
  const reading = { subject, services }
  const roots = rootsOf(subject.tables)
  const found = new Map<string, FoundRow>()
  const add = (table: PersonalTable, rows: readonly Row[]) => {
    for (const row of rows) found.set(placeOf({ table, row }), { table, row })
  }
  for (let from = cursor; ;) {
    const root = roots[from.at]
    if (root === undefined) return { found: [...found.values()], next: null }
    const { rows, last } = await pageOf(root, from, reading)
    for await (const { table, rows: batch, within } of below({ table: root, rows }, from.within, reading)) {
      add(table, batch)
      if (found.size >= BATCH) return { found: [...found.values()], next: { ...from, within } }
    }
    add(root, rows)
    from = last === null ? { at: from.at + 1, after: '', within: [] } : { ...from, after: last, within: [] }
    if (found.size >= BATCH || root.mentions !== undefined) {
      return { found: [...found.values()], next: from.at < roots.length ? from : null }
    }
  }
}

/** Tables that name the customer themselves, then those of which every row has to be read. */
function rootsOf(tables: readonly PersonalTable[]): PersonalTable[] {
  return [...tables.filter(({ customer }) => customer), ...tables.filter(({ mentions }) => mentions)]
}

interface Reading {
  subject: Subject
  services: Pick<Services, 'db' | 'secrets'>
}

async function pageOf(
  table: PersonalTable,
  cursor: Cursor,
  { subject, services }: Reading,
): Promise<{ rows: Row[]; last: string | null }> {
  const limit = table.mentions === undefined ? ROOTS : SCANNED
  const { accountId, customerId } = subject
  const [key = ''] = table.key
  const owned = table.customer === undefined ? '' : ` AND ${table.customer} = ?`
  const owner = table.customer === undefined ? [] : [customerId]
  const where = table.where === undefined ? '' : ` AND ${table.where}`
  const sql = `SELECT * FROM ${table.table} WHERE account_id = ?${owned} AND ${key} > ?${where} ORDER BY ${key} LIMIT ?`
  const rows = await services.db.read(sql, [accountId, ...owner, cursor.after, limit])
  const { mentions } = table
  const open = opening(accountId, services)
  const mentioning = mentions && rows.filter((row) => mentions(row, open).includes(customerId))
  return { rows: [...(mentioning ?? rows)], last: rows.length < limit ? null : String(rows.at(-1)?.[key]) }
}

function opening(accountId: string, { secrets }: Pick<Services, 'secrets'>): OpenSealed {
  return {
    answer({ idempotency_key: key, fingerprint, status, body }) {
      const place: IdempotencyKey = { accountId, key: String(key), fingerprint: String(fingerprint) }
      return openAnswer({ status: Number(status), body: String(body) }, place, secrets).body
    },
  }
}

/** Rows of one table, and where to go on after them. */
interface Batch {
  table: PersonalTable
  rows: readonly Row[]
  within: Frame[]
}

/** Everything that belongs to some rows, from a place on: of each table what belongs to its rows before the rows. */
async function* below(
  { table: above, rows }: { table: PersonalTable; rows: readonly Row[] },
  [own, ...deeper]: readonly Frame[],
  reading: Reading,
): AsyncGenerator<Batch> {
  const { tables } = reading.subject
  const first = Math.max(0, own === undefined ? 0 : tables.findIndex(({ table }) => table === own.table))
  for (const table of tables.slice(first)) {
    const resumed = table.table === own?.table ? own : null
    if (resumed?.from === 'end') continue
    let inner = resumed === null ? [] : deeper
    const values = linksFrom(above, rows, table)
    for await (const { rows: batch, from, after } of batchesOf({ table, values }, resumed?.from ?? null, reading)) {
      for await (const each of below({ table, rows: batch }, inner, reading)) {
        yield { ...each, within: [{ table: table.table, from }, ...each.within] }
      }
      inner = []
      yield { table, rows: batch, within: [{ table: table.table, from: after }] }
    }
  }
}

/** The values by which rows of a table belong to those above, in order. */
function linksFrom(above: PersonalTable, rows: readonly Row[], { belongsTo = [] }: PersonalTable): string[] {
  const values = belongsTo
    .filter((link) => link.table === above.table)
    .flatMap(({ column, field }) => rows.map((row) => valueOf(row, column, field)))
  return [...new Set(values.filter((value) => value !== null))].toSorted((a, b) => (a < b ? -1 : 1))
}

/** Where a row is, as a text that no other row has. */
export function placeOf({ table: { table, key }, row }: FoundRow): string {
  return JSON.stringify([table, ...key.map((column) => row[column])])
}

function valueOf(row: Row, column: string, field: string | undefined): string | null {
  const value = row[column]
  if (typeof value !== 'string' || field === undefined) return typeof value === 'string' ? value : null
  const inner: unknown = JSON.parse(value)
  const named = isObject(inner) ? inner[field] : null
  return typeof named === 'string' ? named : null
}

/** The rows that have one of some values: at once if they are few, otherwise value by value in the order of their keys. */
async function* batchesOf(
  { table: { table, by, key, where: only }, values }: { table: PersonalTable; values: readonly string[] },
  start: Position | null,
  { subject: { accountId }, services: { db } }: Reading,
): AsyncGenerator<{ rows: readonly Row[]; from: Position | null; after: Position | 'end' }> {
  if (values.length === 0) return
  const where = only === undefined ? '' : ` AND ${only}`
  if (start === null) {
    const { sql, params } = among(values)
    const some = `SELECT * FROM ${table} WHERE account_id = ? AND ${by} ${sql}${where} LIMIT ?`
    const rows = await db.read(some, [accountId, ...params, BATCH + 1])
    if (rows.length > 0 && rows.length <= BATCH) yield { rows, from: null, after: 'end' }
    if (rows.length <= BATCH) return
  }
  const ofOne = `SELECT * FROM ${table} WHERE account_id = ? AND ${by} = ?${where}`
  const behind = ` AND (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`
  const inOrder = ` ORDER BY ${key.join(', ')} LIMIT ?`
  for (const value of values.filter((each) => start === null || each >= start.value)) {
    let from: Position = { value, key: value === start?.value ? start.key : [] }
    for (let isWhole = false; !isWhole;) {
      const sql = `${ofOne}${from.key.length === 0 ? '' : behind}${inOrder}`
      const rows = await db.read(sql, [accountId, value, ...from.key, BATCH])
      const last = rows.at(-1)
      isWhole = rows.length < BATCH
      if (last === undefined) break
      const after: Position = { value, key: key.map((column) => last[column] ?? null) }
      yield { rows, from, after }
      from = after
    }
  }
}
