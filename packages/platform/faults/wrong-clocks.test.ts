import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { idsFrom } from '@tillwright/contract'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { newPayment, send } from './load.ts'
import { engines, newPlace } from './new-place.ts'
import type { Place } from './place.ts'
import { openShop, type Shop } from './open-shop.ts'
import { type PlatformProcess, startProcess } from './platform-process.ts'
import { get } from './post.ts'
import { readRecords } from './read-records.ts'

/** Debian's faketime, which `.ci/run` installs. */
const FAKETIME = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0] ?? ''
const HOUR_S = 3_600

/** The clock of a machine, for a process that is started under it. */
async function machineClock(offset: string) {
  const folder = await mkdtemp(join(tmpdir(), 'clock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'offset')
  const set = (to: string) => writeFile(file, to)
  await set(offset)
  const settings = {
    LD_PRELOAD: FAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  return { set, settings }
}

let rounds = 0

/** Pays so many times, one after the other; the statuses of the answers. */
async function pay({ local }: PlatformProcess, shop: Shop, times: number): Promise<(number | undefined)[]> {
  const randomness = seededRandomness(`wrong clocks ${(rounds += 1)}`)
  const statuses: (number | undefined)[] = []
  for (let i = 0; i < times; i++) statuses.push((await send(local.apiUrl, shop, newPayment(shop, randomness)))?.status)
  return statuses
}

/** How far the one process says that its machine is ahead. */
async function clockOffset({ databaseUrl }: Place): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT clock_offset FROM processes')
    return Number(rows[0]?.clock_offset)
  } finally {
    await client.end()
  }
}

async function readiness({ local }: PlatformProcess): Promise<{ status: number; body: object }> {
  const answer = await get(`${local.apiUrl}/readyz`, '')
  return { status: answer?.status ?? 0, body: JSON.parse(answer?.body ?? '{}') }
}

describe.skipIf(FAKETIME === '')('with Debian’s faketime', () => {
  test.each(engines)('a machine whose clock goes back an hour delays nothing on %s', async (engine) => {
    const place = await newPlace(engine)
    const shop = await openShop(place, null)
    const clock = await machineClock('+0')
    const begunMs = Date.now()
    const settings = { ...clock.settings, TILLWRIGHT_RATE_LIMITS: 'on' }
    const platform = await startProcess(place, { settings })
    expect(await pay(platform, shop, 5)).toEqual(Array(5).fill(201))
    await clock.set(`-${HOUR_S}`)
    expect(await pay(platform, shop, 20)).toEqual(Array(20).fill(201))
    // The next payments are dated after the earlier ones, and so is all that waits for a time.
    const { payments } = await readRecords(place)
    expect(payments).toHaveLength(25)
    expect(payments.filter(({ id }) => id < idsFrom('pay', begunMs - 60_000))).toEqual([])
    if (engine === 'postgres') await expect.poll(() => clockOffset(place)).toEqual(expect.closeTo(-HOUR_S * 1_000, -4))
  })

  test.skipIf(!engines.includes('postgres'))(
    'a process two minutes ahead makes the right one refuse nothing, and no payment ends before its time',
    async () => {
      const place = await newPlace('postgres')
      const shop = await openShop(place, null)
      const ahead = await machineClock('+120')
      const limits = { TILLWRIGHT_RATE_LIMITS: 'on' }
      const right = await startProcess(place, { settings: limits })
      const wrong = await startProcess(place, { settings: { ...limits, ...ahead.settings } })
      // Tokens that it takes of the account's bucket must not be taken in the other one's future.
      expect(await pay(wrong, shop, 20)).toEqual(Array(20).fill(201))
      expect(await pay(right, shop, 40)).toEqual(Array(40).fill(201))
      // Its sessions and leases are not over two minutes early.
      await delay(1_000)
      const { payments } = await readRecords(place)
      expect(payments.filter(({ status }) => status !== 'succeeded')).toEqual([])
      expect(await readiness(right)).toMatchObject({ status: 200 })
      expect(await readiness(wrong)).toMatchObject({
        status: 503,
        body: { failed: { clock: 'this machine differs from the database' } },
      })
    },
  )
})
