import { describe, expect, test, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { manageSchema } from '../src/operator/index.ts'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { openDatabase, type SchemaLog } from '../src/storage/index.ts'
import { type Load, newProduct, send, startLoad } from './load.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import { type Place, settingsOf } from './place.ts'
import { startProcess } from './platform-process.ts'
import { seriesOf } from './upgrade-series.ts'

const main = new URL('./other-version.ts', import.meta.url)
const started = (place: Place, release: 'now' | 'next' | 'after') =>
  startProcess(place, { main, settings: { STANDS_FOR: release } })
const log: SchemaLog = { info() {}, error() {}, fatal() {} }

async function migrated(place: Place, release: 'next' | 'after') {
  const schema = await manageSchema(readConfig(settingsOf(place)), seriesOf(release))
  return schema.migrate(log).finally(() => schema.close())
}

const hasPaid = ({ sent }: Load, count: number) => sent.filter(({ path }) => path.endsWith('payments')).length >= count

async function noted(place: Place): Promise<{ payments: number; noted: number }> {
  const database = await openDatabase(
    { folder: place.home, ...(place.databaseUrl !== null && { url: place.databaseUrl }) },
    {
      migrations: seriesOf('after'),
    },
  )
  const [row] = await database.read('SELECT count(*) AS payments, count(note) AS noted FROM payments', [])
  await database.close()
  return { payments: Number(row?.['payments']), noted: Number(row?.['noted']) }
}

/** An embedded database has one process at a time. */
describe.skipIf(!engines.includes('postgres'))('on PostgreSQL', () => {
  test(
    'old and new processes serve one database under load while it is upgraded, and one that slept through it writes nothing more',
    { timeout: 240_000 },
    async () => {
      const place = await newPlace('postgres', { isEmpty: true })
      const shop = await openShop(place, null)
      const old = await started(place, 'now')
      const oldLoad = startLoad(old.local.apiUrl, shop, { randomness: seededRandomness('old'), clients: 3 })
      await vi.waitFor(() => expect(hasPaid(oldLoad, 3)).toBe(true), { timeout: 60_000 })

      const next = await started(place, 'next')
      const nextLoad = startLoad(next.local.apiUrl, shop, { randomness: seededRandomness('next'), clients: 3 })
      const filled = await migrated(place, 'next')
      expect(filled.steps.map(({ state }) => state)).toEqual(['done', 'done', 'filled'])
      await vi.waitFor(() => expect(hasPaid(nextLoad, 3)).toBe(true), { timeout: 60_000 })
      oldLoad.stop()
      nextLoad.stop()
      await Promise.all([oldLoad.ended, nextLoad.ended])
      const answers = [...oldLoad.sent, ...nextLoad.sent].map(({ answer }) => answer?.status)
      expect(answers.filter((status) => status !== 201)).toEqual([])

      // The release after that relies on the rows being filled. An old process is asleep, and taken for dead.
      process.kill(old.local.pid, 'SIGSTOP')
      const database = await openDatabase(
        { folder: place.home, url: place.databaseUrl ?? '' },
        { migrations: seriesOf('next') },
      )
      await database.write([{ sql: 'DELETE FROM processes WHERE schema_number = 1', params: [] }])
      await database.close()
      await next.stop()
      const after = await started(place, 'after')
      const { payments, noted: complete } = await noted(place)
      expect([payments > 5, complete]).toEqual([true, payments])
      const contracted = await migrated(place, 'after')
      expect(contracted.steps.every(({ state }) => state === 'done')).toBe(true)

      process.kill(old.local.pid, 'SIGCONT')
      const late = await send(old.local.apiUrl, shop, newProduct(shop, seededRandomness('late')))
      expect([late?.status, late?.body]).toEqual([503, expect.not.stringContaining('schema')])
      await old.killNine()
      const refused = await started(place, 'now').catch(String)
      expect(refused).toMatch(/changed for schema \d and later, and this version knows schema \d/)
      const { stop } = after
      expect(await send(after.local.apiUrl, shop, newProduct(shop, seededRandomness('new')))).toMatchObject({
        status: 201,
      })
      await stop()
    },
  )
})
