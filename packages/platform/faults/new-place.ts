import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { copyDatabase, createDatabase, dropDatabase } from '../../../.ci/postgres-database.ts'
import type { Place } from './place.ts'

/** The engines that there are here. */
export const engines: readonly ('sqlite' | 'postgres')[] =
  inject('postgresUrl') === null ? ['sqlite'] : ['sqlite', 'postgres']

/**
 * Makes a place without data, which is gone when the test is over. A PostgreSQL has its tables, unless it shall be empty: no
 * start need make them again.
 */
export async function newPlace(engine: 'sqlite' | 'postgres', { isEmpty = false } = {}): Promise<Place> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-faults-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  if (engine === 'sqlite') return { home, databaseUrl: null }
  const serverUrl = inject('postgresUrl')
  if (serverUrl === null) throw new Error('There is no PostgreSQL here.')
  const databaseUrl = await (isEmpty ? createDatabase(serverUrl) : copyDatabase(serverUrl, inject('postgresTemplate')))
  onTestFinished(() => dropDatabase(serverUrl, databaseUrl))
  return { home, databaseUrl }
}
