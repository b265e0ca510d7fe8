import { setTimeout as delay } from 'node:timers/promises'
import { contract, type Payment, type Subscription } from '@tillwright/contract'
import { describe, expect, test, vi } from 'vitest'
import { firstOf, soaks } from '../../../.ci/soaks.ts'
import { readConfig } from '../src/config.ts'
import { advanceLocalTime } from '../src/local/local-clock.ts'
import { fraction, seededRandomness } from '../src/runtime/randomness.ts'
import { engines, newPlace } from './new-place.ts'
import { openShop, type Shop } from './open-shop.ts'
import { type Place, settingsOf } from './place.ts'
import { type PlatformProcess, startProcess } from './platform-process.ts'
import { post } from './post.ts'
import { readRecords } from './read-records.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const HOUR_MS = DAY_MS / 24
const SUBSCRIPTIONS = 12
const ROUNDS = soaks ? 20 : 1
/** Each kill comes at a random moment of this time, counted from the jump of the clock. */
const KILL_WITHIN_MS = 450

// `retried-renewals.test.ts` has processes die at every step on both.
describe.each(firstOf(engines))('on %s', (engine) => {
  test('a kill -9 among renewals leaves one charge for each period', { timeout: 180_000 }, async () => {
    const randomness = seededRandomness(`renewals on ${engine}`)
    const place = await newPlace(engine)
    const shop = await openShop(place, null)
    let platform = await startProcess(place)
    const bought = await buy(platform, shop)
    for (let round = 0; round < ROUNDS; round++) {
      await jump(place, 7 * DAY_MS)
      await delay(fraction(randomness) * KILL_WITHIN_MS)
      await platform.killNine()
      platform = await startProcess(place)
    }
    // Leases of the last process are given back, and renewals that it has not sent are tried again an hour later.
    await jump(place, DAY_MS)
    const renewed = async () => {
      await jump(place, HOUR_MS)
      for (const { id, status, currentPeriodEnd } of await Promise.all(
        bought.map((each) => read(platform, shop, each)),
      )) {
        const aheadMs = Date.parse(currentPeriodEnd) - Date.now()
        if (status !== 'active' || aheadMs < (ROUNDS * 7 + 6) * DAY_MS) throw new Error(`${id} waits: ${status}`)
      }
    }
    await vi.waitFor(renewed, { timeout: 60_000, interval: 700 })
    const { charges } = await readRecords(place)
    const taken = charges.filter(({ outcome }) => outcome.includes('succeeded'))
    expect(taken).toHaveLength(SUBSCRIPTIONS * (1 + ROUNDS))
  })
})

/** Moves the platform's clock, whether it runs or not. */
function jump(place: Place, byMs: number): Promise<unknown> {
  return advanceLocalTime(readConfig({ ...settingsOf(place) }), byMs)
}

/** Buys subscriptions of a week each; their ids. */
async function buy({ local }: PlatformProcess, shop: Shop): Promise<string[]> {
  const currencyOptions = { USD: { amount: 700 } }
  const variants = [{ id: 'weekly', name: 'Weekly', prices: [{ currencyOptions, recurring: true, interval: 'week' }] }]
  await ask(local.apiUrl + contract.products.create.path, shop, { storeId: shop.storeId, name: 'Weekly', variants })
  const order = { storeId: shop.storeId, paymentInstrumentId: shop.instrumentId, currency: 'USD' }
  const lines = [{ variantId: 'weekly' }]
  const payments: Payment[] = []
  for (let i = 0; i < SUBSCRIPTIONS; i++) {
    payments.push(await ask(local.apiUrl + contract.payments.create.path, shop, { ...order, lines }))
  }
  return payments.flatMap(({ subscriptions }) => subscriptions.map(({ subscriptionId }) => subscriptionId))
}

async function ask<Body>(url: string, { apiKey }: Shop, body: object): Promise<Body> {
  const answer = await post(url, { apiKey, body: JSON.stringify(body) })
  if (answer === null || answer.status >= 300) throw new Error(`${url} answered ${JSON.stringify(answer)}`)
  return JSON.parse(answer.body)
}

async function read({ local }: PlatformProcess, { apiKey }: Shop, id: string): Promise<Subscription> {
  const url = local.apiUrl + contract.subscriptions.get.path.replace('{subscriptionId}', id)
  const response = await fetch(url, { headers: { Authorization: `Bearer ${apiKey}` } })
  return contract.subscriptions.get.response.parse(await response.json())
}
