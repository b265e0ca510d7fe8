import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { copyDatabase, dropDatabase } from '../../../../.ci/postgres-database.ts'
import { committedSchema, readSchema } from '../../test/storage/schema.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'

const server = inject('postgresUrl')

describe.each(server === null ? ['sqlite'] : ['sqlite', 'postgres'])('on %s', (engine) => {
  test('the committed schema is what the migrations make; `pnpm run schema` writes it anew', async () => {
    const database = engine === 'sqlite' ? await newFile() : await newCopy(server ?? '')
    expect(await readSchema(database)).toBe(await committedSchema(database.engine))
  })
})

async function newFile(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'schema-'))
  const database = await openDatabase({ folder })
  onTestFinished(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  return database
}

async function newCopy(serverUrl: string): Promise<Database> {
  const url = await copyDatabase(serverUrl, inject('postgresTemplate'))
  const database = await openDatabase({ url, folder: '' })
  onTestFinished(async () => {
    await database.close()
    await dropDatabase(serverUrl, url)
  })
  return database
}
