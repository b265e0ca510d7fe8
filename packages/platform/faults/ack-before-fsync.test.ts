import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../../.ci/postgres.ts'
import { seededRandomness } from '../src/ambient/randomness.ts'
import { acknowledgedTooEarly, TRACED_CALLS, type Promises } from './acknowledged-too-early.ts'
import { newPayment, newProduct, send } from './load.ts'
import { openShop } from './open-shop.ts'
import { newPlace } from './place.ts'
import { startProcess, startRefused } from './platform-process.ts'

const REQUESTS = 300

const straceIsHere = spawnSync('strace', ['-V']).status === 0
if (!straceIsHere) console.warn('Ack before fsync is not tested: strace was not found. Run `apt-get install strace`.')

test.runIf(straceIsHere)('no success leaves before its writes are on disk', async () => {
  const { acknowledged, logSyncs, tooEarly } = await promisesOf({})
  expect(tooEarly).toEqual([])
  expect(acknowledged).toBe(REQUESTS)
  expect(logSyncs).toBeGreaterThanOrEqual(REQUESTS)
})

test.runIf(straceIsHere)('with synchronous = NORMAL the same trace finds successes that left too early', async () => {
  const { acknowledged, tooEarly } = await promisesOf({ preload: new URL('./synchronous-normal.ts', import.meta.url) })
  expect(acknowledged).toBe(REQUESTS)
  expect(tooEarly.length).toBeGreaterThan(REQUESTS / 2)
})

/** Runs a platform under strace and sends it requests one at a time. */
async function promisesOf(options: { preload?: URL }): Promise<Promises> {
  const randomness = seededRandomness('ack before fsync')
  const place = await newPlace('sqlite')
  const shop = await openShop(place, null) // no webhooks: their bookkeeping would be writes of nobody's request
  const traceFile = join(place.home, 'trace')
  const through = ['strace', '-f', '-yy', '--seccomp-bpf', '-s', '16', '-e', `trace=${TRACED_CALLS}`, '-o', traceFile]
  const platform = await startProcess(place, { ...options, through })
  for (let request = 0; request < REQUESTS; request++) {
    const order = request % 3 === 0 ? newPayment(shop, randomness) : newProduct(shop, randomness)
    const answer = await send(platform.local.apiUrl, shop, order)
    expect(answer?.status).toBe(201)
  }
  expect(await platform.stop()).toMatchObject({ code: 0 })
  return acknowledgedTooEarly(await readFile(traceFile, 'utf8'))
}

const serverUrl = inject('postgresUrl')

test.runIf(serverUrl !== null).each(['fsync', 'synchronous_commit'])('a PostgreSQL with %s off is refused in one line', async (setting) => {
  const home = (await newPlace('sqlite')).home
  const databaseUrl = await serverWith(setting)
  const { code, output } = await startRefused({ home, databaseUrl })
  expect(code).toBe(1)
  expect(output).toMatch(new RegExp(`^PostgreSQL runs with ${setting} = off .* Set ${setting} = on.*\\n$`))
})

async function serverWith(setting: string): Promise<string> {
  const server = await startPostgres({ settings: { [setting]: 'off' } })
  if ('missing' in server) throw new Error(server.missing)
  onTestFinished(server.stop)
  return server.url
}
