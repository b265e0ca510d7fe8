import { defineTable, int, nullable, text } from './define-table.ts'

/** The newest whole backup of this database: one row. No backup contains it, so that a restored database has none. */
export const lastBackupTable = defineTable('last_backup', {
  id: int,
  taken_at: int,
  version: text,
  missing_blobs: int,
  verified_at: nullable(int),
})
