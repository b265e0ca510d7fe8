import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import {
  DiskFull,
  LockBusy,
  type Row,
  type SchemaConnection,
  type Statement,
  StatementTooLong,
  type Value,
} from '../database.ts'
import { unavailable } from './failures.ts'
import type { Hosts } from './hosts.ts'
import { breakOff, clientFor, inTime } from './client.ts'
import { translator } from './translate.ts'

/**
 * How long a change of a table waits for its lock, in milliseconds: everybody who comes later waits behind it, so that it
 * had better give up and try again.
 */
const LOCK_WAIT_MS = 300
const CONNECT_MS = 8_000
/** How long the answer to something short may take, such as BEGIN. */
const SHORT_MS = 10_000
/** How often the server is asked, over another connection, whether it is still at a statement that takes long. */
const WATCH_EVERY_MS = 5_000
const LOOK_EVERY_MS = 20
/** How long transactions of others, in whatever database of the server, may keep a fence from closing. */
const DRAIN_MS = 60_000

/**
 * Opens a connection for changing the schema. It is not bound by the limits of serving; every setting is for one
 * transaction, or is taken back, so that it works through a pooler of connections as well.
 *
 * @param options `statementMs`: how long one statement may take, in milliseconds; 0 for as long as it takes.
 */
export async function openSchemaConnection(options: { hosts: Hosts; statementMs: number }): Promise<SchemaConnection> {
  const { hosts, statementMs } = options
  const client = await connectToPrimary(hosts)
  const short = (sql: string) => inTime(client.query(sql), { client, ...shortStep(sql) })
  const long = async (sql: string, params: readonly Value[] = []) => {
    const unwatch = watchOver(client, hosts)
    await client
      .query(sql, [...params])
      .catch((error: unknown) => Promise.reject(inWords(error, statementMs)))
      .finally(unwatch)
  }
  const translate = translator()
  async function rows(sql: string, params: readonly Value[] = []): Promise<Row[]> {
    const found = client.query<Row>(translate({ sql }).text, [...params])
    return (await inTime(found, { client, ...shortStep(sql) })).rows
  }
  async function inTransaction(statements: readonly Statement[]): Promise<void> {
    await short('BEGIN')
    try {
      await short(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`)
      await short(`SET LOCAL statement_timeout = ${statementMs}`)
      await short('SET LOCAL idle_in_transaction_session_timeout = 60000')
      for (const statement of statements) await long(translate(statement).text, statement.params)
      await long('COMMIT')
    } catch (error) {
      await short('ROLLBACK').catch(() => {})
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
      await short(`SET statement_timeout = ${statementMs}`)
      try {
        // The remains of one that was cut off are never used, and stand in the way of the next.
        if (isCreated && known !== undefined) await long(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
        await long(sql)
      } finally {
        await short('RESET statement_timeout').catch(() => {})
      }
    },
    column: () => Promise.reject(new TypeError('PostgreSQL changes columns by statements.')),
    drained: () => drained(client),
    close: () => inTime(client.end(), { client, ...shortStep('the end') }).catch(() => {}),
  }
}

export async function connectToPrimary(hosts: Hosts): Promise<pg.Client> {
  const untilMs = performance.now() + CONNECT_MS
  const { host, destroy } = await hosts.open('write', { untilMs, lost: () => {} })
  destroy()
  const client = clientFor(host, 'tillwright migrate')
  client.on('error', () => {}) // the query that is under way fails with it
  try {
    await inTime(client.connect(), { client, host: host.name, step: 'the connection', untilMs })
    return client
  } catch (error) {
    throw unavailable(error)
  }
}

const shortStep = (step: string) => ({ host: 'PostgreSQL', step, untilMs: performance.now() + SHORT_MS })

/**
 * Breaks a connection off whose server does not work for it any more, although there has been no answer: a statement may
 * take hours, but a network that swallowed its answer must not.
 *
 * @returns Ends the watch.
 */
function watchOver(client: pg.Client, hosts: Hosts): () => void {
  const { processID } = client as pg.Client & { processID: number | null } // from the handshake; missing in the types
  let missed = 0
  const timer = setInterval(async () => {
    const untilMs = performance.now() + WATCH_EVERY_MS
    const isAtWork = await hosts
      .open('write', { untilMs, lost: () => {} })
      .then((session) => session.isAtWork(processID, untilMs).finally(() => session.end()))
      .catch(() => false)
    missed = isAtWork ? 0 : missed + 1
    if (missed === 2) breakOff(client)
  }, WATCH_EVERY_MS)
  return () => clearInterval(timer)
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

/** Puts errors that an operator can act on into words; others stay as they are. */
function inWords(error: unknown, statementMs: number): unknown {
  if (codeOf(error) === QUERY_CANCELED) return new StatementTooLong(statementMs, { cause: error })
  return codeOf(error) === DISK_FULL ? new DiskFull({ cause: error }) : error
}

const QUERY_CANCELED = '57014'
const DISK_FULL = '53100'
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
const DIVISION_BY_ZERO = '22012' // a guard that does not hold

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null
}
