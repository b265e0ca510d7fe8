import { DatabaseSync } from 'node:sqlite'
import {
  type Database,
  DatabaseFenced,
  DatabaseUnavailable,
  type Row,
  type Transaction,
  type Value,
  type WriteOutcome,
} from '../../src/storage/database.ts'
import { commitGroup, type Report } from '../../src/storage/sqlite/commit-group.ts'
import { type Connection, prepared } from '../../src/storage/sqlite/connection.ts'
import type { Host } from '../machine/host.ts'
import type { Scheduler } from '../machine/scheduler.ts'
import { strikes, type World } from './world.ts'

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

  rows(sql: string, params: readonly Value[]): readonly Row[] {
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
    .replaceAll(/CAST\((?:unixepoch\('subsec'\)|extract\(epoch FROM clock_timestamp\(\)\)) \* 1000 AS \w+\)/g, 'world_now()')
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

const known = new Map<string, boolean>()

function moves(sql: string): boolean {
  const before = known.get(sql)
  if (before !== undefined) return before
  const does = /(?:INTO|UPDATE|FROM)\s+(?:payments|payment_attempts|ledger_entries|promotions)\b/.test(sql)
  known.set(sql, does)
  return does
}

/** How a process reaches the database. */
export interface DatabaseLink {
  db: Database
  /** Whether nothing gets through either way. */
  cut(isCut: boolean): void
}

/** One transaction on its way, and what its caller waits for. */
interface Sent {
  transaction: Transaction
  resolve(outcome: WriteOutcome): void
  reject(error: Error): void
}

/** How long a connection stays silent before its caller is told that it is gone. Source: the deadlines of `session.ts`. */
const SILENCE_MS = 5_000

/** The database as a process has it: each read and transaction goes there and back, and either way may fail. */
export function linkTo(server: DatabaseServer, host: Host, world: World): DatabaseLink {
  const { scheduler, dice } = world
  let waiting: Sent[] = []
  let schema: number | null = null
  let isCut = false
  let isClosed = false
  const lagMs = () => dice.between(0.05, 1.5)
  const gone = () => new DatabaseUnavailable('The connection to the database broke.')
  const unreachable = () => isCut || !server.isUp

  /** Tells the caller of something, after the way back. */
  function back(tell: () => void, delayMs = lagMs()): void {
    host.after(delayMs, 'hears from the database', tell)
  }

  /** Everything that the process has sent in one turn arrives together, as the platform's own links do it. */
  function depart(): void {
    const group = waiting
    waiting = []
    const slowMs = strikes(world, 'database.slow') ? dice.between(100, 4_000) : 0
    const againMs = strikes(world, 'database.serialization failure') ? dice.between(5, 200) : 0
    const isLost = strikes(world, 'database.request lost')
    const isLate = !isLost && strikes(world, 'database.committed late')
    const arriveMs = lagMs() + slowMs + againMs + (isLate ? dice.between(500, 8_000) : 0)
    if (isLost || isLate) back(() => fail(group), dice.between(1, SILENCE_MS))
    if (isLost) return
    // On its way it no longer depends on the process that has sent it.
    scheduler.after(arriveMs, `${host.name} reaches the database`, () => arrive(group, { isAwaited: !isLate }))
  }

  function arrive(group: readonly Sent[], { isAwaited }: { isAwaited: boolean }): void {
    if (unreachable()) {
      if (isAwaited) back(() => fail(group), dice.between(1, SILENCE_MS))
      return
    }
    const reports = server.commit(
      group.map(({ transaction }) => transaction),
      schema,
    )
    world.tell('database', `${host.name}: ${reports.map((report) => toldOf(report)).join(', ')}`)
    if (!isAwaited) return
    if (strikes(world, 'database.answer lost')) return back(() => fail(group), dice.between(1, SILENCE_MS))
    const cutBefore = isCut
    back(() => {
      if (cutBefore || isCut) return void back(() => fail(group), dice.between(1, SILENCE_MS))
      for (const [at, report] of reports.entries()) settle(group[at], report)
    })
  }

  function fail(group: readonly Sent[]): void {
    for (const { reject } of group) reject(gone())
  }

  const db: Database = {
    engine: server.engine,
    read: (sql, params, options) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new DatabaseUnavailable('The database is closed.'))
        const slowMs = strikes(world, 'database.slow') ? dice.between(100, 4_000) : 0
        const isLost = strikes(world, 'database.request lost')
        back(
          () => {
            if (isLost || unreachable()) return void back(() => reject(gone()), dice.between(1, SILENCE_MS))
            try {
              resolve(options?.stale === true && server.engine === 'postgres' ? server.staleRows(sql, params) : server.rows(sql, params))
            } catch (error) {
              reject(error instanceof Error ? error : new Error(String(error)))
            }
          },
          2 * lagMs() + slowMs,
        )
      }),
    write: (transaction) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new DatabaseUnavailable('The database is closed.'))
        if (waiting.length === 0) host.after(0, 'sends to the database', depart)
        waiting.push({ transaction, resolve, reject })
      }),
    load: () => [],
    schema: {
      connect: () => Promise.reject(new Error('The schema of a world is there before it begins.')),
      isAlone: () => server.engine === 'sqlite',
      fence: (known) => {
        schema = known
      },
    },
    async close() {
      isClosed = true
    },
  }
  return { db, cut: (cut) => (isCut = cut) }
}

function settle(sent: Sent | undefined, report: Report): void {
  switch (report.outcome) {
    case 'committed':
    case 'refused':
      return sent?.resolve(report)
    case 'mistaken':
      return sent?.reject(new Error(report.message))
    case 'fenced':
      return sent?.reject(new DatabaseFenced(report.schema))
    case 'unavailable':
      return sent?.reject(new DatabaseUnavailable(report.message))
  }
}

function toldOf(report: Report): string {
  switch (report.outcome) {
    case 'refused':
      return `refused by ${report.reason}`
    case 'unavailable':
    case 'mistaken':
      return `${report.outcome}: ${report.message}`
    case 'committed':
    case 'fenced':
      return report.outcome
  }
}
