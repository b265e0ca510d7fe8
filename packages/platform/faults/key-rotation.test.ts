import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../src/config.ts'
import { localKeys } from '../src/local/index.ts'
import { openOperator } from '../src/operator/operator.ts'
import { openRings } from '../src/platform-keys.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { seededRandomness, systemRandomness } from '../src/runtime/randomness.ts'
import type { Database } from '../src/storage/database.ts'
import { openDatabaseBeside } from '../src/storage/open-database.ts'
import { startLoad } from './load.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import { type Place, settingsOf } from './place.ts'
import { startProcess } from './platform-process.ts'

const CARDS = 4_000

/** The embedded database belongs to one process; only PostgreSQL, where it is installed, serves several. */
describe.skipIf(!engines.includes('postgres'))('on PostgreSQL', () => {
  test(
    'a key is rotated under load in two processes, one is killed while it seals rows again, and no payment fails',
    { timeout: 120_000 },
    async () => {
      const place = await newPlace('postgres')
      const shop = await openShop(place, null)
      const db = await openDatabaseBeside({ folder: place.home, url: place.databaseUrl ?? '' })
      onTestFinished(() => db.close())
      await manyCards(place, db)
      const [survivor, victim] = [await startProcess(place), await startProcess(place)]
      const load = startLoad(survivor.local.apiUrl, shop, { randomness: seededRandomness('rotation'), clients: 2 })

      const config = { ...readConfig({ ...settingsOf(place), TILLWRIGHT_SEED: undefined }) }
      const operator = await openOperator(config)
      onTestFinished(() => operator.close())
      for (const ring of ['cards', 'secrets'] as const) await operator.encryption.rotate(ring)
      // Every process has the keys when they come into use; what follows need not wait for stragglers here.
      const inUse = `SELECT SUM(CASE WHEN active_at <= ? THEN 1 ELSE 0 END) AS keys FROM data_keys WHERE version = 2`
      await vi.waitFor(async () => expect(await db.read(inUse, [Date.now()])).toEqual([{ keys: 2 }]), {
        timeout: 30_000,
        interval: 50,
      })
      await db.write([{ sql: 'UPDATE data_keys SET active_at = active_at - 10000 WHERE version = 2', params: [] }])
      const resealed = async () => {
        const rows = await db.read(`SELECT resealed FROM reseals WHERE place = 'cards.sealed_key' AND version = 2`, [])
        return Number(rows[0]?.['resealed'] ?? 0)
      }
      await vi.waitFor(async () => expect(await resealed()).toBeGreaterThan(0), { timeout: 60_000, interval: 5 })
      await victim.killNine()
      expect(await resealed()).toBeLessThan(CARDS)
      await vi.waitFor(async () => expect(await left(db)).toBe(0), { timeout: 60_000, interval: 50 })
      expect(await resealed()).toBe(CARDS + 1)

      load.stop()
      await load.ended
      expect(load.sent.length).toBeGreaterThan(50)
      expect(load.sent.filter(({ answer }) => answer?.status !== 201)).toEqual([])
      const isDone = async () =>
        (await operator.encryption.status()).every(({ reseals }) => reseals.every((column) => column.isDone))
      await vi.waitFor(async () => expect(await isDone()).toBe(true), { timeout: 30_000, interval: 50 })
    },
  )
})

async function left(db: Database): Promise<number> {
  const [row] = await db.read(`SELECT COUNT(*) AS former FROM cards WHERE sealed_key LIKE '1:%'`, [])
  return Number(row?.['former'])
}

/** Copies the shop's card many times over, each sealed for its own row. */
async function manyCards(place: Place, db: Database): Promise<void> {
  const keys = await localKeys(readConfig({ ...settingsOf(place), TILLWRIGHT_SEED: undefined }))
  const rings = await openRings(keys, { db, clock: systemClock, randomness: systemRandomness() })
  await rings.close()
  const [card] = await db.read('SELECT account_id FROM cards', [])
  const accountId = String(card?.['account_id'])
  const rows = Array.from({ length: CARDS }, (_, index) => {
    const id = `card_many${String(index).padStart(6, '0')}`
    return { id, sealed: rings.cards?.box.seal('card key', randomBytes(32), `${accountId}/${id}`) }
  })
  const ids = rows.map(({ id }) => id)
  const insert = `INSERT INTO cards (account_id, id, fingerprint, sealed_key, sealed_card, brand, last4, bin, exp_month,
    exp_year, funding, segment, created_at) SELECT account_id, ?, 'many', ?, sealed_card, brand, last4, bin, exp_month,
    exp_year, funding, segment, created_at FROM cards WHERE account_id = ? AND fingerprint <> 'many'`
  for (let at = 0; at < ids.length; at += 1_000) {
    await db.write(
      rows.slice(at, at + 1_000).map(({ id, sealed }) => ({ sql: insert, params: [id, sealed ?? '', accountId] })),
    )
  }
}
