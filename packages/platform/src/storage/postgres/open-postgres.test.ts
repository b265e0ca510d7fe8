import { inspect } from 'node:util'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase, queryPostgres } from '../../../../../.ci/postgres-database.ts'
import { type PostgresServer, startPostgres } from '../../../../../.ci/postgres.ts'
import { databaseConformance } from '../../../test/storage/database.conformance.ts'
import { migrateConformance } from '../../../test/storage/migrate.conformance.ts'
import { type Database, DatabaseUnavailable, type Row, type Transaction, type WriteOutcome } from '../database.ts'
import { migrate } from '../migrate.ts'
import { UnsafeDatabase } from './failures.ts'
import { openPostgres } from './open-postgres.ts'

const server = inject('postgresUrl')

function outcomeOf(settled: PromiseSettledResult<readonly Row[] | WriteOutcome>): readonly Row[] | string {
  if (settled.status === 'rejected') return settled.reason instanceof DatabaseUnavailable ? 'unavailable' : 'failed'
  return 'outcome' in settled.value ? settled.value.outcome : settled.value
}

describe.skipIf(server === null)('PostgreSQL', () => {
  const serverUrl = server ?? ''
  const made: string[] = []
  afterAll(() => Promise.all(made.map((url) => dropDatabase(serverUrl, url))))
  async function newDatabase(): Promise<string> {
    const url = await createDatabase(serverUrl)
    made.push(url)
    return url
  }

  databaseConformance('PostgreSQL', async () => openPostgres({ url: await newDatabase() }))
  migrateConformance('PostgreSQL', async () => openPostgres({ url: await newDatabase() }))

  test('two processes that start at once migrate once', async () => {
    const url = await newDatabase()
    const both = await Promise.all([openPostgres({ url }), openPostgres({ url })])
    onTestFinished(() => Promise.all(both.map((database) => database.close())).then(() => {}))
    const create = {
      id: '0001-pets',
      statements: ['CREATE TABLE pets (id {text} PRIMARY KEY) {strict}', "INSERT INTO pets VALUES ('cat')"],
    }
    await Promise.all(both.map((database) => migrate(database, [create])))
    expect(await both[1].read('SELECT id FROM pets', [])).toEqual([{ id: 'cat' }])
  })

  test('two processes that write to the same few rows get on with each other', async () => {
    const url = await newDatabase()
    const both = await Promise.all([openPostgres({ url }), openPostgres({ url })])
    onTestFinished(() => Promise.all(both.map((database) => database.close())).then(() => {}))
    await migrate(both[0], [
      { id: '0001-n', statements: ['CREATE TABLE n (account {text} PRIMARY KEY, n {int}) {strict}'] },
    ])
    await both[0].write(ACCOUNTS.map((account) => ({ sql: 'INSERT INTO n VALUES (?, 0)', params: [account] })))
    const transactions = Array.from({ length: 400 }, (_, i) => count(ACCOUNTS[(i * 7) % ACCOUNTS.length] ?? 'a'))
    const outcomes = await Promise.all(
      transactions.map((transaction, i) => both[i % 2 === 0 ? 0 : 1].write(transaction)),
    )
    expect(outcomes.every(({ outcome }) => outcome === 'committed')).toBe(true)
    expect(await both[0].read('SELECT sum(n) AS n FROM n', [])).toEqual([{ n: 400 }])
  })

  test('what one process adds under a kept row, another that deletes the row finds and deletes too', async () => {
    const url = await newDatabase()
    const [making, deleting] = await Promise.all([openPostgres({ url }), openPostgres({ url })])
    onTestFinished(() => Promise.all([making.close(), deleting.close()]).then(() => {}))
    for (const table of ['cards', 'tokens']) {
      await making.write([{ sql: `CREATE TABLE ${table} (id TEXT PRIMARY KEY)`, params: [] }])
    }
    const ids = Array.from({ length: 300 }, (_, i) => String(i))
    const insertCard = 'INSERT INTO cards VALUES (?)'
    await making.write(ids.map((id) => ({ sql: insertCard, params: [id] })))
    const insertToken = 'INSERT INTO tokens SELECT ? WHERE EXISTS (SELECT 1 FROM cards WHERE id = ? {kept})'
    for (const id of ids) {
      await Promise.all([
        making.write([{ sql: insertToken, params: [id, id] }]),
        deleting.write(
          ['cards', 'tokens'].map((table) => ({ sql: `DELETE FROM ${table} WHERE id = ?`, params: [id] })),
        ),
      ])
    }
    expect(await making.read('SELECT id FROM tokens', [])).toEqual([])
  })

  test('a table that has changed under a prepared statement is read as it is now', async () => {
    const database = await openPostgres({ url: await newDatabase() })
    onTestFinished(() => database.close())
    await database.write([
      { sql: 'CREATE TABLE t (a BIGINT)', params: [] },
      { sql: 'INSERT INTO t VALUES (1)', params: [] },
    ])
    expect(await database.read('SELECT * FROM t', [])).toEqual([{ a: 1 }])
    await database.write([{ sql: 'ALTER TABLE t ADD COLUMN b BIGINT', params: [] }])
    for (let i = 0; i < 4; i++) expect(await database.read('SELECT * FROM t', [])).toEqual([{ a: 1, b: null }])
  })

  test('a row is found by the index of its key also where the server believes the table to be one page', async () => {
    const database = await openPostgres({ url: await newDatabase() })
    onTestFinished(() => database.close())
    await database.write([
      { sql: 'CREATE TABLE t (id BIGINT PRIMARY KEY)', params: [] },
      { sql: 'CREATE TABLE without_index (id BIGINT)', params: [] },
      { sql: 'INSERT INTO t VALUES (1)', params: [] },
      { sql: 'ANALYZE t', params: [] },
    ])
    const planOf = async (table: string) => {
      const rows = await database.read(`EXPLAIN (ANALYZE) SELECT * FROM ${table} WHERE id = 1`, [])
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    expect(await planOf('t')).toContain('using t_pkey')
    expect(await planOf('without_index')).not.toContain('JIT')
  })

  test.each([
    ['fsync', 'off'],
    ['full_page_writes', 'off'],
    ['synchronous_commit', 'off'],
    ['synchronous_commit', 'local'],
    ['synchronous_commit', 'remote_write'],
  ])('a server with %s = %s is refused', async (setting, value) => {
    const url = await newDatabase()
    // Settings of a single database need no server of their own.
    const perDatabase = setting === 'synchronous_commit'
    const own = perDatabase ? null : await start({ [setting]: value })
    if (own !== null) onTestFinished(own.stop)
    else await queryPostgres(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting} = ${value}`)
    const refusal = await openPostgres({ url: own?.url ?? url }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UnsafeDatabase)
    expect(String(refusal)).toContain(`${setting} = ${value} (set by: ${perDatabase ? 'database' : 'command line'})`)
    expect(String(refusal)).toContain(`Set ${setting} = on`)
  })

  test('a statement that the server cuts off, as it does after five seconds, takes nothing along that was sent with it', async () => {
    const url = await newDatabase()
    const database = await openPostgres({ url })
    onTestFinished(() => database.close())
    await database.write([{ sql: 'CREATE TABLE n (account TEXT PRIMARY KEY, n BIGINT)', params: [] }])
    const cutOff = async () => {
      const sql = `SELECT pg_cancel_backend(pid) AS done FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND wait_event = 'PgSleep'`
      await expect.poll(async () => (await queryPostgres(url, sql)).length, { timeout: 4_000 }).toBe(1)
    }
    const reads = ["SELECT 'before' AS n", 'SELECT pg_sleep(60) AS n', "SELECT 'behind' AS n"]
    const read = Promise.allSettled(reads.map((sql) => database.read(sql, [])))
    await cutOff()
    expect((await read).map(outcomeOf)).toEqual([[{ n: 'before' }], 'unavailable', [{ n: 'behind' }]])

    const slow = { sql: 'INSERT INTO n SELECT ?, length(pg_sleep(60)::text)', params: ['b'] }
    const insert = (account: string) => ({ sql: 'INSERT INTO n VALUES (?, 1)', params: [account] })
    const written = Promise.allSettled([[insert('a')], [slow], [insert('c')]].map((each) => database.write(each)))
    await cutOff()
    expect((await written).map(outcomeOf)).toEqual(['committed', 'unavailable', 'committed'])
    expect(await database.read('SELECT account FROM n ORDER BY account', [])).toEqual([
      { account: 'a' },
      { account: 'c' },
    ])
  })

  test('a server that goes away is reported at once, and used again when it is back', async () => {
    const { url, restart, stop } = await start({})
    onTestFinished(stop)
    const database = await openPostgres({ url })
    onTestFinished(() => database.close())
    await database.write([{ sql: 'CREATE TABLE n (account TEXT PRIMARY KEY, n BIGINT)', params: [] }])
    await database.write([{ sql: "INSERT INTO n VALUES ('a', 0)", params: [] }])
    const restarted = restart()
    const acknowledged = await countUntil(database, restarted)
    await restarted
    expect(acknowledged.failures).toBeGreaterThan(0)
    expect(await database.write(count('a'))).toMatchObject({ outcome: 'committed' })
    const [row] = await database.read('SELECT n FROM n', [])
    // One whose connection broke may have been committed or not; one that was acknowledged must be there.
    expect(row?.['n']).toBeGreaterThanOrEqual(acknowledged.commits + 1)
    expect(row?.['n']).toBeLessThanOrEqual(acknowledged.commits + 1 + acknowledged.failures)
  })

  test.each([
    ['postgres://me:hunter2@127.0.0.1:1/shop', ['127.0.0.1:1', 'database shop', 'ECONNREFUSED', 'Start the server']],
    ['postgres://me:hunter2@127.0.0.1:1,[::1]:2/shop', ['127.0.0.1:1: ', '[::1]:2: ', 'Start the server']],
  ])('a start without its server names setting, host, port, database and remedy: %s', async (url, words) => {
    const refusal = await openPostgres({ url }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(DatabaseUnavailable)
    for (const word of ['DATABASE_URL', ...words]) expect(String(refusal)).toContain(word)
    expect(inspect(refusal, { depth: 9 })).not.toContain('hunter2')
  })

  test('a database that does not exist is named, with how to make it', async () => {
    const url = new URL(serverUrl)
    url.pathname = 'nothing_here'
    await expect(openPostgres({ url: url.href })).rejects.toThrow(/DATABASE_URL: .*nothing_here.*createdb/)
  })
})

const ACCOUNTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

function count(account: string): Transaction {
  return [{ sql: 'UPDATE n SET n = n + 1 WHERE account = ?', params: [account], expect: 1 }]
}

/** A server of the test's own, for what cannot be done to the shared one. */
async function start(settings: Readonly<Record<string, string>>): Promise<PostgresServer> {
  const started = await startPostgres({ settings })
  if ('missing' in started) throw new Error(started.missing)
  return started
}

/** Counts, one after another, until the server was away and is back. */
async function countUntil(database: Database, back: Promise<void>): Promise<{ commits: number; failures: number }> {
  const tally = { commits: 0, failures: 0, over: false }
  const stop = (): boolean => (tally.over = true)
  // Also when it does not come back; awaiting `back` reports the reason.
  void back.then(stop, stop)
  while (!tally.over) {
    try {
      await database.write(count('a'))
      tally.commits += 1
    } catch (error) {
      expect(error).toBeInstanceOf(DatabaseUnavailable)
      tally.failures += 1
      // When the database refuses immediately, yield so that the restart can make progress.
      await new Promise((resolve) => void setImmediate(resolve))
    }
  }
  return tally
}
