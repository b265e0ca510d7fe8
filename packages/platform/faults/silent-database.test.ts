import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type FaultyProxy, startFaultyProxy } from '../test/storage/faulty-proxy.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import type { Place } from './place.ts'
import { startProcess, startRefused } from './platform-process.ts'
import { type Answer, get, post } from './post.ts'

/** No client waits longer for an answer, whatever the network does. */
const ANSWER_MS = 10_000
/** Requests that are under way, workers that are at something, and the goodbye of the connections. */
const STOP_MS = 25_000

describe.skipIf(!engines.includes('postgres'))('a platform whose PostgreSQL goes silent', () => {
  test(
    'answers within ten seconds, serves again when the network does, and stops in silence',
    { timeout: 180_000 },
    async () => {
      const { place, proxy } = await silentPlace()
      const { apiKey, storeId } = await openShop(place, null)
      const { local, stop } = await startProcess(place)
      const sell = (name: string) =>
        timed(() =>
          post(`${local.apiUrl}/api/public/v1/products/create`, {
            apiKey,
            idempotencyKey: name,
            body: JSON.stringify({
              storeId,
              name,
              variants: [{ name, prices: [{ currencyOptions: { USD: { amount: 100 } } }] }],
            }),
          }),
        )
      expect((await sell('first')).status).toBe(201)

      proxy.silence()
      const look = () => timed(() => get(`${local.apiUrl}/api/public/v1/auth/test`, apiKey))
      const probe = (path: string) => timed(() => get(local.apiUrl + path, apiKey))
      const lost = await Promise.all([sell('second'), sell('third'), sell('fourth'), look(), probe('/readyz')])
      expect(lost.map(({ status }) => status)).toEqual([503, 503, 503, expect.any(Number), 503])
      expect((await probe('/livez')).status).toBe(200)
      // A write whose answer was lost may have been made; its key tells.
      proxy.heal()
      await vi.waitFor(async () => expect((await sell('second')).status).toBe(201), { timeout: 30_000, interval: 200 })
      const isReady = async () => expect((await probe('/readyz')).status).toBe(200)
      await vi.waitFor(isReady, { timeout: 20_000, interval: 200 }) // with the next beat

      proxy.silence()
      const sent = sell('fifth')
      await probe('/livez') // connections are accepted in their order: the request has arrived
      const begun = performance.now()
      expect((await stop()).code).toBe(0)
      expect(performance.now() - begun).toBeLessThan(STOP_MS)
      await sent
    },
  )

  test('ends its start with the setting, the place and what to do', { timeout: 60_000 }, async () => {
    const { place, proxy } = await silentPlace()
    proxy.silence()
    const begun = performance.now()
    const { code, output } = await startRefused(place)
    expect(performance.now() - begun).toBeLessThan(STOP_MS)
    expect(code).toBeGreaterThan(0)
    expect(output).toMatch(
      /^DATABASE_URL: PostgreSQL cannot be used \(127\.0\.0\.1:\d+, database \w+\)\. .* Check that it runs.*\n$/,
    )
  })
})

async function silentPlace(): Promise<{ place: Place; proxy: FaultyProxy }> {
  const place = await newPlace('postgres')
  const proxy = await startFaultyProxy(Number(new URL(place.databaseUrl ?? '').port))
  onTestFinished(() => proxy.stop())
  return { place: { ...place, databaseUrl: proxy.through(place.databaseUrl ?? '') }, proxy }
}

async function timed(ask: () => Promise<Answer | null>): Promise<Answer> {
  const begun = performance.now()
  const answer = await ask()
  expect(performance.now() - begun).toBeLessThan(ANSWER_MS)
  if (answer === null) throw new Error('The connection broke.')
  return answer
}
