import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Randomness, seededRandomness } from '../src/runtime/randomness.ts'
import { lostAnswers, sendAgain, unreadable } from './acknowledged.ts'
import { findContradictions } from './find-contradictions.ts'
import { newPayment, newProduct, send, type Sent } from './load.ts'
import { openShop, type Shop } from './open-shop.ts'
import { startProcess } from './platform-process.ts'
import { get } from './post.ts'
import { readRecords } from './read-records.ts'
import { canMountDisk, smallDisk } from './small-disk.ts'

const DISK_MB = 20
const BALLAST_MB = 5
/** The disk counts as full after so many failures in a row. */
const FAILURES = 20

const diskIsHere = canMountDisk()
if (!diskIsHere) console.warn('A full disk is not tested: only root may mount a small one.')

test.runIf(diskIsHere)('a full disk answers 503, loses nothing, and is over when there is room again', async () => {
  const randomness = seededRandomness('full disk')
  const home = smallDisk(DISK_MB)
  const place = { home, databaseUrl: null }
  const shop = await openShop(place, null)
  const ballast = join(home, 'ballast')
  await writeFile(ballast, Buffer.alloc(BALLAST_MB * 2 ** 20, 1))
  const platform = await startProcess(place)
  const asking = { apiUrl: platform.local.apiUrl, shop }

  const sent = await fill(asking.apiUrl, shop, randomness)
  const failed = sent.filter(({ answer }) => answer?.status !== 201)
  for (const { answer } of failed) {
    expect(answer?.status).toBe(503)
    expect(answer?.headers.get('retry-after')).toBe('1')
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      error: { type: 'api_error', code: 'unavailable' },
      code: 'INTERNAL_SERVER_ERROR',
    })
  }
  const acknowledged = sent.filter(({ answer }) => answer?.status === 201)
  expect(acknowledged.length).toBeGreaterThan(50)
  expect(await unreadable(acknowledged, asking)).toEqual([])
  await vi.waitFor(async () => expect((await get(`${asking.apiUrl}/readyz`, ''))?.status).toBe(503), {
    timeout: 20_000,
  })

  await rm(ballast)
  expect((await send(asking.apiUrl, shop, newProduct(shop, randomness)))?.status).toBe(201)
  await vi.waitFor(async () => expect((await get(`${asking.apiUrl}/readyz`, ''))?.status).toBe(200), {
    timeout: 20_000,
  })
  const atWork = await sendAgain(failed, asking) // payments that were under way when the disk was full
  expect(atWork.filter(({ path }) => path.includes('products'))).toEqual([])
  expect(await platform.stop()).toMatchObject({ code: 0 })

  const next = { apiUrl: (await startProcess(place)).local.apiUrl, shop }
  await vi.waitFor(async () => expect(await sendAgain(atWork, next)).toEqual([]), { timeout: 60_000, interval: 20 })
  const records = await readRecords(place)
  expect(lostAnswers(sent, records)).toEqual([])
  expect(findContradictions(records, new Set(records.events.map(({ id }) => id)))).toEqual([])
  expect(records.payments.filter(({ status }) => status !== 'succeeded')).toEqual([])
  expect(await unreadable(sent, next)).toEqual([])
})

/** Writes until nothing can be written any more. */
async function fill(apiUrl: string, shop: Shop, randomness: Randomness): Promise<Sent[]> {
  const sent: Sent[] = []
  for (let failures = 0; failures < FAILURES;) {
    const order = sent.length % 2 === 0 ? newPayment(shop, randomness) : newProduct(shop, randomness)
    const answer = await send(apiUrl, shop, order)
    failures = answer?.status === 201 ? 0 : failures + 1
    sent.push({ ...order, answer })
  }
  return sent
}
