import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { contract, type HookKind, hookQuestion } from '@tillwright/contract'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { startMinuteLater } from './a-minute-later.ts'
import { sendAgain } from './acknowledged.ts'
import { newPayment, send, type Sent } from './load.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop } from './open-shop.ts'
import { type PlatformProcess, startProcess } from './platform-process.ts'
import { post } from './post.ts'
import { readRecords } from './read-records.ts'

/** A merchant's server that has the first process killed, before or after its first answer. It keeps the ids it was asked by. */
async function startDeadlyMerchant(dies: 'before' | 'after') {
  const asked: string[] = []
  const victim = Promise.withResolvers<PlatformProcess>()
  const server = createServer(async (request, response) => {
    const isFirst = asked.push(hookQuestion.parse(JSON.parse(await text(request))).id) === 1
    if (isFirst && dies === 'before') await (await victim.promise).killNine()
    response.end('{"decision":"allow"}')
    if (isFirst && dies === 'after') await (await victim.promise).killNine()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port }: AddressInfo = Object(server.address())
  return { asked, kills: victim.resolve, url: `http://127.0.0.1:${port}/risk` }
}

async function setHook(kind: HookKind, url: string, { apiUrl, adminApiKey, storeId }: PlatformProcess['local']) {
  const path = contract.hooks.set.path.replace('{storeId}', storeId).replace('{kind}', kind)
  const body = JSON.stringify({ url, onFailure: 'refuse' })
  expect(await post(apiUrl + path, { apiKey: adminApiKey, body })).toMatchObject({ status: 200 })
}

/** The embedded database too in a soak: what decides here is the key of the request, which `idempotency-crash.test.ts` kills there. */
const tried = soaks ? engines : engines.slice(-1)

describe.each(tried)('on %s', (engine) => {
  test.each(['before', 'after'] as const)(
    'a process that dies %s the merchant’s server has answered: the payment is asked about under the same id, and charged once',
    { timeout: 120_000 },
    async (dies) => {
      const place = await newPlace(engine)
      const shop = await openShop(place, null)
      const { asked, kills, url } = await startDeadlyMerchant(dies)
      const first = await startProcess(place)
      await setHook('risk', url, first.local)
      kills(first)
      const order = newPayment(shop, seededRandomness(`the merchant's server, ${dies}`))
      let open: Sent[] = [{ ...order, answer: await send(first.local.apiUrl, shop, order) }]
      const [sent] = open
      expect(sent?.answer).toBeNull()

      const asking = { apiUrl: (await startMinuteLater(place)).apiUrl, shop }
      await vi.waitFor(async () => expect((open = await sendAgain(open, asking))).toEqual([]), {
        timeout: 60_000,
        interval: 20,
      })
      expect(sent?.answer?.status).toBe(201)
      expect(asked.length).toBeGreaterThan(0)
      expect(new Set(asked).size).toBe(1)
      const records = await readRecords(place)
      expect(records.payments.map(({ status }) => status)).toEqual(['succeeded'])
      expect(records.charges).toHaveLength(1)
    },
  )
})
