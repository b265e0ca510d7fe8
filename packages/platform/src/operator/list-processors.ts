import {
  ownSettings,
  readProcessorSettings,
  type ProcessorSettings,
} from '../payments/processors/processor-settings.ts'
import type { ProcessorRegistry } from '../payments/processors/registry.ts'
import type { Database, Row } from '../storage/database.ts'

/** A processor as lists show it, without its secret. */
export interface ListedProcessor extends ProcessorSettings {
  id: string
  accountId: string
  name: string
  driver: string
  /** What its driver has settings of its own for, without those that were left out. */
  driverSettings: Readonly<Record<string, unknown>>
  /** Why no payment goes through it whatever flows say; `null` where nothing is in the way. */
  stopped: string | null
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601, or `null` while payment flows may pick it. */
  archivedAt: string | null
}

/** Where processors are looked up, and which drivers there are. */
interface Listing {
  db: Database
  registry: ProcessorRegistry
}

const columns = 'account_id, id, name, driver, config, created_at, archived_at'

/** An account's processors, the oldest first. */
export async function listProcessors({ db, registry }: Listing, accountId: string): Promise<ListedProcessor[]> {
  const rows = await db.read(`SELECT ${columns} FROM processors WHERE account_id = ? ORDER BY created_at, id`, [
    accountId,
  ])
  return rows.map((row) => toListed(row, registry))
}

/** The processor of an id, whosever it is, or `null`. */
export async function findProcessor({ db, registry }: Listing, id: string): Promise<ListedProcessor | null> {
  const [row] = await db.read(`SELECT ${columns} FROM processors WHERE id = ?`, [id])
  return row === undefined ? null : toListed(row, registry)
}

function toListed(row: Row, { find }: ProcessorRegistry): ListedProcessor {
  const archivedAt = row['archived_at'] ?? null
  const name = String(row['driver'])
  const driver = find(name)
  const config: Record<string, unknown> = typeof row['config'] === 'string' ? JSON.parse(row['config']) : {}
  const own = driver === null ? [] : ownSettings(driver.settings).map((setting) => setting.name)
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    name: String(row['name']),
    driver: name,
    ...readProcessorSettings(row['config']),
    driverSettings: Object.fromEntries(
      own.filter((setting) => (config[setting] ?? null) !== null).map((setting) => [setting, config[setting]]),
    ),
    stopped: driver === null ? `this platform has no driver '${name}'` : null,
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    archivedAt: archivedAt === null ? null : new Date(Number(archivedAt)).toISOString(),
  }
}
