import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { bankSimulator } from '@tillwright/bank-simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { queryPostgres } from '../../../../.ci/postgres-database.ts'
import { newPlace } from '../../faults/new-place.ts'
import { type Place, settingsOf } from '../../faults/place.ts'
import { post } from '../../faults/post.ts'
import { seriesOf } from '../../faults/upgrade-series.ts'
import { readConfig } from '../../src/config.ts'
import { startLocal } from '../../src/local/index.ts'
import { type Database, migrations, openDatabase, type SchemaLog, workOnSchema } from '../../src/storage/index.ts'
import { platformVersion } from '../../src/version.ts'
import { testableEngines } from '../test-platform.ts'
import { digestOf, folderOf, PAYMENTS, readRelease, UNRELEASED, writeTestKeys } from './release-data.ts'

const log: SchemaLog = { info() {}, error() {}, fatal() {} }
const released = readdirSync(import.meta.dirname).filter((name) => /^\d+\.\d+\.\d+/.test(name))

test('each release has left its data, and none of its steps was changed since', async () => {
  expect(existsSync(folderOf(platformVersion)), 'run `pnpm run release-data` before a release').toBe(true)
  const now = Object.fromEntries(migrations.map((step) => [step.id, digestOf(step)]))
  for (const version of released) {
    const remedy = version === UNRELEASED ? 'run `pnpm run schema`' : 'add a step, and leave those that were released'
    expect(now, `the schema of ${version}: ${remedy}`).toMatchObject((await readRelease(version)).steps)
  }
})

test('a step that is changed is noticed', () => {
  const [first] = migrations
  const changed = { ...first, id: '0001-baseline', statements: ['CREATE TABLE other (id {text} PRIMARY KEY) {strict}'] }
  expect(first && digestOf(first)).not.toBe(digestOf(changed))
})

describe.each(testableEngines())('on %s', (engine) => {
  test.each(released)(
    'what %s has left is taken over, gives money back, and is taken over by what may come',
    async (version) => {
      const place = await newPlace(engine, { isEmpty: true })
      const { seed, paymentId } = await readRelease(version)
      await load(version, place)
      await writeTestKeys(place.home)
      writeFileSync(join(place.home, 'seed.json'), JSON.stringify(seed), { mode: 0o600 })
      const config = readConfig({ ...settingsOf(place), TILLWRIGHT_LOG_LEVEL: 'silent' })
      const platform = await startLocal(config, 'http://localhost:4410', { simulator: bankSimulator })
      onTestFinished(() => platform.stop())
      const url = `${platform.apiUrl}/api/payments/v1/payments/${paymentId}/refund`
      const refunded = await post(url, { apiKey: seed.apiKey, body: '{}', idempotencyKey: 'refund' })
      expect([refunded?.status, refunded?.body]).toEqual([200, expect.stringContaining(paymentId)])
      await platform.stop()
      const at = { folder: place.home, ...(place.databaseUrl !== null && { url: place.databaseUrl }) }
      for (const series of ['next', 'after'] as const) {
        const database = await openDatabase(at, { migrations: seriesOf(series), log })
        await workOnSchema(database, seriesOf(series), { contractAfterMs: 0, log })
        const [row] = await database.read('SELECT count(*) AS payments, count(note) AS noted FROM payments', [])
        expect(row).toEqual({ payments: PAYMENTS, noted: PAYMENTS })
        expect(await sumsOf(database)).toEqual([0])
        await database.close()
      }
    },
  )
})

/** Fills an empty place with what a release has left, by nothing of this version. */
async function load(version: string, { home, databaseUrl }: Place): Promise<void> {
  const text = (name: string) => readFileSync(join(folderOf(version), name), 'utf8')
  if (databaseUrl !== null) {
    await queryPostgres(databaseUrl, text('postgres.sql') + text('rows.sql'))
    return
  }
  const file = new DatabaseSync(join(home, 'tillwright.db'))
  file.exec(text('sqlite.sql') + text('rows.sql'))
  file.close()
}

async function sumsOf(database: Database): Promise<unknown[]> {
  const rows = await database.read('SELECT SUM(amount) AS total FROM ledger_entries GROUP BY currency', [])
  return rows.map((row) => row['total'])
}
