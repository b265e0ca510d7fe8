import pg from 'pg'
import pgPackage from 'pg/package.json' with { type: 'json' }
import { type Database, DatabaseUnavailable, type Row, type Value } from '../database.ts'
import { type Answer, type BatchResult, failureOf, requireInternals, rowsOf, unavailable } from './batch.ts'
import { type Link, link, UnsafeDatabase } from './connection.ts'
import { settleUnits, type WaitingTransaction } from './transactions.ts'
import { type Translate, translator } from './translate.ts'

/** Some wait for the server's disk while others fill. */
const WRITERS = 4
const READERS = 2

/** Bounds how long the locks of a group are held. */
const MAX_UNITS = 64
/** Reads behind a slow one wait for it. */
const MAX_READS = 32

/**
 * A lock is waited for much less long than the second after which the server looks for deadlocks: it may be one, because
 * a group locks rows of several units, and to try again is cheap.
 */
const TIMEOUTS = 'SET statement_timeout = 8000; SET idle_in_transaction_session_timeout = 8000; SET lock_timeout = 100'

/**
 * The engine for many processes: PostgreSQL, or what speaks its protocol.
 *
 * @param options `url`: `postgres://user:password@host:port/database`; the database must exist.
 * @throws {OperatorError} If another version of `pg` is installed, with which this cannot work.
 * @throws {UnsafeDatabase} If the server does not keep what it has acknowledged.
 * @throws {DatabaseUnavailable} If it cannot be reached.
 */
export async function openPostgres({ url }: { url: string }): Promise<Database> {
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
  return database(writers, readers)
}

function database(writers: readonly Link[], readers: readonly Link[]): Database {
  const translate = translator()
  const units = inGroups<WaitingTransaction>(writers, {
    maxGroup: MAX_UNITS,
    settle: (free, group) => settleUnits(free, group, translate),
  })
  const reads = inGroups<WaitingRead>(readers, {
    maxGroup: MAX_READS,
    settle: (free, group) => settleReads(free, group, translate),
  })
  let closed: Promise<void> | null = null
  async function close(): Promise<void> {
    await Promise.all([units.idle(), reads.idle()])
    await Promise.all([...writers, ...readers].map((each) => each.close()))
  }
  return {
    engine: 'postgres',
    read(sql, params) {
      if (closed !== null) return Promise.reject(new DatabaseUnavailable('The database is closed.'))
      return new Promise((resolve, reject) => reads.add({ sql, params, resolve, reject }))
    },
    write(unit) {
      if (closed !== null) return Promise.reject(new DatabaseUnavailable('The database is closed.'))
      return new Promise((resolve, reject) => units.add({ unit, resolve, reject }))
    },
    close: () => (closed ??= close()),
  }
}

/** Items on their way to the server. */
export interface Groups<Item> {
  add(item: Item): void
  /** Resolves when everything that was added is settled. */
  idle(): Promise<void>
}

/**
 * Whenever a connection is free, all the items that wait go out on it together: under load they share a round trip, and
 * alone none waits for another.
 *
 * @param options `maxGroup` bounds a group; `settle` answers every item of one and never rejects.
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
      // Node runs immediates after all the input of a turn, so what came in together goes out together.
      if (waiting.length === 0) setImmediate(dispatch)
      waiting.push(item)
    },
    async idle() {
      dispatch()
      while (busy.size > 0) await Promise.all(busy)
    },
  }
}

/** A read whose caller waits for the rows. */
interface WaitingRead {
  sql: string
  params: readonly Value[]
  resolve(rows: readonly Row[]): void
  reject(error: Error): void
}

const MAX_ATTEMPTS = 3

/** Answers reads in one round trip; behind one that fails they are asked again. Never rejects. */
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
