import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { prepared } from './connection.ts'
import { isUnavailable } from './error-codes.ts'
import { lockFile } from './lock-file.ts'
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
