import { afterAll, describe, inject, test, type TestContext } from 'vitest'
import { createDatabase, queryPostgres } from '../../../../../.ci/postgres-database.ts'
import { startPostgres } from '../../../../../.ci/postgres.ts'
import { type FaultyProxy, startFaultyProxy } from '../../../test/storage/faulty-proxy.ts'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { openPostgres } from './open-postgres.ts'

/** The longest wait for an answer, whatever the network does. */
const ANSWER_MS = 10_000

// Of its own: together the tests hold more connections than one server for all tests has.
const started = inject('postgresUrl') === null ? null : await startPostgres({ settings: { max_connections: '400' } })
const server = started === null || 'missing' in started ? null : started
afterAll(() => server?.stop())

/** Each test waits for time-outs and works little, so they run at once. */
describe.skipIf(server === null).concurrent('a network that goes silent', { timeout: 60_000 }, () => {
  test.for<[step: string, query: string, where: string | null]>([
    ['the connection', '', null],
    ['TLS', '?sslmode=no-verify', null],
    ['the handshake', '', 'to-client: R'],
    ['the check of the server', '', 'to-server: pg_settings'],
    ['the look at its timeline', '', 'to-server: pg_walfile_name'],
    ['the settings', '', 'to-server: SET statement_timeout'],
  ])('at %s ends a start with its place and what to do', async ([, query, where], t) => {
    const { proxy, url } = await silentServer(t)
    if (where === null) proxy.silence()
    else trapAt(proxy, where)
    const { error } = await timed(t, () => openPostgres({ url: `${url}${query}` }))
    t.expect(error).toBeInstanceOf(DatabaseUnavailable)
    t.expect(String(error)).toMatch(/DATABASE_URL: .*127\.0\.0\.1:\d+.* gave no answer to .* Check that it runs/)
  })

  test.for<[step: string, where: string | null]>([
    ['the connection', null],
    ['the handshake', 'to-client: R'],
    ['the check of the server', 'to-server: pg_settings'],
    ['the settings', 'to-server: SET statement_timeout'],
  ])('at %s of a new connection answers reads and writes, and is over when the network is', async ([, where], t) => {
    const { proxy, url } = await silentServer(t)
    const database = await opened(t, url)
    if (where === null) proxy.silence()
    else trapAt(proxy, where)
    proxy.cut()
    await bothFail(t, database) // over the connections that were cut
    const errors = await bothFail(t, database)
    for (const error of errors) t.expect(String(error)).toContain('gave no answer')
    proxy.heal()
    await bothServe(t, database)
  })

  test('on every connection answers reads and writes, also those that wait, and is over when the network is', async (t) => {
    const { proxy, url } = await silentServer(t)
    const database = await opened(t, url)
    proxy.silence()
    const many = Array.from({ length: 400 }, (_, i) => timed(t, () => (i % 2 === 0 ? write(database) : read(database))))
    for (const { error } of await Promise.all(many)) t.expect(error).toBeInstanceOf(DatabaseUnavailable)
    proxy.heal()
    await bothServe(t, database)
  })

  test.for(['to-server', 'to-client'] as const)('in one direction alone, %s, is noticed too', async (direction, t) => {
    const { proxy, url } = await silentServer(t)
    const database = await opened(t, url)
    proxy.silence([direction])
    await bothFail(t, database)
    proxy.heal()
    await bothServe(t, database)
  })

  test('after a COMMIT was sent leaves its outcome unknown, and what it did is there', async (t) => {
    const { proxy, url, directUrl } = await silentServer(t)
    const database = await opened(t, url)
    await write(database) // COMMIT is known by its name from now on
    proxy.silence(['to-client'])
    const { error } = await timed(t, () => write(database))
    t.expect(error).toBeInstanceOf(DatabaseUnavailable)
    await t.expect.poll(() => queryPostgres(directUrl, 'SELECT count(*) FROM n')).toEqual([{ count: '2' }])
    proxy.heal()
    await bothServe(t, database)
  })

  test('at a ROLLBACK costs the connection, and the answer stays what it was', async (t) => {
    const { proxy, url } = await silentServer(t)
    const database = await opened(t, url)
    trapAt(proxy, 'to-server: ROLLBACK')
    const refused = database.write([{ sql: 'UPDATE n SET id = 2 WHERE id = 1', params: [], expect: 1 }])
    t.expect(await refused).toEqual({ outcome: 'refused', statement: 0, reason: 'expectation' })
    t.expect(proxy.trapped()).toBe(1)
    await bothServe(t, database)
  })

  test('at a DISCARD PLANS costs the connection', async (t) => {
    const { proxy, url } = await silentServer(t)
    const database = await opened(t, url)
    trapAt(proxy, 'to-server: DISCARD PLANS')
    const failed: unknown[] = []
    for (let i = 0; i < 120 && failed.length === 0; i += 1) {
      const { error } = await timed(t, () => read(database))
      if (error !== undefined) failed.push(error)
    }
    t.expect(failed[0]).toBeInstanceOf(DatabaseUnavailable)
    proxy.heal()
    await bothServe(t, database)
  })

  test('does not keep a platform from stopping', async (t) => {
    const { proxy, url } = await silentServer(t)
    const database = await opened(t, url)
    proxy.silence()
    const lost = [timed(t, () => write(database)), timed(t, () => read(database))]
    t.expect((await timed(t, () => database.close())).error).toBeUndefined()
    for (const { error } of await Promise.all(lost)) t.expect(error).toBeInstanceOf(DatabaseUnavailable)
  })

  test('on idle connections does not keep a platform from stopping either', async (t) => {
    const { proxy, url } = await silentServer(t)
    const database = await opened(t, url)
    proxy.silence()
    t.expect((await timed(t, () => database.close())).tookMs).toBeLessThan(3_000)
  })

  test('that only becomes slow is waited for', async (t) => {
    const { proxy, url } = await silentServer(t)
    proxy.delay(150)
    await bothServe(t, await opened(t, url))
  })

  test('that cuts connections is noticed at once', async (t) => {
    const { proxy, url } = await silentServer(t)
    const database = await opened(t, url)
    proxy.refuse(true)
    proxy.cut()
    const { error, tookMs } = await timed(t, () => write(database))
    t.expect(error).toBeInstanceOf(DatabaseUnavailable)
    t.expect(tookMs).toBeLessThan(3_000)
    proxy.refuse(false)
    await bothServe(t, database)
  })
})

async function silentServer(t: TestContext): Promise<{ proxy: FaultyProxy; url: string; directUrl: string }> {
  const serverUrl = server?.url ?? ''
  const directUrl = await createDatabase(serverUrl)
  await queryPostgres(directUrl, 'CREATE TABLE n (id BIGINT)')
  const proxy = await startFaultyProxy(Number(new URL(serverUrl).port))
  t.onTestFinished(() => proxy.stop())
  return { proxy, url: proxy.through(directUrl), directUrl }
}

async function opened(t: TestContext, url: string): Promise<Database> {
  const database = await openPostgres({ url })
  t.onTestFinished(() => database.close())
  return database
}

/** @param where A direction and the text at which a connection goes silent, such as `to-server: ROLLBACK`. */
function trapAt(proxy: FaultyProxy, where: string): void {
  const [direction, text] = where.split(': ')
  if (text === undefined) throw new Error('A trap needs a text.')
  proxy.trap({
    direction: direction === 'to-server' ? 'to-server' : 'to-client',
    // Of the server only the type of its first message is told.
    match: (data) => (direction === 'to-server' ? data.includes(text) : data.subarray(0, 1).toString() === text),
  })
}

const write = (database: Database) => database.write([{ sql: 'INSERT INTO n VALUES (1)', params: [] }])
const read = (database: Database) => database.read('SELECT count(*) AS n FROM n', [])

async function timed(t: TestContext, work: () => Promise<unknown>): Promise<{ error: unknown; tookMs: number }> {
  const begun = performance.now()
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const tookMs = performance.now() - begun
  t.expect(tookMs).toBeLessThan(ANSWER_MS)
  return { error, tookMs }
}

async function bothFail(t: TestContext, database: Database): Promise<readonly unknown[]> {
  const both = await Promise.all([timed(t, () => write(database)), timed(t, () => read(database))])
  for (const { error } of both) t.expect(error).toBeInstanceOf(DatabaseUnavailable)
  return both.map(({ error }) => error)
}

/** A connection may have been lost unnoticed; the one after it is new. */
async function bothServe(t: TestContext, database: Database): Promise<void> {
  for (const work of [write, read]) {
    await t.expect.poll(() => timed(t, () => work(database)), { timeout: 30_000 }).toMatchObject({ error: undefined })
  }
}
