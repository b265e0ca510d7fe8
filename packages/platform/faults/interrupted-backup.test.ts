import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bankSimulator } from '@tillwright/bank-simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { readConfig } from '../src/config.ts'
import { openOperator, takeBackup, verifyBackup } from '../src/operator/index.ts'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { type Database, openDatabaseBeside } from '../src/storage/index.ts'
import type { DeathAt } from './die-at-statement.ts'
import { newPayment, send } from './load.ts'
import { addPayments, paymentIds } from './many-payments.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import { type Place, settingsOf } from './place.ts'
import { startProcess } from './platform-process.ts'
import { canMountDisk, smallDisk } from './small-disk.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tillwright-backups-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Takes a backup in a process of its own. */
function startBackup(place: Place, to: string, death: DeathAt | null) {
  const preload = death === null ? '' : `--import ${new URL('./die-at-statement.ts', import.meta.url).href}`
  const child = spawn(process.execPath, [fileURLToPath(new URL('./backup-alone.ts', import.meta.url))], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_OPTIONS: preload,
      TO: to,
      ...settingsOf(place),
      ...(death !== null && { DIE_AT: JSON.stringify(death) }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return once(child, 'exit')
}

const configOf = (place: Place) => readConfig({ ...settingsOf(place), TILLWRIGHT_SEED: undefined })

async function insertPayments(place: Place, count: number): Promise<void> {
  const database = await opened(place)
  await addPayments(database, paymentIds(count)).finally(() => database.close())
}

const opened = ({ home, databaseUrl }: Place): Promise<Database> =>
  openDatabaseBeside({ folder: home, ...(databaseUrl !== null && { url: databaseUrl }) })

describe.each(engines)('a backup of %s', (engine) => {
  test('that is killed while it writes the payments leaves nothing that looks like one; the next one is whole, while keys are rotated too', async () => {
    const place = await newPlace(engine)
    await openShop(place, null)
    const [config, to] = [configOf(place), newFolder()]
    const death: DeathAt = { match: 'FROM payments ORDER BY', nth: 1, thread: 'main' }
    expect(await startBackup(place, to, death)).toEqual([null, 'SIGKILL'])
    const [stamp = ''] = readdirSync(join(to, 'backups'))
    expect(readdirSync(join(to, 'backups', stamp))).toContain('accounts.jsonl.zst')
    await expect(verifyBackup(config, to)).rejects.toThrow(/only unfinished backups, without a manifest/)

    // Keys that no process uses yet, and then keys that rows are just being sealed under.
    const operator = await openOperator(config)
    for (const ring of ['cards', 'secrets'] as const) await operator.encryption.rotate(ring)
    await operator.close()
    const database = await opened(place)
    for (const makeKeysActive of ['', 'UPDATE data_keys SET active_at = 0 WHERE version = 2']) {
      if (makeKeysActive !== '') await database.write([{ sql: makeKeysActive, params: [] }])
      const { folder } = await takeBackup(config, to)
      expect(await verifyBackup(config, folder, { extraTables: bankSimulator.tables })).toMatchObject({
        openedCard: true,
      })
    }
    await database.close()
  })
})

const diskIsHere = canMountDisk()
if (!diskIsHere) console.warn('A backup to a disk that is full is not tested: only root may mount one.')

test.runIf(diskIsHere)(
  'a backup for which there is no room says so, and leaves nothing that looks like one',
  async () => {
    const place = await newPlace('sqlite')
    await openShop(place, null)
    await insertPayments(place, 4_000)
    const to = smallDisk(2)
    const { bavail, bsize } = statfsSync(to)
    writeFileSync(join(to, 'ballast'), Buffer.alloc(bavail * bsize - 90_000))
    await expect(takeBackup(configOf(place), to)).rejects.toThrow(/No backup was written to .*: the disk is full\./)
    expect(existsSync(join(to, 'backups')) ? readdirSync(join(to, 'backups')) : []).toEqual([])
    rmSync(join(to, 'ballast'))
    expect(await takeBackup(configOf(place), to)).toMatchObject({ isNoted: true })
  },
)

const MANY = 200_000
const MEASURED_MS = 20_000
const CLIENTS = 4

test.runIf(soaks).each(engines)(
  `what a backup of ${MANY} payments costs those who pay meanwhile, on %s`,
  { timeout: 1_200_000 },
  async (engine) => {
    const place = await newPlace(engine)
    const shop = await openShop(place, null)
    await insertPayments(place, MANY)
    const { local } = await startProcess(place)
    const randomness = seededRandomness('cost of a backup')
    async function measured(untilDone: Promise<unknown>) {
      const tookMs: number[] = []
      let isOver = false
      void untilDone.finally(() => (isOver = true))
      const begun = performance.now()
      async function client(): Promise<void> {
        while (!isOver) {
          const sentMs = performance.now()
          const answer = await send(local.apiUrl, shop, newPayment(shop, randomness))
          expect(answer?.status).toBe(201)
          tookMs.push(performance.now() - sentMs)
        }
      }
      await Promise.all(Array.from({ length: CLIENTS }, client))
      const sorted = tookMs.toSorted((a, b) => a - b)
      return {
        perSecond: Math.round((tookMs.length / (performance.now() - begun)) * 1_000),
        p99Ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
        longestMs: Math.round(sorted.at(-1) ?? 0),
      }
    }
    const pause = () => delay(MEASURED_MS)
    await measured(delay(5_000)) // warm
    const without = await measured(pause())
    const begun = performance.now()
    const during = await measured(startBackup(place, newFolder(), null))
    const backupS = Math.round((performance.now() - begun) / 100) / 10
    console.info(`${engine}: ${JSON.stringify({ without, during, backupS })}`)
    expect(during.longestMs).toBeLessThan(5_000)
  },
)
