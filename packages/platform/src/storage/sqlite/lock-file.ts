import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../../ambient/operator-error.ts'
import { hasPrimaryCode, SQLITE_BUSY } from './error-codes.ts'

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
export function lockFile(file: string): () => void {
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
