import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { fraction, seededRandomness } from '../src/ambient/randomness.ts'
import { startMinuteLater } from './a-minute-later.ts'
import { findContradictions } from './find-contradictions.ts'
import { send, startLoad, type Sent } from './load.ts'
import { openShop, type Shop } from './open-shop.ts'
import { engines, newPlace } from './place.ts'
import { startProcess } from './platform-process.ts'
import { get } from './post.ts'
import { readRecords, type Records } from './read-records.ts'
import { startReceiver } from './receiver.ts'

const ROUNDS = process.env['SOAK'] === '1' ? 100 : 20
/** A kill comes at a random moment in this time from the first request. */
const KILL_WITHIN_MS = 300

test.each(engines)('kill -9 under load loses nothing and doubles nothing on %s', { timeout: 600_000 }, async (engine) => {
  const randomness = seededRandomness(`kill -9 on ${engine}`)
  const place = await newPlace(engine)
  const receiver = await startReceiver()
  const shop = await openShop(place, receiver.url)
  receiver.trust(shop.webhookSecret ?? '')
  const before = new Set((await readRecords(place)).events.map(({ id }) => id))
  const sent: Sent[] = []
  let unanswered: Sent[] = []

  for (let round = 0; round < ROUNDS; round++) {
    const platform = await startProcess(place)
    await retry(unanswered, { apiUrl: platform.local.apiUrl, shop, engine })
    const records = await readRecords(place)
    expect(findContradictions(records, before)).toEqual([])
    expect(lostAnswers(sent, records)).toEqual([])
    const load = startLoad(platform.local.apiUrl, shop, { randomness })
    await delay(fraction(randomness) * KILL_WITHIN_MS)
    await platform.killNine()
    await load.ended
    sent.push(...load.sent)
    unanswered = load.sent.filter(({ answer }) => answer === null)
    expect(load.sent.filter(({ answer }) => answer !== null && answer.status !== 201)).toEqual([])
  }

  const platform = await startMinuteLater(place)
  await vi.waitFor(() => retry(sent.filter(({ answer }) => answer === null), { apiUrl: platform.apiUrl, shop, engine: 'sqlite' }))
  await expectReadable(sent, platform.apiUrl, shop)
  const records = await readRecords(place)
  expect(findContradictions(records, before)).toEqual([])
  expect(records.payments.filter(({ status }) => status !== 'succeeded')).toEqual([])
  const events = records.events.map(({ id }) => id).filter((id) => !before.has(id))
  await receiver.until(events)
  expect(receiver.refused).toEqual([])
})
