import type { DriverName } from '../payments/routing/processors.ts'
import { readProcessorSettings, type ProcessorSettings } from '../payments/processors/processor-settings.ts'
import type { Database, Row } from '../storage/database.ts'

/** A processor as lists show it, without its secret. */
export interface ListedProcessor extends ProcessorSettings {
  id: string
  accountId: string
  name: string
  driver: DriverName
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601, or `null` while payment flows may pick it. */
  archivedAt: string | null
}

const columns = 'account_id, id, name, driver, config, created_at, archived_at'

/** An account's processors, the oldest first. */
export async function listProcessors(db: Database, accountId: string): Promise<ListedProcessor[]> {
  const rows = await db.read(`SELECT ${columns} FROM processors WHERE account_id = ? ORDER BY created_at, id`, [
    accountId,
  ])
  return rows.map(toListed)
}

/** The processor of an id, whosever it is, or `null`. */
export async function findProcessor(db: Database, id: string): Promise<ListedProcessor | null> {
  const [row] = await db.read(`SELECT ${columns} FROM processors WHERE id = ?`, [id])
  return row === undefined ? null : toListed(row)
}

function toListed(row: Row): ListedProcessor {
  const archivedAt = row['archived_at'] ?? null
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    name: String(row['name']),
    driver: String(row['driver']) as DriverName, // written from this union alone
    ...readProcessorSettings(row['config']),
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    archivedAt: archivedAt === null ? null : new Date(Number(archivedAt)).toISOString(),
  }
}
