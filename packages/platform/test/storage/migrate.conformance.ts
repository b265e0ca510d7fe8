import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import {
  DatabaseBehind,
  DatabaseEmpty,
  DatabaseTooNew,
  migrate,
  migrateIfEmpty,
  type Migration,
  requireMigrated,
} from '../../src/storage/migrate.ts'

const FIRST: Migration = {
  id: '0001-pets',
  statements: [
    'CREATE TABLE pets (id {text} PRIMARY KEY, legs {int} NOT NULL) {strict}',
    "INSERT INTO pets VALUES ('cat', 4)",
  ],
}
const SECOND: Migration = { id: '0002-names', statements: ['ALTER TABLE pets ADD COLUMN name {text}'] }
const BROKEN: Migration = {
  id: '0002-broken',
  statements: ['ALTER TABLE pets ADD COLUMN name {text}', 'ALTER TABLE nowhere ADD COLUMN name {text}'],
}

/** What migrating has to keep on every engine. `open` opens a new, empty database. */
export function migrateConformance(name: string, open: () => Promise<Database>): void {
  const opened = async () => {
    const database = await open()
    onTestFinished(() => database.close())
    return database
  }

  describe(`migrating ${name}`, () => {
    test('a database that is behind gets the steps it lacks, each once', async () => {
      const database = await opened()
      await migrate(database, [FIRST])
      await migrate(database, [FIRST, SECOND])
      await migrate(database, [FIRST, SECOND])
      expect(await database.read('SELECT * FROM pets', [])).toEqual([{ id: 'cat', legs: 4, name: null }])
    })

    test('several who migrate at once do it once', async () => {
      const database = await opened()
      await Promise.all(Array.from({ length: 4 }, () => migrate(database, [FIRST, SECOND])))
      expect(await database.read('SELECT id, legs FROM pets', [])).toEqual([{ id: 'cat', legs: 4 }])
    })

    test('a step that fails leaves nothing behind and can be mended', async () => {
      const database = await opened()
      await migrate(database, [FIRST])
      await expect(migrate(database, [FIRST, BROKEN])).rejects.toThrow(/nowhere/)
      await migrate(database, [FIRST, SECOND])
      expect(await database.read('SELECT name FROM pets', [])).toEqual([{ name: null }])
    })

    test('a database of a newer version is refused', async () => {
      const database = await opened()
      await migrate(database, [FIRST, SECOND])
      const refusal = await migrate(database, [FIRST]).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(DatabaseTooNew)
      expect(String(refusal)).toContain('0002-names')
    })

    test('a command migrates an empty database, and no other', async () => {
      const database = await opened()
      await expect(requireMigrated(database, [FIRST])).rejects.toBeInstanceOf(DatabaseEmpty)
      await migrateIfEmpty(database, [FIRST])
      await requireMigrated(database, [FIRST])
      const behind = requireMigrated(database, [FIRST, SECOND], 0)
      await expect(behind).rejects.toBeInstanceOf(DatabaseBehind)
      await expect(behind).rejects.toThrow('0002-names')
      await expect(requireMigrated(database, [])).rejects.toBeInstanceOf(DatabaseTooNew)
      expect(await database.read('SELECT * FROM pets', [])).toEqual([{ id: 'cat', legs: 4 }])
    })

    test('a command waits for a platform that is just migrating', async () => {
      const database = await opened()
      await migrate(database, [FIRST])
      const ready = requireMigrated(database, [FIRST, SECOND])
      await migrate(database, [FIRST, SECOND])
      await ready
    })
  })
}
