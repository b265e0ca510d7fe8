import { inject } from 'vitest'
import { createDatabase, dropDatabase } from '../../../.ci/postgres-database.ts'
import { startShop, type RunningShop } from './running-shop.ts'

/** A database engine that the platform runs on here. */
export interface Engine {
  name: 'SQLite' | 'PostgreSQL'
  /** Starts a shop on an empty database; its `stop` drops that. */
  start(options?: { command: readonly string[] }): Promise<RunningShop & { databaseUrl: string | null }>
}

const sqlite: Engine = {
  name: 'SQLite',
  start: async (options) => ({ ...(await startShop(options)), databaseUrl: null }),
}

/** Every engine to be had: without a PostgreSQL the test run has said so, and SQLite is alone. */
export function engines(): Engine[] {
  const server = inject('postgresUrl')
  if (server === null) return [sqlite]
  return [sqlite, { name: 'PostgreSQL', start: (options) => startOnPostgres(server, options) }]
}

async function startOnPostgres(server: string, options: { command?: readonly string[] } = {}) {
  const databaseUrl = await createDatabase(server)
  const shop = await startShop({ ...options, databaseUrl })
  return {
    ...shop,
    databaseUrl,
    async stop() {
      await shop.stop()
      await dropDatabase(server, databaseUrl)
    },
  }
}
