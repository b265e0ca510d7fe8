import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bankSimulator } from '@tillwright/bank-simulator'
import { createPlatformLog, readConfig, startLocal as start, type LocalFile } from '@tillwright/platform'
import { inject } from 'vitest'
import { copyDatabase, dropDatabase } from '../../../../.ci/postgres-database.ts'
import { nextSeed } from '../../../../.ci/test-seed.ts'

/** A local platform that runs in this process. */
export interface RunningLocal {
  /** The value of `TILLWRIGHT_HOME` for commands that should find it. */
  home: string
  file: LocalFile
  /** The settings of commands that work on its database. */
  settings: Readonly<Record<string, string>>
  /** Stops it and deletes its folder. */
  stop: () => Promise<void>
}

/** Starts a local platform in its own folder, on free ports, with the embedded engine or with PostgreSQL. */
export async function startLocal(engine: 'sqlite' | 'postgres' = 'sqlite'): Promise<RunningLocal> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-'))
  return startAt(home, engine === 'sqlite' ? null : await newDatabase())
}

/** Starts a local platform where one has been before. */
export async function startAt(
  home: string,
  database: { url: string; drop: () => Promise<void> } | null,
): Promise<RunningLocal> {
  const config = readConfig({
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    TILLWRIGHT_SEED: nextSeed(),
    DATABASE_URL: database?.url,
  })
  const log = createPlatformLog(config, join(home, 'platform.log'))
  const platform = await start(config, 'http://localhost:9', { log, simulator: bankSimulator })
  await platform.announce(null)
  return {
    home,
    file: platform.local,
    settings: { TILLWRIGHT_HOME: home, ...(database !== null && { DATABASE_URL: database.url }) },
    async stop() {
      await platform.stop()
      await Promise.all([rm(home, { recursive: true, force: true }), database?.drop()])
    },
  }
}

/** The engines available here; a missing PostgreSQL was already reported by the test run. */
export function testableEngines(): ('sqlite' | 'postgres')[] {
  return inject('postgresUrl') === null ? ['sqlite'] : ['sqlite', 'postgres']
}

async function newDatabase() {
  const server = inject('postgresUrl') ?? ''
  const url = await copyDatabase(server, inject('postgresTemplate'))
  return { url, drop: () => dropDatabase(server, url) }
}
