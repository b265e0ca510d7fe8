import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type PgBouncer, startPgBouncer } from '../../../../../.ci/pgbouncer.ts'
import { createDatabase, dropDatabase, queryPostgres } from '../../../../../.ci/postgres-database.ts'
import { databaseConformance } from '../../../test/storage/database.conformance.ts'
import { startFaultyProxy } from '../../../test/storage/faulty-proxy.ts'
import { migrateConformance } from '../../../test/storage/migrate.conformance.ts'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { openPostgres } from './open-postgres.ts'
import { poolerOf } from './pooler.ts'

const server = inject('postgresUrl')
const found = server === null ? { missing: 'No PostgreSQL.' } : await startPgBouncer(server)
if ('missing' in found) console.warn(`PgBouncer is not tested: ${found.missing}`)

describe.skipIf('missing' in found)('PgBouncer in transaction mode', () => {
  const serverUrl = server ?? ''
  const made: string[] = []
  const pooler = found as PgBouncer // otherwise nothing of this runs
  afterAll(async () => {
    await pooler.stop()
    await Promise.all(made.map((url) => dropDatabase(serverUrl, url)))
  })
  async function newDatabase(): Promise<string> {
    const url = await createDatabase(serverUrl)
    made.push(url)
    return url
  }
  async function opened(url: string): Promise<Database> {
    const database = await openPostgres({ url })
    onTestFinished(() => database.close())
    return database
  }

  databaseConformance('PgBouncer', async () => openPostgres({ url: pooler.through(await newDatabase()) }))
  migrateConformance('PgBouncer', async () => openPostgres({ url: pooler.through(await newDatabase()) }))

  test('the pooler in between is recognized, and its mode', async () => {
    const url = await newDatabase()
    const session = await startPgBouncer(serverUrl, { settings: { pool_mode: 'session' } })
    if ('missing' in session) throw new Error(session.missing)
    onTestFinished(() => session.stop())
    expect(await poolerOf(url)).toEqual({ mode: 'none', keepsStatements: true, isEncrypted: false })
    expect((await poolerOf(pooler.through(url))).mode).toBe('transaction')
    expect((await poolerOf(session.through(url))).mode).toBe('session')
  })

  describe('where everybody shares two connections', () => {
    let small: PgBouncer
    beforeAll(async () => {
      const started = await startPgBouncer(serverUrl, { settings: { default_pool_size: '2' } })
      if ('missing' in started) throw new Error(started.missing)
      small = started
    })
    afterAll(() => small.stop())

    test('the statements of three processes do not mix, and each is answered with its own', async () => {
      const url = small.through(await newDatabase())
      const all = await Promise.all([opened(url), opened(url), opened(url)])
      const [first] = all
      await first?.write([{ sql: 'CREATE TABLE n (account TEXT PRIMARY KEY, n BIGINT)', params: [] }])
      // Each process asks in an order of its own.
      const asked = all.flatMap((database, i) =>
        Array.from({ length: 60 }, async (_, j) => {
          const number = (j * (i + 1)) % 7
          const [row] = await database.read(`SELECT ${number} AS "n${number}"`, [])
          expect(row).toEqual({ [`n${number}`]: number })
        }),
      )
      const written = all.flatMap((database, i) =>
        Array.from({ length: 60 }, (_, j) =>
          database.write([{ sql: 'INSERT INTO n VALUES (?, ?)', params: [`${i}-${j}`, j], expect: 1 }]),
        ),
      )
      await Promise.all(asked)
      expect((await Promise.all(written)).every(({ outcome }) => outcome === 'committed')).toBe(true)
      expect(await first?.read('SELECT count(*) AS n FROM n', [])).toEqual([{ n: 180 }])
    })

    test('no setting outlives its transaction', async () => {
      const url = await newDatabase()
      const database = await opened(small.through(url))
      await database.write([{ sql: 'CREATE TABLE t (id BIGINT)', params: [] }])
      for (let i = 0; i < 20; i += 1) {
        await Promise.all([
          database.read('SELECT id FROM t', []),
          database.write([{ sql: 'INSERT INTO t VALUES (1)', params: [] }]),
        ])
      }
      const settings = `WITH pause AS MATERIALIZED (SELECT pg_sleep(0.1))
        SELECT name, setting FROM pg_settings CROSS JOIN pause WHERE source = 'session'
        AND name NOT IN ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings')`
      const both = await Promise.all([1, 2].map(() => queryPostgres(small.through(url), settings)))
      expect(both.flat()).toEqual([])
    })

    test('limits hold within each transaction, and a read is read-only', async () => {
      const database = await opened(small.through(await newDatabase()))
      const [limits] = await database.read(
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
          current_setting('transaction_read_only') AS read_only, current_setting('synchronous_commit') AS commit,
          current_setting('enable_seqscan') AS scans, current_setting('jit') AS jit`,
        [],
      )
      expect(limits).toEqual({
        statement: '5s',
        lock: '100ms',
        read_only: 'on',
        commit: 'on',
        scans: 'off',
        jit: 'off',
      })
    })

    test('what another client has left behind does not make commits unsafe', async () => {
      const url = await newDatabase()
      const database = await opened(small.through(url))
      for (let i = 0; i < 4; i += 1) await queryPostgres(small.through(url), 'SET synchronous_commit = off')
      for (let i = 0; i < 4; i += 1) {
        const outcome = await database.write([
          { sql: `CREATE TABLE c${i} AS SELECT current_setting('synchronous_commit') AS value`, params: [] },
        ])
        expect(outcome.outcome).toBe('committed')
        expect(await database.read(`SELECT value FROM c${i}`, [])).toEqual([{ value: 'on' }])
      }
    })

    test('counters of transactions that run at once have rows of their own', async () => {
      const database = await opened(small.through(await newDatabase()))
      await database.write([{ sql: 'CREATE TABLE w (id BIGINT, writer BIGINT)', params: [] }])
      await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          database.write([{ sql: 'INSERT INTO w VALUES (?, {writer})', params: [i] }]),
        ),
      )
      const rows = await database.read('SELECT DISTINCT writer FROM w', [])
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.length).toBeLessThanOrEqual(2)
    })
  })

  test('a pooler that dies is reported, and used again when it is back', async () => {
    const own = await startPgBouncer(serverUrl)
    if ('missing' in own) throw new Error(own.missing)
    onTestFinished(() => own.stop())
    const database = await opened(own.through(await newDatabase()))
    await own.kill()
    await expect(database.read('SELECT 1 AS one', [])).rejects.toBeInstanceOf(DatabaseUnavailable)
    await own.restart()
    await expect.poll(() => database.read('SELECT 1 AS one', []).catch(String)).toEqual([{ one: 1 }])
  })

  test('a pooler that goes silent while it is found out what it can ends the start', async () => {
    const proxy = await startFaultyProxy(pooler.port)
    onTestFinished(() => proxy.stop())
    proxy.trap({ direction: 'to-server', match: (data) => data.includes('tillwright_probe') })
    const begun = performance.now()
    const refusal = openPostgres({ url: proxy.through(await newDatabase()) })
    await expect(refusal).rejects.toThrow(/DATABASE_URL: .* gave no answer to a prepared statement/)
    expect(performance.now() - begun).toBeLessThan(10_000)
  })
})
