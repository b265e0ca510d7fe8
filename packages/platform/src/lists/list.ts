import { type IdPrefix, idsFrom } from '@tillwright/contract'
import {
  among,
  type Database,
  type KeyColumn,
  type ListPage,
  type Position,
  positionOf,
  readCursor,
  type Value,
  writeCursor,
} from '../storage/index.ts'

/**
 * How many rows a page reads at most in search of those that its filters let through. A filter without an index of its
 * own costs no more than this, however rare its matches are: the page has fewer entries then, and a cursor that goes on.
 */
export const SCANNED_MAX = 2_000

/** A list over one table, described once. */
export interface ListTable<Entry> {
  /** The table, each of whose indices for lists begins with the account and ends with the list's key. */
  table: string
  /**
   * The order of the list. `id`: generated ids, which sort by the time of creation. `created_at`: callers can choose the
   * ids, so the time orders and the id decides between equals.
   */
  orderedBy: { id: IdPrefix } | 'created_at'
  /** A condition in SQL that all entries of the list meet, where the table has others too. Its indices may be partial. */
  only?: string
  /** The columns that have an index in the order of the list, the most selective first. The others are looked at row by row. */
  indexed: readonly string[]
  /** The values that a column's index omits. A filter by one of them is checked row by row. */
  unindexed?: Readonly<Record<string, LeftOut>>
  /** Reads entries by their ids, in any order; those that are gone are absent. */
  read: (ids: readonly string[], accountId: string, db: Database) => Promise<readonly Entry[]>
}

/** Values of a column whose rows its index omits, because nearly all rows have them, or had them once. */
export interface LeftOut {
  /** Whether a value is one of them. */
  has: (value: Value) => boolean
  /** The index's condition, in its exact words: otherwise the planner does not use it. */
  others: string
}

/** A condition on a column. An empty `in` lets nothing through, an empty `not in` everything. */
export type Condition =
  | { column: string; is: '=' | '>=' | '<=' | '<'; value: Value }
  | { column: string; is: 'in'; value: readonly Value[] }
  | { column: string; is: 'not in'; value: readonly Value[] }
  /** One of the resource's words is this, as `indexWords` keeps them. For lists that are ordered by id. */
  | { column: 'id'; is: 'has word'; value: string }

/** A request for a page of a list. */
export interface ListRequest {
  accountId: string
  query: {
    limit: number
    after?: string | undefined
    order: 'asc' | 'desc'
    createdFrom?: string | undefined
    createdBefore?: string | undefined
  }
  /** Conditions that all entries meet. */
  filters: readonly Condition[]
  /** Results of a search: entries meet all conditions of one of these. `null` without a search. */
  anyOf: readonly (readonly Condition[])[] | null
}

/**
 * Reads a page of a list.
 *
 * Of the conditions one leads, by an index that has the order of the list; the others are checked on at most
 * `SCANNED_MAX` rows behind it. Each alternative of a search is read like this, and the pages are merged.
 *
 * @throws {ApiError} `parameter_invalid` for `after` if it is not a cursor of this list.
 */
export async function readList<Entry extends { id: string }>(
  list: ListTable<Entry>,
  { accountId, query, filters, anyOf }: ListRequest,
  db: Database,
): Promise<ListPage<Entry>> {
  const { limit, after, order } = query
  const key = keyOf(list)
  const bounds: Bounds = {
    table: list.table,
    only: list.only === undefined ? '' : ` AND ${list.only}`,
    unindexed: list.unindexed ?? {},
    resource: list.orderedBy === 'created_at' ? null : list.orderedBy.id,
    accountId,
    key,
    limit,
    isDescending: order === 'desc',
    after: after === undefined ? null : readCursor(after, key),
    created: createdBounds(list, query),
  }
  const branches = (anyOf ?? [[]]).map((conditions) => planBranch(list, [...conditions, ...filters]))
  const found = await Promise.all(branches.map((branch) => readBranch(branch, bounds, db)))
  const { positions, next } = mergeBranches(found, bounds)
  const entries = positions.length === 0 ? [] : await list.read(positions.map(idAt), accountId, db)
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return {
    data: positions.flatMap((position) => byId.get(idAt(position)) ?? []),
    hasMore: next !== null,
    nextCursor: next === null ? null : writeCursor(next),
  }
}

function keyOf({ orderedBy }: ListTable<unknown>): readonly KeyColumn[] {
  const id = { name: 'id', type: 'text' } as const
  return orderedBy === 'created_at' ? [{ name: 'created_at', type: 'integer' }, id] : [id]
}

/** The id is the last column of every key. */
function idAt(position: Position): string {
  return String(position.at(-1))
}

/** Bounds shared by all branches of a page. */
interface Bounds {
  table: string
  /** Begins with AND, or is empty. */
  only: string
  unindexed: Readonly<Record<string, LeftOut>>
  /** Name of the table's resources in the index of words; `null` for a list without a word in its filters. */
  resource: IdPrefix | null
  accountId: string
  key: readonly KeyColumn[]
  limit: number
  isDescending: boolean
  after: Position | null
  created: readonly Condition[]
}

/** Bounds by time are bounds of the key, and so cost nothing. */
function createdBounds(
  { orderedBy }: ListTable<unknown>,
  { createdFrom, createdBefore }: ListRequest['query'],
): Condition[] {
  const bound = (is: '>=' | '<', time: string | undefined): Condition[] => {
    if (time === undefined) return []
    const ms = Date.parse(time)
    return orderedBy === 'created_at'
      ? [{ column: 'created_at', is, value: ms }]
      : [{ column: 'id', is, value: idsFrom(orderedBy.id, ms) }]
  }
  return [...bound('>=', createdFrom), ...bound('<', createdBefore)]
}

/** The condition that leads, and those that are checked behind it. */
interface Branch {
  lead: Condition | null
  rest: readonly Condition[]
}

function planBranch({ indexed, unindexed = {} }: ListTable<unknown>, conditions: readonly Condition[]): Branch {
  const ids = conditions.find(({ column, is }) => column === 'id' && is === 'in')
  const word = conditions.find(({ is }) => is === 'has word')
  const leads = indexed.flatMap(
    (name) =>
      conditions.find(({ column, is, value }) => column === name && is === '=' && !unindexed[name]?.has(value)) ?? [],
  )
  const lead = ids ?? word ?? leads[0] ?? null
  return { lead, rest: conditions.filter((condition) => condition !== lead) }
}

/** Positions of a branch in the order of the list, at most one more than a page has. */
interface BranchRows {
  positions: readonly Position[]
  /** The last row that was looked at, if there may be matches behind it; `null` at the end of the branch. */
  scannedTo: Position | null
}

async function readBranch({ lead, rest }: Branch, bounds: Bounds, db: Database): Promise<BranchRows> {
  const { table, only, unindexed, accountId, key, limit, after, isDescending, created } = bounds
  const names = key.map(({ name }) => name)
  const direction = isDescending ? ' DESC' : ''
  const inOrder = `ORDER BY ${names.map((name) => name + direction).join(', ')}`
  const isByWord = lead?.is === 'has word'
  const leading = isByWord ? ofWord(lead.value, bounds) : where(lead === null ? [] : [lead], bounds)
  const left = lead === null ? undefined : unindexed[lead.column]
  const partly = left === undefined ? '' : ` AND ${left.others}`
  const times = where(created, bounds)
  const behind =
    after === null ? '' : ` AND (${names.join(', ')}) ${isDescending ? '<' : '>'} (${names.map(() => '?').join(', ')})`
  const from = `FROM ${isByWord ? 'search_words' : table} WHERE account_id = ?${isByWord ? '' : only}${leading.sql}${partly}${times.sql}${behind}`
  const params = [accountId, ...leading.params, ...times.params, ...(after ?? [])]
  // Ids that were found already are few, and looked at all.
  const isBounded = rest.length > 0 && lead?.is !== 'in'
  const checked = where(rest, bounds)
  const columns = isByWord ? names.join(', ') : columnsOf(names, rest)
  const scanned = `(SELECT ${columns} ${from} ${inOrder} LIMIT ${SCANNED_MAX}) AS scanned`
  const joined = isByWord ? ` JOIN ${table} ON ${table}.account_id = ? AND ${table}.id = scanned.id` : ''
  const scannedNames = names.map((name) => `scanned.${name}`)
  const sql = isBounded
    ? `SELECT ${scannedNames.join(', ')} FROM ${scanned}${joined} WHERE 1 = 1${checked.sql}
        ORDER BY ${scannedNames.map((name) => name + direction).join(', ')} LIMIT ?`
    : `SELECT ${names.join(', ')} ${from}${checked.sql} ${inOrder} LIMIT ?`
  const joinedParams = isBounded && isByWord ? [accountId] : []
  const rows = await db.read(sql, [...params, ...joinedParams, ...checked.params, limit + 1])
  const positions = rows.map((row) => positionOf(row, key))
  if (!isBounded || positions.length > limit) return { positions, scannedTo: null }
  const last = `SELECT ${names.join(', ')} ${from} ${inOrder} LIMIT 1 OFFSET ${SCANNED_MAX - 1}`
  const [row] = await db.read(last, params)
  return { positions, scannedTo: row === undefined ? null : positionOf(row, key) }
}

function columnsOf(key: readonly string[], conditions: readonly Condition[]): string {
  return [...new Set([...key, ...conditions.map(({ column }) => column)])].join(', ')
}

/** SQL that follows a condition, and its parameters. */
interface Where {
  sql: string
  params: readonly Value[]
}

function where(conditions: readonly Condition[], bounds: Bounds): Where {
  const parts = conditions.map((condition) => conditionSql(condition, bounds))
  return { sql: parts.map(({ sql }) => ` AND ${sql}`).join(''), params: parts.flatMap(({ params }) => params) }
}

function conditionSql(condition: Condition, bounds: Bounds): Where {
  const { column, is } = condition
  if (is === 'has word') {
    const { sql, params } = ofWord(condition.value, bounds)
    const own = `SELECT 1 FROM search_words WHERE account_id = ?${sql} AND search_words.id = ${bounds.table}.id`
    return { sql: `EXISTS (${own})`, params: [bounds.accountId, ...params] }
  }
  if (is !== 'in' && is !== 'not in') return { sql: `${column} ${is} ?`, params: [condition.value] }
  if (condition.value.length === 0) return { sql: is === 'in' ? '1 = 0' : '1 = 1', params: [] }
  const { sql, params } = among(condition.value)
  return { sql: `${column} ${is === 'in' ? '' : 'NOT '}${sql}`, params }
}

function ofWord(word: string, { resource }: Bounds): Where {
  return { sql: ' AND resource = ? AND word = ?', params: [resource, word] }
}

/**
 * One page out of several. Behind the first place to which a branch has not been looked at, nothing can be told yet: the
 * page ends there, and the next one goes on from it.
 */
function mergeBranches(
  branches: readonly BranchRows[],
  { limit, isDescending }: Bounds,
): { positions: Position[]; next: Position | null } {
  const before = (one: Position, other: Position) => (isDescending ? compare(other, one) : compare(one, other))
  const ends = branches.flatMap(({ scannedTo }) => (scannedTo === null ? [] : [scannedTo]))
  const [edge = null] = ends.toSorted(before)
  const unique = new Map(branches.flatMap(({ positions }) => positions.map((position) => [idAt(position), position])))
  const sorted = [...unique.values()].toSorted(before)
  const known = edge === null ? sorted : sorted.filter((position) => before(position, edge) <= 0)
  const positions = known.slice(0, limit)
  return { positions, next: known.length > limit ? (positions.at(-1) ?? null) : edge }
}

function compare(one: Position, other: Position): number {
  const at = one.findIndex((value, index) => value !== other[index])
  const [left, right] = [one[at], other[at]]
  return left === undefined || right === undefined ? 0 : left < right ? -1 : 1
}

/** The condition that a filter is: none where it was not sent. */
export function equalTo(column: string, sent: string | boolean | undefined): Condition[] {
  if (sent === undefined) return []
  return [{ column, is: '=', value: typeof sent === 'boolean' ? Number(sent) : sent }]
}

/** The conditions of `amountBetween`. */
export function amountFilters(query: {
  amountFrom?: number | undefined
  amountTo?: number | undefined
  currency?: string | undefined
}): Condition[] {
  const { amountFrom, amountTo, currency } = query
  return [
    ...(amountFrom === undefined ? [] : [{ column: 'amount', is: '>=', value: amountFrom } as const]),
    ...(amountTo === undefined ? [] : [{ column: 'amount', is: '<=', value: amountTo } as const]),
    ...equalTo('currency', currency),
  ]
}
