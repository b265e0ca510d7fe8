import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bankSimulator } from '@tillwright/bank-simulator'
import { newPayment, newProduct, send } from '../../faults/load.ts'
import { openShop } from '../../faults/open-shop.ts'
import { settingsOf } from '../../faults/place.ts'
import { readConfig } from '../../src/config.ts'
import { startLocal } from '../../src/local/index.ts'
import { takeBackup } from '../../src/operator/index.ts'
import { seededRandomness } from '../../src/runtime/randomness.ts'
import { platformVersion } from '../../src/version.ts'

/** What a restored platform needs beside the rows. */
export const KEYS = ['vault.key', 'secrets.key', 'seed.json'] as const
export const PAYMENTS = 6

/**
 * Writes what this version makes of a few payments into a folder: a backup, and the keys of its test cards. `pnpm
 * release-data` keeps it as the data of a release, which every later version has to be able to take over.
 */
export async function writeReleaseData(folder: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'tillwright-release-'))
  const place = { home, databaseUrl: null }
  try {
    const shop = await openShop(place, null)
    const config = readConfig({ ...settingsOf(place), TILLWRIGHT_LOG_LEVEL: 'silent' })
    const platform = await startLocal(config, 'http://localhost:4410', { simulator: bankSimulator })
    const randomness = seededRandomness('release data')
    for (let n = 0; n < PAYMENTS; n += 1) {
      for (const order of [newProduct(shop, randomness), newPayment(shop, randomness)]) {
        const answer = await send(platform.apiUrl, shop, order)
        if (answer?.status !== 201) throw new Error(`It was not taken: ${JSON.stringify(answer)}`)
      }
    }
    await platform.stop()
    await mkdir(folder, { recursive: true })
    await takeBackup(config, folder)
    for (const key of KEYS) await copyFile(join(home, key), join(folder, key))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

if (import.meta.main) await writeReleaseData(join(import.meta.dirname, platformVersion))
