import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { lostAnswers } from './acknowledged.ts'
import { findContradictions } from './find-contradictions.ts'
import { startLoad } from './load.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import { startProcess } from './platform-process.ts'
import { readRecords } from './read-records.ts'
import { startReceiver } from './receiver.ts'

/** Time that an operator's supervisor grants before it kills. */
const PATIENCE_MS = 12_000

/** The card was typed into a process that has ended: its code is gone, and the payment goes out without. */
const LOST_CODE = 'a security code is lost'

test.each(engines)(
  'SIGTERM under load answers what it has taken, loses none of it, and ends with 0 on %s',
  async (engine) => {
    const place = await newPlace(engine)
    const receiver = await startReceiver()
    const shop = await openShop(place, receiver.url)
    receiver.trust(shop.webhookSecret ?? '')
    const before = new Set((await readRecords(place)).events.map(({ id }) => id))
    const platform = await startProcess(place)
    const load = startLoad(platform.local.apiUrl, shop, { randomness: seededRandomness('graceful stop') })
    await delay(300) // so that the stop meets clients at work
    const begun = performance.now()
    const { code, output } = await platform.stop()
    expect([code, output.split('\n').filter((line) => line !== '' && !line.includes(LOST_CODE))]).toEqual([0, []])
    expect(performance.now() - begun).toBeLessThan(PATIENCE_MS)
    await load.ended

    const acknowledged = load.sent.filter(({ answer }) => answer !== null)
    expect(acknowledged.filter(({ answer }) => answer?.status !== 201)).toEqual([])
    const records = await readRecords(place)
    expect(lostAnswers(acknowledged, records)).toEqual([])
    expect(findContradictions(records, before)).toEqual([])
    expect(records.keys.filter(({ status }) => status !== null)).toHaveLength(acknowledged.length)
    expect(records.payments.filter(({ status }) => status !== 'succeeded')).toEqual([])
    expect(receiver.refused).toEqual([])
  },
)
