import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../../runtime/index.ts'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { hasPrimaryCode, isUnavailable, prepared, SQLITE_BUSY } from './connection.ts'
import { startWriter, type Writer } from './start-writer.ts'

const OWNER_ALONE = 0o600

/**
 * The embedded engine: one file, one thread that writes, and a connection beside it that reads on the caller's thread
 * (a read by key takes microseconds, less than a message to another thread).
 *
 * @param options `file`: the database file, created if it is missing; its folder must exist.
 * @throws {DatabaseInUse} If another platform has the file open, here or in another process.
 */
export async function openSqlite({ file }: { file: string }): Promise<Database> {
  const unlock = lockFile(file)
  try {
    return await openFile(file, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * The same file for a command that works beside the platform, whether one runs or not: a platform is alone among
 * platforms, not among connections. SQLite lets one of them write at a time, and the others wait for it.
 */
export function openSqliteBeside({ file }: { file: string }): Promise<Database> {
  return openFile(file, () => {})
}

async function openFile(file: string, unlock: () => void): Promise<Database> {
  createForOwner(file)
  const writer = await startWriter(file)
  return database(writer, new DatabaseSync(file, { readOnly: true, timeout: 1_000 }), unlock)
}

/**
 * SQLite would create the file for all to read. One that is there must not even be opened and closed again: that would
 * give up the locks of every other connection that this process has to it (POSIX, `fcntl`).
 */
function createForOwner(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ALONE))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

function database(writer: Writer, readOnly: DatabaseSync, unlock: () => void): Database {
  const reader = prepared(readOnly)
  let closed: Promise<void> | null = null
  async function close(): Promise<void> {
    readOnly.close() // before the writer, which as the last to leave empties the log into the file
    await writer.close()
    unlock()
  }
  return {
    engine: 'sqlite',
    async read(sql, params) {
      if (closed !== null) throw new DatabaseUnavailable('The database is closed.')
      try {
        return reader.rows(sql, params)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        throw new DatabaseUnavailable('The database file cannot be read.', { cause: error })
      }
    },
    async write(unit) {
      if (closed !== null) throw new DatabaseUnavailable('The database is closed.')
      return writer.write(unit)
    },
    close: () => (closed ??= close()),
  }
}

/** Thrown when another platform, in this process or another, has the database open. */
export class DatabaseInUse extends OperatorError {
  override readonly name = 'DatabaseInUse'
}

/**
 * Makes this process the only one to use a database file, until it releases it or dies.
 *
 * The lock is an exclusive transaction on an empty SQLite file beside it, `<file>.lock`: such a lock belongs to the
 * process, so after a kill nothing is left to be cleaned up. The file itself stays; it means nothing unless locked.
 *
 * @returns Releases the lock.
 * @throws {DatabaseInUse}
 */
function lockFile(file: string): () => void {
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!hasPrimaryCode(error, [SQLITE_BUSY])) throw error
    const remedy = 'Stop it, or give this one a folder of its own.'
    throw new DatabaseInUse(`${file} is in use by another platform. ${remedy}`, { cause: error })
  }
  return () => lock.close()
}
