import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase, queryPostgres } from '../../../../../.ci/postgres-database.ts'
import { type FaultyProxy, startFaultyProxy } from '../../../test/storage/faulty-proxy.ts'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { openPostgres } from './open-postgres.ts'

/** Nobody waits longer for an answer, whatever the network does. */
const ANSWER_MS = 10_000

const server = inject('postgresUrl')

/** Each test waits for time-outs and works little, so they run at once. */
describe.skipIf(server === null).concurrent('a network that goes silent', { timeout: 60_000 }, () => {
  test.each([
    ['the connection', '', null],
    ['TLS', '?sslmode=no-verify', null],
    ['the handshake', '', 'to-client: R'],
    ['the check of the server', '', 'to-server: pg_settings'],
    ['the look at its timeline', '', 'to-server: pg_walfile_name'],
    ['the settings', '', 'to-server: SET statement_timeout'],
  ])('at %s ends a start with its place and what to do', async (_step, query, where) => {
    const { proxy, url } = await silentServer()
    if (where === null) proxy.silence()
    else trapAt(proxy, where)
    const { error } = await timed(() => openPostgres({ url: `${url}${query}` }))
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(String(error)).toMatch(/DATABASE_URL: .*127\.0\.0\.1:\d+.* gave no answer to .* Check that it runs/)
  })

  test.each([
    ['the connection', null],
    ['the handshake', 'to-client: R'],
    ['the check of the server', 'to-server: pg_settings'],
    ['the settings', 'to-server: SET statement_timeout'],
  ])('at %s of a new connection answers reads and writes, and is over when the network is', async (_step, where) => {
    const { proxy, url } = await silentServer()
    const database = await opened(url)
    if (where === null) proxy.silence()
    else trapAt(proxy, where)
    proxy.cut()
    await bothFail(database)
    proxy.heal()
    await bothServe(database)
  })

  test('on every connection answers reads and writes, also those that wait, and is over when the network is', async () => {
    const { proxy, url } = await silentServer()
    const database = await opened(url)
    proxy.silence()
    const many = Array.from({ length: 400 }, (_, i) => timed(() => (i % 2 === 0 ? write(database) : read(database))))
    for (const { error } of await Promise.all(many)) expect(error).toBeInstanceOf(DatabaseUnavailable)
    proxy.heal()
    await bothServe(database)
  })

  test.each(['to-server', 'to-client'] as const)('in one direction alone, %s, is noticed too', async (direction) => {
    const { proxy, url } = await silentServer()
    const database = await opened(url)
    proxy.silence([direction])
    await bothFail(database)
    proxy.heal()
    await bothServe(database)
  })

  test('after a COMMIT was sent leaves its outcome unknown, and what it did is there', async () => {
    const { proxy, url, directUrl } = await silentServer()
    const database = await opened(url)
    await write(database) // COMMIT is known by its name from now on
    proxy.silence(['to-client'])
    const { error } = await timed(() => write(database))
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    await expect.poll(() => queryPostgres(directUrl, 'SELECT count(*) FROM n')).toEqual([{ count: '2' }])
    proxy.heal()
    await bothServe(database)
  })

  test('at a ROLLBACK costs the connection, and the answer stays what it was', async () => {
    const { proxy, url } = await silentServer()
    const database = await opened(url)
    trapAt(proxy, 'to-server: ROLLBACK')
    const refused = database.write([{ sql: 'UPDATE n SET id = 2 WHERE id = 1', params: [], expect: 1 }])
    expect(await refused).toEqual({ outcome: 'refused', statement: 0, reason: 'expectation' })
    expect(proxy.trapped()).toBe(1)
    await bothServe(database)
  })

  test('at a DISCARD PLANS costs the connection', async () => {
    const { proxy, url } = await silentServer()
    const database = await opened(url)
    trapAt(proxy, 'to-server: DISCARD PLANS')
    const failed: unknown[] = []
    for (let i = 0; i < 120 && failed.length === 0; i += 1) {
      const { error } = await timed(() => read(database))
      if (error !== undefined) failed.push(error)
    }
    expect(failed[0]).toBeInstanceOf(DatabaseUnavailable)
    proxy.heal()
    await bothServe(database)
  })

  test('does not keep a platform from stopping', async () => {
    const { proxy, url } = await silentServer()
    const database = await opened(url)
    proxy.silence()
    const lost = [timed(() => write(database)), timed(() => read(database))]
    expect((await timed(() => database.close())).error).toBeUndefined()
    for (const { error } of await Promise.all(lost)) expect(error).toBeInstanceOf(DatabaseUnavailable)
  })

  test('on idle connections does not keep a platform from stopping either', async () => {
    const { proxy, url } = await silentServer()
    const database = await opened(url)
    proxy.silence()
    expect((await timed(() => database.close())).tookMs).toBeLessThan(3_000)
  })

  test('that only becomes slow is waited for', async () => {
    const { proxy, url } = await silentServer()
    proxy.delay(150)
    await bothServe(await opened(url))
  })

  test('that cuts connections is noticed at once', async () => {
    const { proxy, url } = await silentServer()
    const database = await opened(url)
    proxy.refuse(true)
    proxy.cut()
    const { error, tookMs } = await timed(() => write(database))
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(tookMs).toBeLessThan(3_000)
    proxy.refuse(false)
    await bothServe(database)
  })
})

async function silentServer(): Promise<{ proxy: FaultyProxy; url: string; directUrl: string }> {
  const serverUrl = server ?? ''
  const directUrl = await createDatabase(serverUrl)
  await queryPostgres(directUrl, 'CREATE TABLE n (id BIGINT)')
  const proxy = await startFaultyProxy(Number(new URL(serverUrl).port))
  onTestFinished(async () => {
    await proxy.stop()
    await dropDatabase(serverUrl, directUrl)
  })
  return { proxy, url: proxy.through(directUrl), directUrl }
}

async function opened(url: string): Promise<Database> {
  const database = await openPostgres({ url })
  onTestFinished(() => database.close())
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

async function timed(work: () => Promise<unknown>): Promise<{ error: unknown; tookMs: number }> {
  const begun = performance.now()
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const tookMs = performance.now() - begun
  expect(tookMs).toBeLessThan(ANSWER_MS)
  return { error, tookMs }
}

async function bothFail(database: Database): Promise<void> {
  const both = await Promise.all([timed(() => write(database)), timed(() => read(database))])
  for (const { error } of both) expect(error).toBeInstanceOf(DatabaseUnavailable)
}

/** A connection may have been lost without anybody having noticed; the one after it is new. */
async function bothServe(database: Database): Promise<void> {
  for (const work of [write, read]) {
    await expect.poll(() => timed(() => work(database)), { timeout: 30_000 }).toMatchObject({ error: undefined })
  }
}
