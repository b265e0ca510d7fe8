import type { TestProject } from 'vitest/node'
import { bankSimulator } from '../packages/bank-simulator/src/index.ts'
import { createTables, openDatabase } from '../packages/platform/src/storage/index.ts'
import { isNeeded } from './matching-tests.ts'
import { copyDatabase, createDatabase, dropDatabase } from './postgres-database.ts'
import { startPostgres } from './postgres.ts'
import { testFolder } from './test-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server for tests, see `createDatabase`; `null` where none is to be had. */
    postgresUrl: string | null
    /** A database with the platform's tables, to be copied with `copyDatabase`. No test connects to it. */
    postgresTemplate: string
    /** A copy of it with the simulator's tables, in which statements are prepared and none is run; `null` where there is no PostgreSQL. */
    postgresTables: string | null
  }
}

/**
 * One PostgreSQL server for the whole test run: the one that `TEST_DATABASE_URL` or `DATABASE_URL` names, otherwise one
 * of our own. Where there is none, says so in a line and the tests that need it do not run.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!isNeeded('postgres')) {
    project.provide('postgresUrl', null)
    project.provide('postgresTables', null)
    return undefined
  }
  const given = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL']
  if (given !== undefined) return offer(project, given)
  // Test platforms have pools of their own, several of each file that is under way.
  const server = await startPostgres({ parent: testFolder, settings: { max_connections: '400' } })
  if ('missing' in server) {
    console.warn(`PostgreSQL is not tested: ${server.missing}`)
    project.provide('postgresUrl', null)
    project.provide('postgresTables', null)
    return undefined
  }
  const forget = await offer(project, server.url)
  return async () => {
    await forget()
    await server.stop()
  }
}

/** The tables are made once, because that takes four times as long as to copy them. */
async function offer(project: TestProject, url: string): Promise<() => Promise<void>> {
  const template = await createDatabase(url)
  const database = await openDatabase({ url: template, folder: testFolder })
  await database.close()
  project.provide('postgresUrl', url)
  project.provide('postgresTemplate', template)
  const tables = await copyDatabase(url, template)
  const prepared = await openDatabase({ url: tables, folder: testFolder })
  await createTables(prepared, bankSimulator.tables)
  await prepared.close()
  project.provide('postgresTables', tables)
  return async () => {
    await dropDatabase(url, tables)
    await dropDatabase(url, template)
  }
}
