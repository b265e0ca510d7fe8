import { type Database, DatabaseUnavailable } from '../database.ts'
import { inGroups } from './in-groups.ts'
import { type Link, link } from './link.ts'
import { settleReads, type WaitingRead } from './settle-reads.ts'
import { settleUnits, type WaitingUnit } from './settle-units.ts'
import { translator } from './translate.ts'
import { UnsafeDatabase } from './unsafe-server.ts'

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
 * @throws {UnsafeDatabase} If the server does not keep what it has acknowledged.
 * @throws {DatabaseUnavailable} If it cannot be reached.
 */
export async function openPostgres({ url }: { url: string }): Promise<Database> {
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
  const units = inGroups<WaitingUnit>(writers, {
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
