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
 * @throws {DatabaseInUse} If the file is already open, here or in another process.
 */
export async function openSqlite({ file }: { file: string }): Promise<Database> {
  const unlock = lockFile(file)
  try {
    closeSync(openSync(file, 'a', OWNER_ALONE)) // SQLite would create it for all to read
    const writer = await startWriter(file)
    return database(writer, new DatabaseSync(file, { readOnly: true, timeout: 1_000 }), unlock)
  } catch (error) {
    unlock()
    throw error
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
