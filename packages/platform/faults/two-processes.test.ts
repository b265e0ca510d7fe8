import { setTimeout as delay } from 'node:timers/promises'
import { plans } from '@tillwright/contract'
import { describe, expect, test, vi } from 'vitest'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { startMinuteLater } from './a-minute-later.ts'
import { lostAnswers, sendAgain, unreadable } from './acknowledged.ts'
import { findContradictions } from './find-contradictions.ts'
import { startLoad } from './load.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import { type PlatformProcess, startProcess } from './platform-process.ts'
import { get } from './post.ts'
import { readRecords } from './read-records.ts'
import { startReceiver } from './receiver.ts'

/** When the second process is killed, counted from the first request. */
const KILL_AFTER_MS = 400
const { perMinute, burst } = plans.standard

/** The embedded database belongs to one process; only PostgreSQL, where it is installed, serves several. */
describe.skipIf(!engines.includes('postgres'))('on PostgreSQL', () => {
  test(
    'two processes share one database under load, and the death of one of them loses nothing and does nothing twice',
    { timeout: 120_000 },
    async () => {
      const place = await newPlace('postgres')
      const receiver = await startReceiver()
      const shop = await openShop(place, receiver.url)
      receiver.trust(shop.webhookSecret ?? '')
      const before = new Set((await readRecords(place)).events.map(({ id }) => id))
      const survivor = await startProcess(place)
      const victim = await startProcess(place)
      const [lasting, dying] = [survivor, victim].map(({ local }, index) =>
        startLoad(local.apiUrl, shop, { randomness: seededRandomness(`process ${index}`), clients: 4 }),
      )
      if (lasting === undefined || dying === undefined) throw new Error('There are two of them.')

      await delay(KILL_AFTER_MS)
      await victim.killNine()
      await dying.ended
      await delay(KILL_AFTER_MS) // the survivor goes on alone
      lasting.stop()
      await lasting.ended
      const sent = [...lasting.sent, ...dying.sent]
      expect(sent.filter(({ answer }) => answer !== null && answer.status !== 201)).toEqual([])
      expect(lasting.sent.filter(({ answer }) => answer === null)).toEqual([])

      const asking = { apiUrl: (await startMinuteLater(place)).apiUrl, shop }
      let open = dying.sent.filter(({ answer }) => answer === null)
      expect(open.length).toBeGreaterThan(0) // the kill met clients at work
      await vi.waitFor(async () => expect((open = await sendAgain(open, asking))).toEqual([]), {
        timeout: 60_000,
        interval: 20,
      })
      const records = await readRecords(place)
      expect(findContradictions(records, before)).toEqual([])
      expect(lostAnswers(sent, records)).toEqual([])
      expect(await unreadable(sent, asking)).toEqual([])
      await receiver.until(records.events.map(({ id }) => id).filter((id) => !before.has(id)))
      expect(receiver.refused).toEqual([])
    },
  )

  test('two processes give an account one bucket, also while one of them dies', async () => {
    const place = await newPlace('postgres')
    const { apiKey } = await openShop(place, null)
    const settings = { TILLWRIGHT_RATE_LIMITS: 'on' }
    const platforms = [await startProcess(place, { settings }), await startProcess(place, { settings })] as const
    const begun = performance.now()
    const [first, second] = platforms.map((platform) => askUntilRefused(platform, apiKey))
    await vi.waitFor(() => expect(second?.allowed()).toBeGreaterThan(20), { interval: 1, timeout: 60_000 })
    await platforms[1].killNine()
    await Promise.all([first?.ended, second?.ended])

    const minutes = (performance.now() - begun) / 60_000
    const allowed = (first?.allowed() ?? 0) + (second?.allowed() ?? 0)
    expect(allowed).toBeLessThanOrEqual(burst + Math.ceil(minutes * perMinute))
    // Tokens that a dead process had leased are lost until the bucket refills: an eighth of the rest.
    expect(allowed).toBeGreaterThan(burst / 2)
  })
})

/** Asks again and again, several requests at a time, until one is refused or the process is gone. */
function askUntilRefused({ local }: PlatformProcess, apiKey: string): { allowed: () => number; ended: Promise<void> } {
  let allowed = 0
  async function client(): Promise<void> {
    for (;;) {
      const answer = await get(`${local.apiUrl}/api/public/v1/auth/test`, apiKey)
      if (answer?.status !== 200) return expect([undefined, 429]).toContain(answer?.status)
      allowed += 1
    }
  }
  return { allowed: () => allowed, ended: Promise.all(Array.from({ length: 4 }, client)).then(() => {}) }
}
