import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'

/** A platform's database without a platform, for the tests of a file. */
export function ownDatabase(): () => Database {
  let opened: { db: Database; folder: string } | null = null
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'processors-'))
    opened = { db: await openDatabase({ folder }), folder }
  })
  afterAll(async () => {
    await opened?.db.close()
    if (opened !== null) await rm(opened.folder, { recursive: true })
  })
  return () => {
    if (opened === null) throw new Error('The database is there as soon as the first test begins.')
    return opened.db
  }
}
