import { createHash } from 'node:crypto'
import type { Database } from '../../src/storage/database.ts'

/**
 * Tables in which rows may rightly change when a request was refused, each with its reason.
 *
 * `rate_buckets` loses a token whatever the answer. Keys note when they were last used. Processes beat, follow one time and
 * hand each other keys of security codes, note what keys were used for and which requests failed, seal entries of the audit log, and count events and
 * tries of webhooks, also without a request.
 */
const CHANGES_BY_ITSELF: readonly string[] = [
  'rate_buckets',
  'api_keys',
  'processes',
  'shared_time',
  'code_recipients',
  'code_key_wraps',
  'key_uses',
  'audit_unsealed',
  'audit_seals',
  'audit_chains',
  'delivery_counts',
  'statistics_counts',
  'statistics_folds',
  'failed_requests',
]

/** Columns that deliveries of webhooks change in the background, in tables whose rows are a request's own. */
const CHANGED_BY_DELIVERIES: Readonly<Record<string, readonly string[]>> = {
  webhook_endpoints: ['failing_since'],
  webhook_deliveries: ['state', 'attempts', 'attempt_log', 'holder', 'next_attempt_at', 'last_status', 'last_response'],
}

const namesOfTables = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
  postgres: 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()',
}

/** Cache of each database's last digests, with the engine's identifier of that state. */
const known = new WeakMap<Database, { state: string; digests: Record<string, string> }>()

/**
 * A digest of all rows of each table, the tables found in the engine's own catalogue: any change shows. Where the engine
 * itself knows that nothing was written since the last time, the rows are not read again. Customers whose erasure has been
 * asked for stay as they are, so that nothing is erased between two digests.
 */
export async function tableDigests(db: Database): Promise<Record<string, string>> {
  const names = (await tableNames(db)).filter((name) => !CHANGES_BY_ITSELF.includes(name))
  const pending = "FROM customer_erasures WHERE status = 'pending'"
  if ((await db.read(`SELECT id ${pending}`, [])).length > 0) await db.write([{ sql: `DELETE ${pending}`, params: [] }])
  const state = await stateOf[db.engine](names, db)
  const last = known.get(db)
  if (last?.state === state) return last.digests
  const digests = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await digestOf(name, db)])))
  known.set(db, { state, digests })
  return digests
}

/** A text that differs after whatever was committed, and that costs less than to read all rows. */
const stateOf = {
  /** The reader's connection counts the commits of all others. */
  sqlite: async (names: readonly string[], db: Database) => {
    const [version] = await db.read('PRAGMA data_version', [])
    return JSON.stringify([names, version])
  },
  /** No row is changed in its place: each change makes a version with the number of its transaction. */
  postgres: async (names: readonly string[], db: Database) => {
    const versions = names.map((name) => `SELECT '${name}', string_agg(ctid::text || xmin::text, ' ') FROM ${name}`)
    return JSON.stringify(await db.read(versions.join(' UNION ALL '), []))
  },
}

/** The tables that there are, by the engine's own word. */
export async function tableNames(db: Database): Promise<string[]> {
  const tables = await db.read(namesOfTables[db.engine], [])
  return tables.map(({ name }) => String(name)).toSorted()
}

async function digestOf(table: string, db: Database): Promise<string> {
  const rows = await db.read(`SELECT * FROM ${table}`, [])
  const hash = createHash('sha256')
  const leftOut = CHANGED_BY_DELIVERIES[table] ?? []
  const nothing = Object.fromEntries(leftOut.map((column) => [column, undefined]))
  const texts = rows.map((row) => JSON.stringify(leftOut.length === 0 ? row : { ...row, ...nothing }))
  for (const text of texts.toSorted()) hash.update(`${text}\n`)
  return `${rows.length} rows, ${hash.digest('base64url')}`
}

/** Takes the webhooks away, so that nothing works in the background and every change is a request's own. */
export async function withoutWebhooks(db: Database): Promise<void> {
  await db.write([
    { sql: 'DELETE FROM webhook_endpoints', params: [] },
    { sql: 'DELETE FROM webhook_deliveries', params: [] },
  ])
}
