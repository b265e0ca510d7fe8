import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { type SchemaLog, workOnSchema } from '../../src/storage/follow-schema.ts'
import { migrate, migrateIfEmpty, requireMigrated } from '../../src/storage/migrate.ts'
import { DatabaseBehind, DatabaseEmpty, DatabaseTooNew, type Migration } from '../../src/storage/migration.ts'
import { readSchemaState, takeSchemaLock } from '../../src/storage/schema-state.ts'

const FIRST: Migration = {
  id: '0001-pets',
  statements: [
    'CREATE TABLE pets (id {text} PRIMARY KEY, legs {int} NOT NULL, full_name {text}) {strict}',
    "INSERT INTO pets VALUES ('cat', 4, 'Tom Cat')",
  ],
}
const SECOND: Migration = { id: '0002-names', statements: ['ALTER TABLE pets ADD COLUMN name {text}'] }
const BROKEN: Migration = {
  id: '0002-broken',
  statements: ['ALTER TABLE pets ADD COLUMN name {text}', 'ALTER TABLE nowhere ADD COLUMN name {text}'],
}
/** A column is split: two are added, filled, and the former is dropped. */
const SPLIT: readonly Migration[] = [
  FIRST,
  {
    id: '0002-split',
    statements: [
      'ALTER TABLE pets ADD COLUMN first_name {text}',
      "ALTER TABLE pets ADD COLUMN kind {text} NOT NULL DEFAULT 'pet'",
      'CREATE INDEX pets_by_first_name ON pets (first_name, id)',
    ],
  },
  {
    id: '0003-fill',
    phase: 'backfill',
    table: 'pets',
    key: ['id'],
    set: 'first_name = substr(full_name, 1, 3)',
    where: 'first_name IS NULL AND full_name IS NOT NULL',
  },
]
const CONTRACTED: readonly Migration[] = [
  ...SPLIT,
  {
    id: '0004-drop',
    phase: 'contract',
    statements: ['ALTER TABLE pets DROP COLUMN full_name', 'ALTER TABLE pets ALTER COLUMN first_name SET NOT NULL'],
  },
]

const log: SchemaLog = { info() {}, error() {}, fatal() {} }
const atOnce = { contractAfterMs: 0, log }

/** Conformance tests of migrations on every engine. `open` opens a new, empty database. */
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
      expect(await database.read('SELECT id, legs, name FROM pets', [])).toEqual([{ id: 'cat', legs: 4, name: null }])
    })

    test('several who migrate at once do it once', async () => {
      const database = await opened()
      await Promise.all(Array.from({ length: 4 }, () => migrate(database, [FIRST, SECOND])))
      expect(await database.read('SELECT id, legs FROM pets', [])).toEqual([{ id: 'cat', legs: 4 }])
    })

    test('a step that fails can be mended from where it failed', async () => {
      const database = await opened()
      await migrate(database, [FIRST])
      await expect(migrate(database, [FIRST, BROKEN])).rejects.toThrow(/nowhere/)
      const mended = ['ALTER TABLE pets ADD COLUMN name {text}', 'ALTER TABLE pets ADD COLUMN age {int}']
      await migrate(database, [FIRST, { id: BROKEN.id, statements: mended }])
      expect(await database.read('SELECT name, age FROM pets', [])).toEqual([{ name: null, age: null }])
    })

    test('an older version goes on with a schema that was only expanded', async () => {
      const database = await opened()
      await migrate(database, [FIRST, SECOND])
      await migrate(database, [FIRST])
      await requireMigrated(database, [FIRST])
      expect(await database.write([insert('dog')])).toMatchObject({ outcome: 'committed' })
    })

    test('a column is split while the former one is in use, and an older version is shut out only when it is dropped', async () => {
      const database = await opened()
      await migrate(database, [FIRST])
      await migrate(database, SPLIT)
      await workOnSchema(database, SPLIT, atOnce)
      expect(await database.read('SELECT first_name, kind FROM pets', [])).toEqual([{ first_name: 'Tom', kind: 'pet' }])
      // Rows that the older version writes now are filled again before the column can be relied on.
      await database.write([insert('dog')])
      await migrate(database, CONTRACTED)
      expect(await database.read('SELECT first_name FROM pets ORDER BY id', [])).toEqual([
        { first_name: 'Tom' },
        { first_name: 'dog' },
      ])
      await workOnSchema(database, CONTRACTED, atOnce)
      expect((await readSchemaState(database))?.oldest).toBe(4)
      await expect(database.read('SELECT full_name FROM pets', [])).rejects.toThrow(/full_name/)
      await expect(
        database.write([{ sql: "INSERT INTO pets (id, legs) VALUES ('x', 1)", params: [] }]),
      ).rejects.toThrow(/null/i)
      const refusal = await migrate(database, SPLIT).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(DatabaseTooNew)
      expect(String(refusal)).toMatch(/schema 4 and later, and this version knows schema 3/)
    })

    test('what is taken away waits for the time to go back', async () => {
      const database = await opened()
      await migrate(database, [FIRST])
      await migrate(database, CONTRACTED)
      await workOnSchema(database, CONTRACTED, { contractAfterMs: 3_600_000, log })
      expect(await database.read('SELECT full_name FROM pets', [])).toEqual([{ full_name: 'Tom Cat' }])
      await workOnSchema(database, CONTRACTED, atOnce)
      await expect(database.read('SELECT full_name FROM pets', [])).rejects.toThrow(/full_name/)
    })

    test('a process that was open when the schema left it behind writes nothing more, and says so', async () => {
      const database = await opened()
      await migrate(database, [FIRST])
      const newer = await database.schema?.connect()
      await newer?.transaction([{ sql: 'UPDATE schema_state SET oldest = 2', params: [] }])
      await newer?.close()
      const writes = await Promise.allSettled(['a', 'b', 'c'].map((id) => database.write([insert(id)])))
      for (const write of writes) expect(write).toMatchObject({ reason: { name: 'DatabaseFenced' } })
      expect(String(Object(writes[0]).reason)).toMatch(/knows schema 1, writes nothing/)
      expect(await database.read('SELECT id FROM pets', [])).toEqual([{ id: 'cat' }])
    })

    test('a backfill that was cut off goes on where it was, and not while another process has taken over', async () => {
      const database = await opened()
      await migrate(database, [FIRST])
      await migrate(database, SPLIT)
      const ids = Array.from({ length: 999 }, (_, at) => `pet_${String(at).padStart(4, '0')}`)
      await Promise.all([...ids, 'zebra'].map((id) => database.write([insert(id)])))
      const stopping = new AbortController()
      const stopAfterOne: Database = {
        ...database,
        write: async (transaction) => {
          const outcome = await database.write(transaction)
          if (transaction.some(({ sql }) => sql.startsWith('UPDATE pets'))) stopping.abort()
          return outcome
        },
      }
      await workOnSchema(stopAfterOne, SPLIT, { ...atOnce, signal: stopping.signal })
      const cutOff = (await readSchemaState(database))?.steps.get('0003-fill')
      expect(cutOff).toMatchObject({ state: 'running', rows: 500 })
      const lock = await takeSchemaLock(database)
      await workOnSchema(database, SPLIT, atOnce)
      expect((await readSchemaState(database))?.steps.get('0003-fill')).toEqual(cutOff)
      await lock?.release()
      await workOnSchema(database, SPLIT, atOnce)
      expect((await readSchemaState(database))?.steps.get('0003-fill')).toMatchObject({ state: 'filled', rows: 1_001 })
      expect(await database.read('SELECT count(*) AS n FROM pets WHERE first_name IS NULL', [])).toEqual([{ n: 0 }])
    })

    test('with a hand on the brake, a start is refused until the operator has migrated', async () => {
      const database = await opened()
      await migrate(database, [FIRST])
      const refusal = migrate(database, [FIRST, SECOND], { mode: 'manual' })
      await expect(refusal).rejects.toThrow(/lacks migration "0002-names".*tillwright migrate/)
      await migrate(database, [FIRST, SECOND])
      await migrate(database, [FIRST, SECOND], { mode: 'manual' })
    })

    test('a command migrates an empty database, and no other', async () => {
      const database = await opened()
      await expect(requireMigrated(database, [FIRST])).rejects.toBeInstanceOf(DatabaseEmpty)
      await migrateIfEmpty(database, [FIRST])
      await requireMigrated(database, [FIRST])
      const behind = requireMigrated(database, [FIRST, SECOND], 0)
      await expect(behind).rejects.toBeInstanceOf(DatabaseBehind)
      await expect(behind).rejects.toThrow('0002-names')
      const another: Migration = { id: '0001-other', statements: [] }
      await expect(requireMigrated(database, [another])).rejects.toThrow(/"0001-pets".*another build/)
      expect(await database.read('SELECT id FROM pets', [])).toEqual([{ id: 'cat' }])
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

const insert = (id: string) => ({
  sql: 'INSERT INTO pets (id, legs, full_name) VALUES (?, 4, ?)',
  params: [id, `${id} Cat`],
})
