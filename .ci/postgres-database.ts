import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'

/** The part of `pg` used here. `pg` is a dependency of the platform and cannot be imported from this folder. */
interface Pg {
  Client: new (options: { connectionString: string }) => {
    connect(): Promise<unknown>
    query(sql: string): Promise<{ rows: readonly Record<string, unknown>[] }>
    end(): Promise<void>
  }
}

/**
 * Makes an empty database for one test or test file. Its language is English where the server can, so that an order
 * which depends on the language shows.
 *
 * @param serverUrl Of any database on the server whose user may create databases.
 * @returns The new database's URL.
 */
export async function createDatabase(serverUrl: string): Promise<string> {
  const url = newDatabaseUrl(serverUrl)
  const name = nameOf(url)
  const english = `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'`
  await run(serverUrl, (query) =>
    query(`${english} ${BY_FILES}`)
      .catch(() => query(english))
      .catch(() => query(`CREATE DATABASE ${name}`)),
  )
  return url
}

/** Half the time of writing them to the log; servers before PostgreSQL 15 do nothing else and do not know the word. */
const BY_FILES = 'STRATEGY FILE_COPY'

/** The same, as a copy of a database without open connections. */
export async function copyDatabase(serverUrl: string, sourceUrl: string): Promise<string> {
  const url = newDatabaseUrl(serverUrl)
  const copy = `CREATE DATABASE ${nameOf(url)} TEMPLATE ${nameOf(sourceUrl)}`
  await run(serverUrl, (query) => query(`${copy} ${BY_FILES}`).catch(() => query(copy)))
  return url
}

/** Deletes a database that `createDatabase` made, and ends whatever is still connected to it. */
export async function dropDatabase(serverUrl: string, url: string): Promise<void> {
  await run(serverUrl, (query) => query(`DROP DATABASE ${nameOf(url)} WITH (FORCE)`))
}

function newDatabaseUrl(serverUrl: string): string {
  const url = new URL(serverUrl)
  url.pathname = `tillwright_test_${randomBytes(8).toString('hex')}`
  return url.href
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

/** Runs SQL over a connection of its own. */
export async function queryPostgres(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await run(url, (query) => query(sql))
  return rows
}

type Answer = Awaited<ReturnType<InstanceType<Pg['Client']>['query']>>

async function run(url: string, work: (query: (sql: string) => Promise<Answer>) => Promise<Answer>): Promise<Answer> {
  // The platform lists `pg` among its dependencies, so this is that package.
  const pg = createRequire(new URL('../packages/platform/package.json', import.meta.url))('pg') as Pg
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work((sql) => client.query(sql))
  } finally {
    await client.end()
  }
}
