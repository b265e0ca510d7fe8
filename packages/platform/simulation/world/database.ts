import { DatabaseSync } from 'node:sqlite'
import type { Database, Row, Transaction, Value } from '../../src/storage/database.ts'
import { commitGroup, type Report } from '../../src/storage/sqlite/commit-group.ts'
import { type Connection, prepared } from '../../src/storage/sqlite/connection.ts'
import type { Scheduler } from '../machine/scheduler.ts'

/**
 * The database of a world: SQLite's own engine in memory, behind the platform's own code for committing a group. It stands
 * for an embedded database, which one process has, or for a PostgreSQL, which several share.
 */
export class DatabaseServer {
  readonly engine: Database['engine']
  readonly #scheduler: Scheduler
  #file: DatabaseSync
  #connection: Connection
  #replica: { connection: Connection; takenMs: number } | null = null
  #clockMs = 0
  #isUp = true
  /** How often something was committed that concerns money or uses. */
  moves = 0
  /** What a disk that lies about `fsync` would still have, of the last moments. */
  #kept: { atMs: number; bytes: Uint8Array }[] = []

  constructor(engine: Database['engine'], bytes: Uint8Array, scheduler: Scheduler) {
    this.engine = engine
    this.#scheduler = scheduler
    this.#file = this.#open(bytes)
    this.#connection = prepared(this.#file)
  }

  #open(bytes: Uint8Array): DatabaseSync {
    const file = new DatabaseSync(':memory:')
    if (bytes.length > 0) file.deserialize(bytes)
    file.function('world_now', () => BigInt(Math.floor(this.#scheduler.nowMs + this.#clockMs)))
    return file
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** @throws For what writes: reads have connections of their own, which cannot. */
  rows(sql: string, params: readonly Value[]): readonly Row[] {
    if (WRITES.test(sql)) throw new Error('A read cannot write.')
    return this.#connection.rows(inWordsOfTheWorld(sql), params)
  }

  /** Reads what was committed up to two seconds ago. */
  staleRows(sql: string, params: readonly Value[]): readonly Row[] {
    const { nowMs } = this.#scheduler
    if (this.#replica === null || nowMs - this.#replica.takenMs > REPLICA_LAG_MS) {
      this.#replica = { connection: prepared(this.#open(this.bytes())), takenMs: nowMs }
    }
    return this.#replica.connection.rows(inWordsOfTheWorld(sql), params)
  }

  /** Commits what arrived together. */
  commit(transactions: readonly Transaction[], schema: number | null): readonly Report[] {
    if (transactions.some((transaction) => transaction.some(({ sql }) => moves(sql)))) this.moves += 1
    return commitGroup(this.#connection, transactions.map(translated), schema)
  }

  /** Everything in it. */
  bytes(): Uint8Array {
    return this.#file.serialize()
  }

  stop(): void {
    this.#isUp = false
  }

  start(): void {
    this.#isUp = true
  }

  /** Somebody sets the clock of its machine. */
  setClock(byMs: number): void {
    this.#clockMs += byMs
  }

  /** There is no room for another page, until there is: SQLite itself then says that the disk is full. */
  fill(isFull: boolean): void {
    const [row] = this.#connection.rows('PRAGMA page_count', [])
    this.#file.exec(`PRAGMA max_page_count = ${isFull ? Number(row?.['page_count']) : LARGEST}`)
  }

  /** Keeps what there is now, so that a disk that lies can go back to it. */
  keep(): void {
    this.#kept = [...this.#kept.slice(-1), { atMs: this.#scheduler.nowMs, bytes: this.bytes() }]
  }

  /** The power goes, and the disk had only said that it had written the last moments. */
  lose(): void {
    const [oldest] = this.#kept
    if (oldest === undefined) return
    this.#file.close()
    this.#file = this.#open(oldest.bytes)
    this.#connection = prepared(this.#file)
  }

  close(): void {
    this.#file.close()
  }
}

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|CREATE|DROP|ALTER)\b/i
const REPLICA_LAG_MS = 2_000
const LARGEST = 1_073_741_823

const words = new Map<string, string>()

/** What the platform says to PostgreSQL alone, in the words of the engine that stands for it here. */
function inWordsOfTheWorld(sql: string): string {
  const known = words.get(sql)
  if (known !== undefined) return known
  // Connections of PostgreSQL count in rows of their own, which this adds up; here there is one, and nothing to add.
  if (sql.includes('DELETE FROM event_counts')) return 'SELECT 0 AS folded WHERE ? + ? IS NOT NULL'
  const text = sql
    .replaceAll('{now}', 'world_now()')
    .replaceAll(
      /CAST\((?:unixepoch\('subsec'\)|extract\(epoch FROM clock_timestamp\(\)\)) \* 1000 AS \w+\)/g,
      'world_now()',
    )
    .replaceAll(/ FOR (?:NO KEY )?UPDATE(?: SKIP LOCKED)?/g, '')
    .replaceAll(/pg_catalog\.pg_class WHERE/g, "sqlite_schema WHERE type = 'table' AND")
    .replaceAll('relname', 'name')
    .replaceAll(/ AND relkind = 'r'| AND pg_catalog\.pg_table_is_visible\(oid\)/g, '')
  words.set(sql, text)
  return text
}

function translated(transaction: Transaction): Transaction {
  return transaction.map((statement) => ({ ...statement, sql: inWordsOfTheWorld(statement.sql) }))
}

const moving = new Map<string, boolean>()

function moves(sql: string): boolean {
  const before = moving.get(sql)
  if (before !== undefined) return before
  const does = /(?:INTO|UPDATE|FROM)\s+(?:payments|payment_attempts|ledger_entries|promotions)\b/.test(sql)
  moving.set(sql, does)
  return does
}
