import pg, { type Client } from 'pg'
import { OperatorError } from '../../runtime/index.ts'
import { batch, type BatchResult, type BatchStatement, type Prepared, unavailable } from './batch.ts'

/** A connection that is opened when first needed and reopened after it breaks. Runs one batch at a time. */
export interface Link {
  /**
   * Runs a batch. If it fails, any transaction it began is rolled back.
   *
   * @throws {DatabaseUnavailable} If there is no connection.
   */
  run(statements: readonly BatchStatement[]): Promise<BatchResult>
  close(): Promise<void>
}

interface Session {
  client: pg.Client
  prepared: Prepared
  /** Number of batches run so far. */
  batches: number
}

/**
 * Batch counts at which a connection's statements are planned again. The server keeps the plan of a prepared statement,
 * and a plan made while a table was almost empty may read an account's whole index to find one row once the table has
 * grown. The server's own statistics correct this only after minutes.
 */
const PLANNED_ANEW_AT = new Set([100, 1_000, 10_000])

const CONNECT_TIMEOUT_MS = 3_000
/** For a server that has silently disappeared; a live one ends a statement itself slightly earlier. */
const BATCH_TIMEOUT_MS = 10_000

/** @param settings SQL to run in each new connection. */
export function link(url: string, settings: string): Link {
  let session: Promise<Session> | null = null
  function connected(): Promise<Session> {
    if (session !== null) return session
    const attempt = connect(url, settings, () => {
      if (session === attempt) session = null
    })
    session = attempt
    return attempt
  }
  return {
    async run(statements) {
      const open = await connected()
      const { client, prepared } = open
      if (PLANNED_ANEW_AT.has(++open.batches)) await client.query('DISCARD PLANS')
      const result = await runBatch(client, statements, prepared)
      // If the connection is lost this fails too, and there is nothing to roll back.
      if (result.outcome === 'failed') await client.query('ROLLBACK').catch(() => {})
      return result
    },
    async close() {
      const open = await session?.catch(() => null)
      await open?.client.end()
    },
  }
}

async function connect(url: string, settings: string, lost: () => void): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'tillwright',
  })
  client.on('error', lost)
  client.on('end', lost)
  try {
    await client.connect()
    await client.query(settings)
    await refuseUnsafeServer(client)
  } catch (error) {
    lost()
    void client.end()
    throw unavailable(error)
  }
  return { client, prepared: new Map(), batches: 0 }
}

function runBatch(client: pg.Client, statements: readonly BatchStatement[], prepared: Prepared): Promise<BatchResult> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => client.connection.stream.destroy(), BATCH_TIMEOUT_MS)
    client.query(
      batch(statements, prepared, (result) => {
        clearTimeout(timeout)
        resolve(result)
      }),
    )
  })
}

/** Thrown when a server's settings do not make commits durable. */
export class UnsafeDatabase extends OperatorError {
  override readonly name = 'UnsafeDatabase'
}

/** With any of these off, a crash can lose a payment that was already confirmed, or corrupt the tables. */
const REQUIRED = ['fsync', 'synchronous_commit', 'full_page_writes'] as const

/**
 * Checks the settings effective for this connection, which may come from the server, the database or the role.
 *
 * @throws {UnsafeDatabase} With the setting and how to fix it.
 */
async function refuseUnsafeServer(client: Client): Promise<void> {
  const sql = 'SELECT name, setting, source FROM pg_settings WHERE name = ANY ($1)'
  const { rows } = await client.query<{ name: string; setting: string; source: string }>(sql, [REQUIRED])
  const off = rows.find(({ setting }) => setting === 'off')
  if (off === undefined) return
  throw new UnsafeDatabase(
    `PostgreSQL runs with ${off.name} = off (set by: ${off.source}), so a crash would lose confirmed payments. ` +
      `Set ${off.name} = on, reload or restart the server, and start again.`,
  )
}
