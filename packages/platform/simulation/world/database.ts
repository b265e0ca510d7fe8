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
 * The database of a world: SQLite's own engine, behind the platform's own code for committing a group. It is the embedded
 * database, on a disk, which one process has; or it stands, in memory, for a PostgreSQL, which several share.
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
  /** How often something was committed that concerns money or uses. */
  moves = 0
  /** How often the schema was changed, or the note of how far that is. */
  schemaChanges = 0
  /** Called after each of these changes, before the process that made it hears of it. */
  atSchemaChange: ((by: Host) => void) | null = null
  /** What was sent and has not arrived. */
  readonly #underWay = new Set<readonly Transaction[]>()
  /** What waits for a moment at which something is being written. */
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

  /** @throws For what writes: reads have connections of their own, which cannot. */
  rows(sql: string, params: readonly Value[]): readonly Row[] {
    if (WRITES.test(sql)) throw new Error('A read cannot write.')
    return this.#connection.rows(inWordsOfTheWorld(sql), params)
  }

  /** Reads what was committed up to two seconds ago. */
  staleRows(sql: string, params: readonly Value[]): readonly Row[] {
    const { nowMs } = this.#scheduler
    if (this.#replica === null || nowMs - this.#replica.takenMs > REPLICA_LAG_MS) {
      this.#replica = { connection: prepared(this.#withClock(inMemory(this.bytes()))), takenMs: nowMs }
    }
    return this.#replica.connection.rows(inWordsOfTheWorld(sql), params)
  }

  /** Something is on its way to it. */
  sent(transactions: readonly Transaction[]): void {
    this.#underWay.add(transactions)
    this.#atNextWrite?.()
    this.#atNextWrite = null
  }

  /** @returns Whether it is still on its way: otherwise the power has gone meanwhile. */
  arrives(transactions: readonly Transaction[]): boolean {
    return this.#underWay.delete(transactions)
  }

  /** Calls back when something is on its way to a disk: at once, or when the next is sent. */
  whenWriting(then: () => void): void {
    if (this.#disk === null || this.#underWay.size > 0) then()
    else this.#atNextWrite = then
  }

  /** Commits what arrived together. */
  commit(transactions: readonly Transaction[], schema: number | null): readonly Report[] {
    if (transactions.some((transaction) => transaction.some(({ sql }) => moves(sql)))) this.moves += 1
    const reports = commitGroup(this.#connection, transactions.map(translated), schema)
    this.#disk?.synced()
    return reports
  }

  /** Changes the schema of an embedded database, as its platform does: on a connection for it, which syncs each commit. */
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

  /** The same on a server. @returns What came of it. */
  changeSchema(transaction: Transaction): Report {
    this.schemaChanges += 1
    const [report] = commitGroup(this.#connection, [translated(transaction)])
    if (report === undefined) throw new Error('One transaction has one report.')
    return report
  }

  /** The oldest schema whose processes may write. */
  oldestSchema(): number {
    return Number(this.rows('SELECT oldest FROM schema_state WHERE id = 1', [])[0]?.['oldest'])
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
    this.#mostPages = isFull ? Number(row?.['page_count']) : LARGEST
    this.#file.exec(`PRAGMA max_page_count = ${this.#mostPages}`)
  }

  /** The power of an embedded database goes, while what was under way is being written. What is wrong afterwards; empty is well. */
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

/** What the platform says to PostgreSQL alone, in the words of the engine that stands for it here. */
function inWordsOfTheWorld(sql: string): string {
  const known = words.get(sql)
  if (known !== undefined) return known
  // Connections of PostgreSQL count in rows of their own, which this adds up; here there is one, and nothing to add.
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
