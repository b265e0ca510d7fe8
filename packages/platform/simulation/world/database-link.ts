import {
  type Database,
  DatabaseFenced,
  DatabaseUnavailable,
  type Row,
  type ReadOptions,
  type Transaction,
  type Value,
  type WriteOutcome,
} from '../../src/storage/database.ts'
import type { Report } from '../../src/storage/sqlite/commit-group.ts'
import type { Host } from '../machine/host.ts'
import type { DatabaseServer } from './database.ts'
import { openSchemaLink } from './schema-link.ts'
import { strikes, type World } from './world.ts'

/** How a process reaches the database. */
export interface DatabaseLink {
  db: Database
  /** Whether nothing gets through either way. */
  cut(isCut: boolean): void
  /** From when until when transactions of the process have reached the database, without a silence by which it counts as dead. */
  inTouch(): InTouch
}

/** In milliseconds of the world. */
export interface InTouch {
  sinceMs: number
  untilMs: number
}

/** A process that has reached the database within this time is at work: its peers take it for dead after six beats of a second. */
export const AT_WORK_MS = 5_000

/** One transaction on its way, and what its caller waits for. */
interface Sent {
  transaction: Transaction
  resolve(outcome: WriteOutcome): void
  reject(error: Error): void
}

/** How long a connection is silent before it fails. Source: the deadlines of `session.ts`. */
const SILENCE_MS = 5_000

/** The database as a process has it: each read and transaction goes there and back, and either way may fail. */
export function linkTo(server: DatabaseServer, host: Host, world: World): DatabaseLink {
  const link = new Link(server, host, world)
  const db: Database = {
    engine: server.engine,
    read: (sql, params, options) => link.read(sql, params, options),
    write: (transaction) => link.write(transaction),
    load: () => [],
    schema: {
      connect: async () => openSchemaLink({ server, host, world, isUnreachable: () => link.isUnreachable() }),
      isAlone: () => server.engine === 'sqlite',
      fence: (schema) => link.fence(schema),
    },
    close: () => link.close(),
  }
  return { db, cut: (isCut) => link.cut(isCut), inTouch: () => link.inTouch }
}

class Link {
  readonly #server: DatabaseServer
  readonly #host: Host
  readonly #world: World
  #waiting: Sent[] = []
  #schema: number | null = null
  #isCut = false
  inTouch: InTouch = { sinceMs: 0, untilMs: 0 }
  #isClosed = false
  readonly #written = new Set<Promise<unknown>>()

  constructor(server: DatabaseServer, host: Host, world: World) {
    this.#server = server
    this.#host = host
    this.#world = world
  }

  read(sql: string, params: readonly Value[], options?: ReadOptions): Promise<readonly Row[]> {
    if (this.#isClosed) return Promise.reject(closed())
    const { dice } = this.#world
    const slowMs = strikes(this.#world, 'database.slow') ? dice.between(100, 4_000) : 0
    const isLost = strikes(this.#world, 'database.request lost')
    return new Promise((resolve, reject) => {
      const look = () => {
        if (isLost || this.isUnreachable()) return this.#back(() => reject(gone()), dice.between(1, SILENCE_MS))
        try {
          const isStale = options?.stale === true && this.#server.engine === 'postgres'
          resolve(isStale ? this.#server.staleRows(sql, params) : this.#server.rows(sql, params))
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
      this.#back(look, 2 * this.#lagMs() + slowMs)
    })
  }

  write(transaction: Transaction): Promise<WriteOutcome> {
    if (this.#isClosed) return Promise.reject(closed())
    const { promise, resolve, reject } = Promise.withResolvers<WriteOutcome>()
    if (this.#waiting.length === 0) this.#host.after(0, 'sends to the database', () => this.#depart())
    this.#waiting.push({ transaction, resolve, reject })
    const over: Promise<unknown> = promise.catch(() => {}).finally(() => this.#written.delete(over))
    this.#written.add(over)
    return promise
  }

  fence(schema: number): void {
    this.#schema = schema
  }

  cut(isCut: boolean): void {
    this.#isCut = isCut
  }

  /** Waits for what was written. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#written)
  }

  isUnreachable(): boolean {
    return this.#isCut || !this.#server.isUp
  }

  #lagMs(): number {
    return this.#world.dice.between(0.05, 1.5)
  }

  /** Tells the caller of something, after the way back. */
  #back(tell: () => void, delayMs: number = this.#lagMs()): void {
    this.#host.after(delayMs, 'hears from the database', tell)
  }

  /** Everything that the process has sent in one turn arrives together, as the platform's own links do it. */
  #depart(): void {
    const { dice, scheduler } = this.#world
    const group = this.#waiting
    this.#waiting = []
    const slowMs = strikes(this.#world, 'database.slow') ? dice.between(100, 4_000) : 0
    const againMs = strikes(this.#world, 'database.serialization failure') ? dice.between(5, 200) : 0
    const isLost = strikes(this.#world, 'database.request lost')
    const isLate = !isLost && strikes(this.#world, 'database.committed late')
    const arriveMs = this.#lagMs() + slowMs + againMs + (isLate ? dice.between(500, 8_000) : 0)
    if (isLost || isLate) this.#break(group)
    if (isLost) return
    // On its way it no longer depends on the process that has sent it.
    const transactions = group.map(({ transaction }) => transaction)
    this.#server.sent(transactions)
    const arrive = () => {
      // Otherwise the power went meanwhile.
      if (this.#server.arrives(transactions)) this.#arrive(group, { isAwaited: !isLate })
    }
    scheduler.after(arriveMs, `${this.#host.name} reaches the database`, arrive)
  }

  #arrive(group: readonly Sent[], { isAwaited }: { isAwaited: boolean }): void {
    if (this.isUnreachable()) {
      if (isAwaited) this.#break(group)
      return
    }
    const transactions = group.map(({ transaction }) => transaction)
    if (isAwaited) this.#noteTouch(this.#world.scheduler.nowMs)
    const reports = this.#server.commit(transactions, this.#schema)
    this.#world.tell('database', `${this.#host.name}: ${reports.map((report) => summaryOf(report)).join(', ')}`)
    if (!isAwaited) return
    if (strikes(this.#world, 'database.answer lost')) return this.#break(group)
    const wasCut = this.#isCut
    this.#back(() => {
      if (wasCut || this.#isCut) return this.#break(group)
      for (const [at, report] of reports.entries()) settle(group[at], report)
    })
  }

  #noteTouch(nowMs: number): void {
    const { sinceMs, untilMs } = this.inTouch
    this.inTouch = { sinceMs: nowMs - untilMs < AT_WORK_MS ? sinceMs : nowMs, untilMs: nowMs }
  }

  /** The callers are told that the connection is gone, sooner or later. */
  #break(group: readonly Sent[]): void {
    const fail = () => {
      for (const { reject } of group) reject(gone())
    }
    this.#back(fail, this.#world.dice.between(1, SILENCE_MS))
  }
}

function gone(): DatabaseUnavailable {
  return new DatabaseUnavailable('The connection to the database broke.')
}

function closed(): DatabaseUnavailable {
  return new DatabaseUnavailable('The database is closed.')
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

function summaryOf(report: Report): string {
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
