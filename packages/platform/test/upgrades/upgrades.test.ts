import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bankSimulator } from '@tillwright/bank-simulator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newPlace } from '../../faults/new-place.ts'
import { settingsOf } from '../../faults/place.ts'
import { seriesOf } from '../../faults/upgrade-series.ts'
import { readConfig } from '../../src/config.ts'
import { restoreBackup } from '../../src/operator/index.ts'
import { openDatabase, type SchemaLog, workOnSchema } from '../../src/storage/index.ts'
import { platformVersion } from '../../src/version.ts'
import { testableEngines } from '../test-platform.ts'
import { KEYS, PAYMENTS, writeReleaseData } from './release-data.ts'

const log: SchemaLog = { info() {}, error() {}, fatal() {} }
const released = readdirSync(import.meta.dirname).filter((name) => /^\d+\.\d+\.\d+/.test(name))
/** What this version writes, which is to be the data of its release. */
const THIS = 'this version'
const fresh = mkdtempSync(join(tmpdir(), 'tillwright-release-data-'))
beforeAll(() => writeReleaseData(fresh))
afterAll(() => rmSync(fresh, { recursive: true }))

test('each release has left its data', () => {
  if (platformVersion !== '0.0.0') expect(existsSync(join(import.meta.dirname, platformVersion))).toBe(true)
})

describe.each(testableEngines())('on %s', (engine) => {
  test.each([...released, THIS])('the data of %s is taken over, and by what may come', async (release) => {
    const folder = release === THIS ? fresh : join(import.meta.dirname, release)
    const place = await newPlace(engine)
    for (const key of KEYS) copyFileSync(join(folder, key), join(place.home, key))
    const report = await restoreBackup(readConfig(settingsOf(place)), folder, bankSimulator.tables)
    expect(report).toMatchObject({ engine, payments: PAYMENTS, openedCard: true })
    const url = place.databaseUrl === null ? {} : { url: place.databaseUrl }
    for (const series of ['next', 'after'] as const) {
      const database = await openDatabase({ folder: place.home, ...url }, { migrations: seriesOf(series), log })
      await workOnSchema(database, seriesOf(series), { contractAfterMs: 0, log })
      const [row] = await database.read('SELECT count(*) AS payments, count(note) AS noted FROM payments', [])
      expect(row).toEqual({ payments: PAYMENTS, noted: PAYMENTS })
      expect(await database.read('SELECT SUM(amount) AS total FROM ledger_entries', [])).toEqual([{ total: 0 }])
      await database.close()
    }
  })
})
