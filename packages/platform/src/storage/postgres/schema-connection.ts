import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { LockBusy, type Row, type SchemaConnection, type Statement, type Value } from '../database.ts'
import { unavailable } from './batch.ts'
import { translator } from './translate.ts'

/**
 * How long a change of a table waits for its lock, in milliseconds: everybody who comes later waits behind it, so that it
 * had better give up and try again.
 */
const LOCK_WAIT_MS = 300
const CONNECT_TIMEOUT_MS = 5_000
const LOOK_EVERY_MS = 20
/** How long transactions of others, in whatever database of the server, may keep a fence from closing. */
const DRAIN_MS = 60_000

/**
 * Opens a connection for changing the schema. It is not bound by the limits of serving; every setting is for one
 * transaction, or is taken back, so that it works through a pooler of connections as well.
 *
 * @param options `statementMs`: how long one statement may take, in milliseconds; 0 for as long as it takes.
 */
export async function openSchemaConnection(options: { url: string; statementMs: number }): Promise<SchemaConnection> {
  const { url, statementMs } = options
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'tillwright migrate',
  })
  client.on('error', () => {}) // the query that is under way fails with it
  await client.connect().catch((error: unknown) => {
    throw unavailable(error)
  })
  const translate = translator()
  async function rows(sql: string, params: readonly Value[] = []): Promise<Row[]> {
    const found = await client.query<Row>(translate({ sql }).text, [...params])
    return found.rows
  }
  async function inTransaction(statements: readonly Statement[]): Promise<void> {
    await client.query('BEGIN')
    try {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`)
      await client.query(`SET LOCAL statement_timeout = ${statementMs}`)
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 60000')
      for (const statement of statements) await client.query(translate(statement).text, [...statement.params])
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {})
      if (codeOf(error) === LOCK_NOT_AVAILABLE || codeOf(error) === DEADLOCK) {
        throw new LockBusy('Somebody else holds the lock.', { cause: error })
      }
      if (codeOf(error) === DIVISION_BY_ZERO) {
        throw new Error('Another process has taken over the migration.', { cause: error })
      }
      throw error
    }
  }
  return {
    rows,
    transaction: inTransaction,
    async index(name, sql) {
      const [known] = await rows(selectIndex, [name])
      const isCreated = sql.startsWith('CREATE')
      if (isCreated && known?.['valid'] === 1) return
      await client.query(`SET statement_timeout = ${statementMs}`)
      try {
        // What is left of one that was cut off is never used, and stands in the way of the next.
        if (isCreated && known !== undefined) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
        await client.query(sql)
      } finally {
        await client.query('RESET statement_timeout').catch(() => {})
      }
    },
    column: () => Promise.reject(new TypeError('PostgreSQL changes columns by statements.')),
    drained: () => drained(client),
    close: () => client.end(),
  }
}

/**
 * Whatever wrote before this call has a lower number than the transaction that is begun here; it is over once no lower
 * number is open.
 */
async function drained(client: pg.Client): Promise<void> {
  const numberBy = async (sql: string) => BigInt((await client.query<{ id: string }>(sql)).rows[0]?.id ?? 0)
  const mine = await numberBy('SELECT pg_current_xact_id()::text AS id')
  for (let waitedMs = 0; waitedMs < DRAIN_MS; waitedMs += LOOK_EVERY_MS) {
    if ((await numberBy('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS id')) > mine) return
    await delay(LOOK_EVERY_MS)
  }
  throw unavailable(new Error('a transaction of somebody else has been open for a minute; see pg_stat_activity'))
}

const selectIndex = `SELECT i.indisvalid::int AS valid FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid WHERE c.relname = ? AND pg_catalog.pg_table_is_visible(c.oid)`

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
const DIVISION_BY_ZERO = '22012' // a guard that does not hold

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}
