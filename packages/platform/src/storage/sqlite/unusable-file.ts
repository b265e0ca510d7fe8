import { DatabaseUnavailable, DiskFull } from '../database.ts'
import { hasPrimaryCode, isUnavailable, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_NOTADB } from './connection.ts'

/** What SQLite says when a file cannot be opened, with the file and the remedy; any other error as it is. */
export function unusable(file: string, error: unknown): unknown {
  if (!isUnavailable(error)) return error
  if (hasPrimaryCode(error, [SQLITE_FULL])) return new DiskFull({ cause: error })
  const reason = error instanceof Error ? error.message : String(error)
  const remedy = hasPrimaryCode(error, [SQLITE_CORRUPT, SQLITE_NOTADB])
    ? 'It is damaged: keep it, and restore a backup into an empty folder ("tillwright restore").'
    : 'See whether its disk is full or fails, and whether this user may write the file.'
  return new DatabaseUnavailable(`${file} cannot be opened (${reason}). ${remedy}`, { cause: error })
}
