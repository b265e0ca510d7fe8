import { DatabaseSync } from 'node:sqlite'
import type { Database, Row, SchemaConnection, Transaction, Value } from '../../src/storage/database.ts'
import { commitGroup, type Report } from '../../src/storage/sqlite/commit-group.ts'
import { type Connection, prepared } from '../../src/storage/sqlite/connection.ts'
import { openSchemaConnection } from '../../src/storage/sqlite/schema-connection.ts'
import type { Dice } from '../machine/dice.ts'
import type { Host } from '../machine/host.ts'
import type { Scheduler } from '../machine/scheduler.ts'
import { type Cut, Disk } from './disk.ts'

/**
 * The database of a world: SQLite's own engine, behind the platform's own code for group commits. As the embedded
 * database it is on a disk and belongs to one process; as a stand-in for PostgreSQL it is in memory and shared.
 */
export class DatabaseServer {
  readonly engine: Database['engine']
  readonly #scheduler: Scheduler
  readonly #disk: Disk | null
  #file: DatabaseSync
  #connection: Connection
  #replica: { connection: Connection; takenMs: number } | null = null
  #clockMs = 0
  #mostPages = LARGEST
  #isUp = true
  /** The number of commits that concern money or uses. */
  moves = 0
  /** The number of changes of the schema, or of the record of its migrations. */
  schemaChanges = 0
  /** Called after each of these changes, before its process learns of it. */
  atSchemaChange: ((by: Host) => void) | null = null
  /** Transactions sent and not arrived yet. */
  readonly #underWay = new Set<readonly Transaction[]>()
  /** Called as soon as a transaction is under way; `null` if nothing waits for that. */
  #atNextWrite: (() => void) | null = null

  constructor(engine: Database['engine'], bytes: Uint8Array, scheduler: Scheduler) {
    this.engine = engine
    this.#scheduler = scheduler
    this.#disk = engine === 'sqlite' ? new Disk(bytes) : null
    this.#file = this.#withClock(this.#disk?.file ?? inMemory(bytes))
    this.#connection = prepared(this.#file)
  }

  #withClock(file: DatabaseSync): DatabaseSync {
    file.function('world_now', () => BigInt(Math.floor(this.#scheduler.nowMs + this.#clockMs)))
    return file
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** @throws For a statement that writes: reads have connections of their own, which cannot. */
  rows(sql: string, params: readonly Value[]): readonly Row[] {
    if (WRITES.test(sql)) throw new Error('A read cannot write.')
    return this.#connection.rows(inWordsOfTheWorld(sql), params)
  }

  /** Reads a state that is up to two seconds old, like a replica. */
  staleRows(sql: string, params: readonly Value[]): readonly Row[] {
    const { nowMs } = this.#scheduler
    if (this.#replica === null || nowMs - this.#replica.takenMs > REPLICA_LAG_MS) {
      this.#replica = { connection: prepared(this.#withClock(inMemory(this.bytes()))), takenMs: nowMs }
    }
    return this.#replica.connection.rows(inWordsOfTheWorld(sql), params)
  }

  /** Notes transactions under way. */
  sent(transactions: readonly Transaction[]): void {
    this.#underWay.add(transactions)
    this.#atNextWrite?.()
    this.#atNextWrite = null
  }

  /** @returns Whether they arrive: `false` after a power cut. */
  arrives(transactions: readonly Transaction[]): boolean {
    return this.#underWay.delete(transactions)
  }

  /** Calls back while something is being written to a disk: now, or at the next write. */
  whenWriting(then: () => void): void {
    if (this.#disk === null || this.#underWay.size > 0) then()
    else this.#atNextWrite = then
  }

  /** Commits transactions that arrived together. */
  commit(transactions: readonly Transaction[], schema: number | null): readonly Report[] {
    if (transactions.some((transaction) => transaction.some(({ sql }) => moves(sql)))) this.moves += 1
    const reports = commitGroup(this.#connection, transactions.map(translated), schema)
    this.#disk?.synced()
    return reports
  }

  /**
   * Changes the schema of an embedded database as the platform does: on a connection of its own, which syncs each
   * commit.
   */
  async changeFile<Outcome>(work: (connection: SchemaConnection) => Promise<Outcome>): Promise<Outcome> {
    if (this.#disk === null) throw new Error('This database is a server.')
    const connection = openSchemaConnection(this.#disk.path)
    await connection.rows(`PRAGMA max_page_count = ${this.#mostPages}`)
    try {
      return await work(connection)
    } finally {
      await connection.close()
      this.schemaChanges += 1
      this.#disk.synced()
    }
  }

  /** Changes the schema of a database server. */
  changeSchema(transaction: Transaction): Report {
    this.schemaChanges += 1
    const [report] = commitGroup(this.#connection, [translated(transaction)])
    if (report === undefined) throw new Error('One transaction has one report.')
    return report
  }

  /** The oldest schema that processes may write with. */
  oldestSchema(): number {
    return Number(this.rows('SELECT oldest FROM schema_state WHERE id = 1', [])[0]?.['oldest'])
  }

  /** The database as the bytes of a file. */
  bytes(): Uint8Array {
    return this.#file.serialize()
  }

  stop(): void {
    this.#isUp = false
  }

  start(): void {
    this.#isUp = true
  }

  /** Sets the database's clock forward, or back for a negative number. */
  setClock(byMs: number): void {
    this.#clockMs += byMs
  }

  /** Fills the disk, or frees it: SQLite then reports by itself that the disk is full. */
  fill(isFull: boolean): void {
    const [row] = this.#connection.rows('PRAGMA page_count', [])
    this.#mostPages = isFull ? Number(row?.['page_count']) : LARGEST
    this.#file.exec(`PRAGMA max_page_count = ${this.#mostPages}`)
  }

  /**
   * Cuts the power of an embedded database in the middle of its writes; `null` for a server. `problems` are those of
   * SQLite's check.
   */
  losePower(dice: Dice): { cut: Cut; problems: string[] } | null {
    if (this.#disk === null) return null
    for (const transactions of this.#underWay) commitGroup(this.#connection, transactions.map(translated))
    this.#underWay.clear()
    this.#mostPages = LARGEST
    const cut = this.#disk.cut(dice)
    this.#file = this.#withClock(this.#disk.file)
    this.#connection = prepared(this.#file)
    this.moves += 1
    const found = this.#connection.rows('PRAGMA quick_check', []).map((row) => String(row['quick_check']))
    return { cut, problems: found.filter((line) => line !== 'ok') }
  }

  close(): void {
    if (this.#disk === null) this.#file.close()
    else this.#disk.close()
  }
}

function inMemory(bytes: Uint8Array): DatabaseSync {
  const file = new DatabaseSync(':memory:')
  if (bytes.length > 0) file.deserialize(bytes)
  return file
}

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|CREATE|DROP|ALTER)\b/i
const REPLICA_LAG_MS = 2_000
const LARGEST = 1_073_741_823

const words = new Map<string, string>()

/** Translates the platform's SQL for PostgreSQL into that of SQLite. */
function inWordsOfTheWorld(sql: string): string {
  const known = words.get(sql)
  if (known !== undefined) return known
  // On PostgreSQL each connection counts in a row of its own, and this statement adds them up; here there is one row.
  if (sql.includes('DELETE FROM event_counts')) {
    const given = Array.from(sql.matchAll(/\?/g), () => '? IS NOT NULL')
    return `SELECT 0 AS folded WHERE ${given.join(' AND ')}`
  }
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
    .replaceAll(/ COLLATE "C"| CONCURRENTLY/g, '')
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
