import pg from 'pg'
import pgPackage from 'pg/package.json' with { type: 'json' }
import {
  type Database,
  DatabaseUnavailable,
  type PoolLoad,
  type Row,
  type SchemaAccess,
  type Value,
} from '../database.ts'
import { type Answer, type BatchResult, failureOf, requireInternals, rowsOf, unavailable } from './batch.ts'
import { type Link, link, UnsafeDatabase } from './connection.ts'
import { openSchemaConnection } from './schema-connection.ts'
import { type Fence, settleTransactions, type WaitingTransaction } from './transactions.ts'
import { type Translate, translator } from './translate.ts'

/** Several, so that one group can fill while another waits for the server's disk. */
const WRITERS = 4
const READERS = 2

/** Limits how long a group holds its locks. */
const MAX_TRANSACTIONS = 64
/** A slow read delays the reads behind it. */
const MAX_READS = 32

/**
 * Lock waits time out well before the second after which the server checks for deadlocks: a wait may be a deadlock,
 * because a group locks rows of several transactions, and retrying is cheap.
 */
const TIMEOUTS = 'SET statement_timeout = 8000; SET idle_in_transaction_session_timeout = 8000; SET lock_timeout = 100'

/**
 * Opens PostgreSQL, or a server that speaks its protocol, for platforms of many processes.
 *
 * @param options `url`: `postgres://user:password@host:port/database`; the database must exist. `schemaStatementMs`: how
 *   long a statement that changes the schema may take; as long as it takes unless given.
 * @throws {OperatorError} If an incompatible version of `pg` is installed.
 * @throws {UnsafeDatabase} If the server's settings do not make commits durable.
 * @throws {DatabaseUnavailable} If the server cannot be reached.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, schemaStatementMs: statementMs = 0 } = options
  requireInternals(pg, pgPackage.version)
  const writers = Array.from({ length: WRITERS }, () => link(url, TIMEOUTS))
  const readers = Array.from({ length: READERS }, () =>
    link(url, `${TIMEOUTS}; SET default_transaction_read_only = on`),
  )
  const links = [...writers, ...readers]
  try {
    await Promise.all(links.map((each) => each.run([])))
  } catch (error) {
    await Promise.all(links.map((each) => each.close()))
    throw error instanceof DatabaseUnavailable && error.cause instanceof UnsafeDatabase ? error.cause : error
  }
  return database(writers, readers, () => openSchemaConnection({ url, statementMs }))
}

interface PostgresOptions {
  url: string
  schemaStatementMs?: number
}

function database(writers: readonly Link[], readers: readonly Link[], connect: SchemaAccess['connect']): Database {
  const fence: Fence = { schema: null }
  const translate = translator()
  const transactions = inGroups<WaitingTransaction>(writers, {
    maxGroup: MAX_TRANSACTIONS,
    settle: (free, group) => settleTransactions(free, group, { translate, fence }),
  })
  const reads = inGroups<WaitingRead>(readers, {
    maxGroup: MAX_READS,
    settle: (free, group) => settleReads(free, group, translate),
  })
  let closed: Promise<void> | null = null
  async function close(): Promise<void> {
    await Promise.all([transactions.idle(), reads.idle()])
    await Promise.all([...writers, ...readers].map((each) => each.close()))
  }
  return {
    engine: 'postgres',
    read(sql, params) {
      if (closed !== null) return Promise.reject(new DatabaseUnavailable('The database is closed.'))
      return new Promise((resolve, reject) => reads.add({ sql, params, resolve, reject }))
    },
    write(transaction) {
      if (closed !== null) return Promise.reject(new DatabaseUnavailable('The database is closed.'))
      return new Promise((resolve, reject) => transactions.add({ transaction, resolve, reject }))
    },
    load: () => [
      { pool: 'writes', ...transactions.load() },
      { pool: 'reads', ...reads.load() },
    ],
    schema: { connect, isAlone: () => false, fence: (schema) => void (fence.schema = schema) },
    close: () => (closed ??= close()),
  }
}

/** Items waiting to be sent to the server. */
export interface Groups<Item> {
  add(item: Item): void
  load(): Omit<PoolLoad, 'pool'>
  /** Resolves when every added item is settled. */
  idle(): Promise<void>
}

/**
 * Sends all waiting items together whenever a connection is free: under load they share a round trip, and a lone item
 * never waits.
 *
 * @param options `maxGroup` limits a group's size; `settle` answers every item of a group and never rejects.
 */
function inGroups<Item>(
  links: readonly Link[],
  options: { maxGroup: number; settle: (link: Link, group: readonly Item[]) => Promise<void> },
): Groups<Item> {
  const free = [...links]
  const busy = new Set<Promise<void>>()
  let waiting: Item[] = []
  function dispatch(): void {
    while (waiting.length > 0) {
      const idle = free.pop()
      if (idle === undefined) return
      const group = waiting.slice(0, options.maxGroup)
      waiting = waiting.slice(options.maxGroup)
      const work = options.settle(idle, group).then(() => {
        busy.delete(work)
        free.push(idle)
        dispatch()
      })
      busy.add(work)
    }
  }
  return {
    add(item) {
      // Node runs immediates after all input of a turn, so items that arrive together are sent together.
      if (waiting.length === 0) setImmediate(dispatch)
      waiting.push(item)
    },
    load: () => ({ connections: links.length, used: busy.size, waiting: waiting.length }),
    async idle() {
      dispatch()
      while (busy.size > 0) await Promise.all(busy)
    },
  }
}

/** A read and its caller's promise. */
interface WaitingRead {
  sql: string
  params: readonly Value[]
  resolve(rows: readonly Row[]): void
  reject(error: Error): void
}

const MAX_ATTEMPTS = 3

/** Answers reads in one round trip; reads after a failed one are sent again. Never rejects. */
async function settleReads(connection: Link, reads: readonly WaitingRead[], translate: Translate): Promise<void> {
  let rest = reads
  let attempts = 0
  while (rest.length > 0) {
    const result = await runReads(connection, rest, translate)
    for (const [i, answer] of result.answers.entries()) settle(rest[i], answer)
    rest = rest.slice(result.answers.length)
    if (result.outcome === 'done') return
    if (result.answers.length > 0) attempts = 0
    const failure = failureOf(result.error, false)
    if (failure === 'transient' && ++attempts < MAX_ATTEMPTS) continue
    const failed = failure === 'unavailable' ? rest : rest.slice(0, 1)
    for (const { reject } of failed) reject(failure === 'mistake' ? result.error : unavailable(result.error))
    rest = rest.slice(failed.length)
    attempts = 0
  }
}

async function runReads(connection: Link, reads: readonly WaitingRead[], translate: Translate): Promise<BatchResult> {
  try {
    return await connection.run(reads.map(({ sql, params }) => ({ ...translate({ sql }), params })))
  } catch (error) {
    return { outcome: 'failed', answers: [], statement: 0, error: unavailable(error) }
  }
}

function settle(read: WaitingRead | undefined, answer: Answer): void {
  try {
    read?.resolve(rowsOf(answer))
  } catch (error) {
    read?.reject(error instanceof Error ? error : new Error(String(error)))
  }
}
