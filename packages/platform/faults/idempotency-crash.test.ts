import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { fraction, seededRandomness } from '../src/runtime/randomness.ts'
import { startMinuteLater } from './a-minute-later.ts'
import { findContradictions } from './find-contradictions.ts'
import { newPayment, type Order, send } from './load.ts'
import { neverCharged } from './never-charged.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop, type Shop } from './open-shop.ts'
import type { Place } from './place.ts'
import { startProcess } from './platform-process.ts'
import type { Answer } from './post.ts'
import { readRecords, type Records } from './read-records.ts'

/** How many requests carry one key. */
const TWINS = 100
const ROUNDS = soaks ? 50 : 1
/** Each kill comes at a random moment of this time, counted from the first of the twins. */
const KILL_WITHIN_MS = 120

/** `src/http/operations/idempotency.test.ts` tests one process on both engines; here several processes share PostgreSQL. */
const together = soaks ? engines : engines.slice(-1)

describe.each(together)('on %s', (engine) => {
  test('100 payments at once with one key are one payment, and every answer is its answer', async () => {
    const place = await newPlace(engine)
    const shop = await openShop(place, null)
    // PostgreSQL serves several platforms, and the key holds for all of them.
    const platforms = [await startProcess(place), ...(engine === 'postgres' ? [await startProcess(place)] : [])]
    const order = newPayment(shop, seededRandomness('twins'))
    const urls = platforms.map(({ local }) => local.apiUrl)
    const answers = await sendTwins(urls, shop, order)
    const again = await send(urls[0] ?? '', shop, order)
    expect(again?.status).toBe(201)
    expect(again?.headers.get('idempotent-replayed')).toBe('true')
    expect(new Set(answers.map(shown))).toEqual(new Set([`201 ${again?.body}`]))
    const { payments, charges } = await readCompleted(place)
    expect([payments.length, charges.length]).toEqual([1, 1])
  })
})

describe.each(engines)('on %s', (engine) => {
  test('a kill -9 among them changes nothing of that', { timeout: 300_000 }, async () => {
    const randomness = seededRandomness(`twins on ${engine}`)
    const place = await newPlace(engine)
    const shop = await openShop(place, null)
    const orders = Array.from({ length: ROUNDS }, () => newPayment(shop, randomness))
    const answered = new Map<Order, Set<string>>()
    for (const order of orders) {
      const platform = await startProcess(place)
      const twins = sendTwins([platform.local.apiUrl], shop, order)
      await delay(fraction(randomness) * KILL_WITHIN_MS)
      await platform.killNine()
      answered.set(order, new Set((await twins).filter((answer) => answer?.status !== 409).map(shown)))
    }
    // The embedded database completes what the dead process left at once, PostgreSQL when its lease is over.
    const { apiUrl } = engine === 'sqlite' ? (await startProcess(place)).local : await startMinuteLater(place)
    for (const order of orders) {
      const final = await vi.waitFor(() => sendUntilDone(apiUrl, shop, order), { timeout: 60_000, interval: 20 })
      for (const earlier of answered.get(order) ?? []) expect(['no answer', shown(final)]).toContain(earlier)
    }
    const records = await readCompleted(place)
    expect(findContradictions(records, new Set(records.events.map(({ id }) => id)))).toEqual([])
    // One whose process died before it had asked the processor has failed, and nothing was charged.
    const paid = records.payments.filter(({ status }) => status === 'succeeded')
    // Asked about an attempt that it does not know, the processor notes that it will not take it any more.
    const charged = records.charges.filter(({ outcome }) => !outcome.includes('refused_before_acceptance'))
    expect([records.payments.length, charged.length]).toEqual([ROUNDS, paid.length])
  })
})

/** The records, as soon as no payment goes on behind its answer. */
function readCompleted(place: Place): Promise<Records> {
  return vi.waitFor(
    async () => {
      const records = await readRecords(place)
      expect(records.payments.map(({ status }) => status)).not.toContain('processing')
      return records
    },
    { timeout: 60_000, interval: 50 },
  )
}

/** Sends a request many times at once, to the platforms in turn. */
function sendTwins(apiUrls: readonly string[], shop: Shop, order: Order): Promise<(Answer | null)[]> {
  return Promise.all(
    Array.from({ length: TWINS }, (_, twin) => send(apiUrls[twin % apiUrls.length] ?? '', shop, order)),
  )
}

function shown(answer: Answer | null): string {
  if (answer === null) return 'no answer'
  return answer.status === 409 ? `409 ${JSON.parse(answer.body).error.code}` : `${answer.status} ${answer.body}`
}

async function sendUntilDone(apiUrl: string, shop: Shop, order: Order): Promise<Answer> {
  const answer = await send(apiUrl, shop, order)
  if (answer !== null && (answer.status === 201 || neverCharged(answer))) return answer
  throw new Error(shown(answer))
}
