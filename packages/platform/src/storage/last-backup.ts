import type { Database } from './database.ts'
import { rowReader } from './define-table.ts'
import { lastBackupTable } from './tables.ts'

/** The newest whole backup of a database, as `tillwright backup` noted it there. */
export interface LastBackup {
  /** The moment that its rows are of, in milliseconds, by the clock of the machine that took it. */
  takenAtMs: number
  engine: Database['engine']
  /** Of the platform that took it. */
  version: string
  /** How many files of plugins the store no longer had, so that the backup lacks them. */
  missingBlobs: number
  /** When `tillwright restore --verify` last proved this very backup; `null` if it never has. */
  verifiedAtMs: number | null
}

/** @returns `null` if no backup was ever taken of this database, or not since it was restored. */
export async function lastBackup(db: Database): Promise<LastBackup | null> {
  const [row] = readLast(await db.read('SELECT * FROM last_backup WHERE id = 1', []))
  if (row === undefined) return null
  return {
    takenAtMs: row.taken_at,
    engine: db.engine,
    version: row.version,
    missingBlobs: row.missing_blobs,
    verifiedAtMs: row.verified_at,
  }
}

const readLast = rowReader(lastBackupTable)

/** Notes a whole backup, unless a newer one has been noted meanwhile. */
export async function noteBackup(
  db: Database,
  { takenAtMs, version, missingBlobs }: Pick<LastBackup, 'takenAtMs' | 'version' | 'missingBlobs'>,
): Promise<void> {
  const sql = `INSERT INTO last_backup (id, taken_at, version, missing_blobs, verified_at) VALUES (1, ?, ?, ?, NULL)
    ON CONFLICT (id) DO UPDATE SET taken_at = excluded.taken_at, version = excluded.version,
      missing_blobs = excluded.missing_blobs, verified_at = NULL
    WHERE last_backup.taken_at < excluded.taken_at`
  await db.write([{ sql, params: [takenAtMs, version, missingBlobs] }])
}

/** Notes that a backup was proved; without effect if it is not the newest one of this database. */
export async function noteProof(db: Database, takenAtMs: number, nowMs: number): Promise<void> {
  const sql = 'UPDATE last_backup SET verified_at = ? WHERE id = 1 AND taken_at = ?'
  await db.write([{ sql, params: [nowMs, takenAtMs] }])
}
