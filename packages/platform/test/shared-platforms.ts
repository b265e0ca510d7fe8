import { afterAll, beforeAll, inject } from 'vitest'
import { copyDatabase, dropDatabase } from '../../../.ci/postgres-database.ts'
import { manualClock } from '../src/runtime/clock.ts'
import type { Database } from '../src/storage/database.ts'
import { startTestPlatform, type TestPlatform } from './test-platform.ts'

/**
 * Starts the platforms of one deployment for all tests of a `describe`: two on one database, or one where the engine
 * allows no more. Their clock is the same.
 */
export function sharedPlatforms(engine: Database['engine']): () => readonly [TestPlatform, ...TestPlatform[]] {
  const platforms: TestPlatform[] = []
  let dropIt = async () => {}
  beforeAll(async () => {
    const clock = manualClock(Date.UTC(2030, 0, 1))
    const server = inject('postgresUrl') ?? ''
    const databaseUrl = engine === 'postgres' ? await copyDatabase(server, inject('postgresTemplate')) : undefined
    if (databaseUrl !== undefined) dropIt = () => dropDatabase(server, databaseUrl)
    const options = { clock, ...(databaseUrl !== undefined && { databaseUrl }) }
    platforms.push(await startTestPlatform(options))
    if (databaseUrl !== undefined) platforms.push(await startTestPlatform(options))
  })
  afterAll(async () => {
    await Promise.all(platforms.map((platform) => platform.remove()))
    await dropIt()
  })
  return () => {
    const [first, ...others] = platforms
    if (first === undefined) throw new Error('The platforms are there as soon as the first test begins.')
    return [first, ...others]
  }
}
