import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { testFolder } from './test-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server for tests, see `createDatabase`; `null` where none is to be had. */
    postgresUrl: string | null
  }
}

/**
 * One PostgreSQL server for the whole test run: the one that `TEST_DATABASE_URL` or `DATABASE_URL` names, otherwise one
 * of our own. Where there is none, says so in a line and the tests that need it do not run.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL']
  if (given !== undefined) {
    project.provide('postgresUrl', given)
    return undefined
  }
  const server = await startPostgres({ parent: testFolder })
  if ('missing' in server) {
    console.warn(`PostgreSQL is not tested: ${server.missing}`)
    project.provide('postgresUrl', null)
    return undefined
  }
  project.provide('postgresUrl', server.url)
  return server.stop
}
