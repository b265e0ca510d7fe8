import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { createDatabase, dropDatabase } from '../../../.ci/postgres-database.ts'

/** Where a platform keeps its state, across its deaths. */
export interface Place {
  /** The folder of keys, and of the embedded database. */
  home: string
  /** `null` for the embedded database. */
  databaseUrl: string | null
}

/** The engines that there are here. */
export const engines: readonly ('sqlite' | 'postgres')[] =
  inject('postgresUrl') === null ? ['sqlite'] : ['sqlite', 'postgres']

/** Makes an empty place, which is gone when the test is over. */
export async function newPlace(engine: 'sqlite' | 'postgres'): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-faults-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  if (engine === 'sqlite') return { home, databaseUrl: null }
  const serverUrl = inject('postgresUrl')
  if (serverUrl === null) throw new Error('There is no PostgreSQL here.')
  const databaseUrl = await createDatabase(serverUrl)
  onTestFinished(() => dropDatabase(serverUrl, databaseUrl))
  return { home, databaseUrl }
}

/** The settings of a platform at a place, on ports that are free. */
export function settingsOf({ home, databaseUrl }: Place): Record<string, string> {
  return {
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    TILLWRIGHT_LOG_LEVEL: 'warn',
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  }
}
