import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { startPostgres } from '../../../.ci/postgres.ts'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { startLoad } from './load.ts'
import { newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import { startProcess, startRefused } from './platform-process.ts'
import { type Promises, readPromises, TRACED_CALLS } from './read-promises.ts'

const REQUESTS = soaks ? 500 : 50

/** The process beats every five seconds: its write may fall between the sync of a request and its answer. */
const BEATS_MAX = soaks ? 20 : 4

const straceIsHere = spawnSync('strace', ['-V']).status === 0
if (!straceIsHere) console.warn('Ack before fsync is not tested: strace was not found. Run `apt-get install strace`.')

describe.runIf(straceIsHere)('of what is acknowledged, under strace,', () => {
  test('nothing leaves before its writes are on disk', async () => {
    const { acknowledged, beforeOwnWrites, withoutSync } = await promisesOf({ clients: 1 })
    expect(acknowledged).toBeGreaterThanOrEqual(REQUESTS)
    expect(withoutSync).toEqual([])
    expect(beforeOwnWrites.length).toBeLessThanOrEqual(BEATS_MAX)
  })

  test('nothing leaves before a sync when requests share one', async () => {
    const { acknowledged, syncs, withoutSync } = await promisesOf({ clients: 16 })
    expect(acknowledged).toBeGreaterThanOrEqual(REQUESTS)
    expect(syncs).toBeLessThan(acknowledged)
    expect(withoutSync).toEqual([])
  })

  test('with synchronous = NORMAL nearly everything leaves too early, and the same trace finds it', async () => {
    const preload = new URL('./synchronous-normal.ts', import.meta.url)
    const { acknowledged, beforeOwnWrites, withoutSync } = await promisesOf({ clients: 1, preload })
    expect(acknowledged).toBeGreaterThanOrEqual(REQUESTS)
    expect(beforeOwnWrites.length).toBeGreaterThan(acknowledged * 0.9)
    expect(withoutSync.length).toBeGreaterThan(acknowledged * 0.9)
  })
})

/** Runs a platform under strace with so many clients, each of which sends one request after the other. */
async function promisesOf({ clients, ...options }: { clients: number; preload?: URL }): Promise<Promises> {
  const place = await newPlace('sqlite')
  const shop = await openShop(place, null) // no webhooks: their bookkeeping would be writes without a request
  const traceFile = join(place.home, 'trace')
  const through = ['strace', '-f', '-yy', '--seccomp-bpf', '-s', '16', '-e', `trace=${TRACED_CALLS}`, '-o', traceFile]
  const platform = await startProcess(place, { ...options, through })
  const load = startLoad(platform.local.apiUrl, shop, { randomness: seededRandomness('ack before fsync'), clients })
  await vi.waitUntil(() => load.sent.length >= REQUESTS, { timeout: 120_000 })
  load.stop()
  await load.ended
  expect(load.sent.filter(({ answer }) => answer?.status !== 201)).toEqual([])
  expect(await platform.stop()).toMatchObject({ code: 0 })
  return readPromises(await readFile(traceFile, 'utf8'))
}

const serverUrl = inject('postgresUrl')

test.runIf(serverUrl !== null).each(['fsync', 'synchronous_commit'])(
  'a PostgreSQL with %s off is refused in one line',
  async (setting) => {
    const home = (await newPlace('sqlite')).home
    const databaseUrl = await serverWith(setting)
    const { code, output } = await startRefused({ home, databaseUrl })
    expect(code).toBe(1)
    expect(output).toMatch(
      new RegExp(`^DATABASE_URL .*PostgreSQL runs with ${setting} = off .* Set ${setting} = on.*\\n$`),
    )
  },
)

async function serverWith(setting: string): Promise<string> {
  const server = await startPostgres({ settings: { [setting]: 'off' } })
  if ('missing' in server) throw new Error(server.missing)
  onTestFinished(server.stop)
  return server.url
}
