import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { fraction, seededRandomness } from '../src/runtime/randomness.ts'
import { startMinuteLater } from './a-minute-later.ts'
import { lostAnswers, sendAgain, unreadable } from './acknowledged.ts'
import { findContradictions } from './find-contradictions.ts'
import { type Sent, startLoad } from './load.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import { startProcess } from './platform-process.ts'
import { readRecords } from './read-records.ts'
import { startReceiver } from './receiver.ts'

const ROUNDS = soaks ? 100 : 2
/** Each kill comes at a random moment of this time, counted from the first request. */
const KILL_WITHIN_MS = 300

test.each(engines)(
  'kill -9 under load loses nothing and does nothing twice on %s',
  { timeout: 900_000 },
  async (engine) => {
    const randomness = seededRandomness(`kill -9 on ${engine}`)
    const place = await newPlace(engine)
    const receiver = await startReceiver()
    const shop = await openShop(place, receiver.url)
    receiver.trust(shop.webhookSecret ?? '')
    const before = new Set((await readRecords(place)).events.map(({ id }) => id))
    const sent: Sent[] = []
    let open: Sent[] = []

    for (let round = 0; round < ROUNDS; round++) {
      const platform = await startProcess(place)
      const asking = { apiUrl: platform.local.apiUrl, shop }
      open = await sendAgain(open, asking)
      if (engine === 'sqlite') {
        // No other process can hold the work that the dead one left, so it is completed at once.
        await vi.waitFor(async () => expect((open = await sendAgain(open, asking))).toEqual([]), {
          timeout: 60_000,
          interval: 20,
        })
      }
      expect(open.filter(({ path }) => path.includes('products'))).toEqual([])
      const records = await readRecords(place)
      expect(findContradictions(records, before)).toEqual([])
      expect(lostAnswers(sent, records)).toEqual([])
      expect(await unreadable(sent.slice(-100), asking)).toEqual([])

      const load = startLoad(asking.apiUrl, shop, { randomness })
      await delay(fraction(randomness) * KILL_WITHIN_MS)
      await platform.killNine()
      await load.ended
      expect(load.sent.filter(({ answer }) => answer !== null && answer.status !== 201)).toEqual([])
      sent.push(...load.sent)
      open.push(...load.sent.filter(({ answer }) => answer === null))
    }

    const asking = { apiUrl: (await startMinuteLater(place)).apiUrl, shop }
    await vi.waitFor(async () => expect((open = await sendAgain(open, asking))).toEqual([]), {
      timeout: 60_000,
      interval: 20,
    })
    const records = await readRecords(place)
    expect(findContradictions(records, before)).toEqual([])
    expect(lostAnswers(sent, records)).toEqual([])
    expect(await unreadable(sent, asking)).toEqual([])
    expect(records.payments.filter(({ status }) => status !== 'succeeded' && status !== 'failed')).toEqual([])
    await receiver.until(records.events.map(({ id }) => id).filter((id) => !before.has(id)))
    expect(receiver.refused).toEqual([])
  },
)
