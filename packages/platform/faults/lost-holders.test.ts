import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { findContradictions } from './find-contradictions.ts'
import { newPayment, send, type Sent } from './load.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop, type Shop } from './open-shop.ts'
import { type PlatformProcess, startProcess } from './platform-process.ts'
import { readRecords } from './read-records.ts'
import { startReceiver } from './receiver.ts'

/** Timeout of a client, or of the load balancer in front of it: it asks again under the same key. */
const ANSWERED_WITHIN_MS = 10_000
const AGAIN_EVERY_MS = 100
/** Long enough that the others take a process for dead which does not move. */
const PAUSE_MS = 9_000

/** The embedded database belongs to one process; only PostgreSQL, where it is installed, serves several. */
describe.skipIf(!engines.includes('postgres'))('on PostgreSQL', () => {
  test.for([
    ['is killed', (victim: PlatformProcess) => victim.killNine()],
    [
      'is paused for longer than the others wait, and then goes on',
      async (victim: PlatformProcess) => {
        process.kill(victim.local.pid, 'SIGSTOP')
        setTimeout(() => process.kill(victim.local.pid, 'SIGCONT'), PAUSE_MS)
      },
    ],
  ] as const)(
    'when a process %s, another answers for it within ten seconds, and nothing is charged twice',
    { timeout: 120_000 },
    async ([, befall]) => {
      const place = await newPlace('postgres')
      const receiver = await startReceiver()
      const shop = await openShop(place, receiver.url)
      receiver.trust(shop.webhookSecret ?? '')
      const before = new Set((await readRecords(place)).events.map(({ id }) => id))
      const [survivor, victim] = [await startProcess(place), await startProcess(place)]
      const load = startPaying(victim, shop)
      await delay(600) // so that it meets clients at work
      const begunMs = performance.now()
      await befall(victim)
      load.stop()
      // A balancer gives up on the process and asks the other one.
      const longestMs = await answeredBy(survivor, load.unanswered(), { shop, begunMs })
      await load.ended
      expect(longestMs).toBeLessThan(ANSWERED_WITHIN_MS)

      await delay(Math.max(0, PAUSE_MS + 500 - (performance.now() - begunMs))) // the paused one is back by then
      const records = await readRecords(place)
      expect(findContradictions(records, before)).toEqual([])
      expect(records.payments.filter(({ status }) => status === 'processing')).toEqual([])
      await receiver.until(records.events.map(({ id }) => id).filter((id) => !before.has(id)))
      expect(performance.now() - begunMs).toBeLessThan(PAUSE_MS + 20_000)
    },
  )
})

/** Clients that pay at a process, one request after the other. */
function startPaying({ local }: PlatformProcess, shop: Shop) {
  const randomness = seededRandomness('lost holders')
  const sent: Sent[] = []
  let stopped = false
  async function client(): Promise<void> {
    while (!stopped) {
      const order: Sent = { ...newPayment(shop, randomness), answer: null }
      sent.push(order)
      order.answer = await send(local.apiUrl, shop, order)
      if (order.answer === null) return
    }
  }
  const ended = Promise.all(Array.from({ length: 8 }, client))
  return { ended, stop: () => void (stopped = true), unanswered: () => sent.filter(({ answer }) => answer === null) }
}

/** Asks again for what was not answered, until all of it is; how long the last one took from the beginning. */
async function answeredBy(
  { local }: PlatformProcess,
  orders: readonly Sent[],
  { shop, begunMs }: { shop: Shop; begunMs: number },
): Promise<number> {
  expect(orders.length).toBeGreaterThan(0)
  const asked = orders.map(async (order) => {
    for (;;) {
      const answer = await send(local.apiUrl, shop, order)
      if (answer !== null && answer.status !== 409) return
      if (performance.now() - begunMs > 60_000) throw new Error(`${order.key} is still ${answer?.body}`)
      await delay(AGAIN_EVERY_MS)
    }
  })
  await Promise.all(asked)
  return performance.now() - begunMs
}
