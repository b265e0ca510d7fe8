import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { LocalFile } from '../src/local/start-local.ts'
import { benchFloorWrite } from './bench-engine.ts'
import { countDeliveries } from './count-deliveries.ts'
import { execute } from './execute.ts'
import { newCardInstrument } from './new-card-instrument.ts'
import { startProcess } from './start-process.ts'
import { timeThreeds } from './time-threeds.ts'
import { wrk } from './wrk.ts'

/** What a frictionless authentication may add at p50, over loopback. */
const THREEDS_MS = 15

/** Empty PostgreSQL databases; SQLite without them. */
interface Urls {
  floor?: string
  platform?: string
  threeds?: string
}

/** Measures one engine. */
export async function reportPayments(engine: string, urls: Urls): Promise<void> {
  await reportRate(engine, urls)
  await reportThreeds(engine, urls.threeds)
}

async function reportRate(engine: string, urls: Urls): Promise<void> {
  const floor = await benchFloorWrite(urls.floor)
  const platform = await startProcess('platform', urls.platform === undefined ? {} : { databaseUrl: urls.platform })
  const receiver = await countDeliveries()
  try {
    const local: LocalFile = JSON.parse(await readFile(join(platform.home, 'local.json'), 'utf8'))
    await execute({ home: platform.home, databaseUrl: urls.platform }, [
      'UPDATE accounts SET rate_per_minute = 6000000, rate_burst = 1000000',
      `UPDATE webhook_endpoints SET event_types = '["s_order_paid"]', url = 'http://localhost:${receiver.port}/'`,
    ])
    const paymentInstrumentId = await newCardInstrument(local)
    const body = JSON.stringify({ storeId: local.storeId, paymentInstrumentId, currency: 'USD', amount: 500 })
    const url = `${local.apiUrl}/api/payments/v1/payments`
    const startedAt = performance.now()
    const load = await wrk({ url, headers: { Authorization: `Bearer ${local.apiKey}` }, body })
    await quiet(receiver)
    const delivered = receiver.count / ((receiver.lastAtMs - startedAt) / 1_000)
    const share = Math.round((load.perSecond / floor.perSecond) * 100)
    console.log(
      `${engine} payments ${Math.round(load.perSecond)}/s, p99 ${load.p99Ms} ms, ${share} % of the floor's ${Math.round(floor.perSecond)} inserts/s; ` +
        `${Math.round(delivered)}/s from the request to the delivered webhook (${receiver.count} of them)`,
    )
  } finally {
    receiver.close()
    await platform.stop()
  }
}

/** One address is many buyers here, so what an address may do is not limited. */
async function reportThreeds(engine: string, databaseUrl: string | undefined): Promise<void> {
  const place = databaseUrl === undefined ? {} : { databaseUrl }
  const platform = await startProcess('platform', { ...place, rateLimits: 'off' })
  try {
    const local: LocalFile = JSON.parse(await readFile(join(platform.home, 'local.json'), 'utf8'))
    const { plainMs, threedsMs } = await timeThreeds(local, await newCardInstrument(local))
    const added = threedsMs - plainMs
    console.log(
      `${added <= THREEDS_MS ? 'ok  ' : 'MISS'} ${engine} frictionless 3-D Secure adds ${added.toFixed(1)} ms at p50 to ${plainMs.toFixed(1)} ms (at most ${THREEDS_MS})`,
    )
  } finally {
    await platform.stop()
  }
}

/** Waits until nothing has come for two seconds. */
async function quiet(receiver: { readonly count: number }): Promise<void> {
  for (let before = -1; before !== receiver.count;) {
    before = receiver.count
    await delay(2_000)
  }
}
