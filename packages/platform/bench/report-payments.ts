import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { LocalFile } from '../src/local/start-local.ts'
import { benchFloorWrite } from './bench-engine.ts'
import { countDeliveries } from './count-deliveries.ts'
import { type BenchPlace, execute } from './execute.ts'
import { newCardInstrument } from './new-card-instrument.ts'
import { mainThreadUs } from './pairs.ts'
import { startProcess } from './start-process.ts'
import { timeThreeds } from './time-threeds.ts'
import { type Load, warmUp, wrk } from './wrk.ts'

/** Targets of payments with everything on: share of the floor's inserts in the same run, and main thread time. */
const AIM = { share: 0.2, mainUs: 250, p99Ms: 40 } as const
/** Each payment has its own instrument: with a shared one, PostgreSQL's payments would wait for its token's row. */
const INSTRUMENTS = 64

/** Upper bound for the latency that a frictionless authentication adds at p50, over loopback. */
const THREEDS_MS = 8

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

/** Measures payments until their webhook is delivered, and the floor in the same run. */
async function reportRate(engine: string, urls: Omit<Urls, 'threeds'>): Promise<void> {
  const floor = await benchFloorWrite(urls.floor)
  const platform = await startProcess('platform', urls.platform === undefined ? {} : { databaseUrl: urls.platform })
  const receiver = await countDeliveries()
  try {
    const local: LocalFile = JSON.parse(await readFile(join(platform.home, 'local.json'), 'utf8'))
    await execute({ home: platform.home, databaseUrl: urls.platform }, [
      'UPDATE accounts SET rate_per_minute = 6000000, rate_burst = 1000000',
      `UPDATE webhook_endpoints SET event_types = '["s_order_paid"]', url = 'http://localhost:${receiver.port}/'`,
    ])
    const choices = await newCards(local, { home: platform.home, databaseUrl: urls.platform })
    const paid = { storeId: local.storeId, paymentInstrumentId: '{choice}', currency: 'USD', amount: 500 }
    const request = {
      url: `${local.apiUrl}/api/payments/v1/payments`,
      headers: { Authorization: `Bearer ${local.apiKey}` },
      body: JSON.stringify(paid),
      choices,
    }
    await warmUp(request)
    await quiet(receiver)
    const [startedAt, beforeUs, before] = [performance.now(), mainThreadUs(platform.pid), receiver.count]
    const load = await wrk(request)
    await quiet(receiver)
    const count = receiver.count - before
    const mainUs = (mainThreadUs(platform.pid) - beforeUs) / count
    const delivered = count / ((receiver.lastAtMs - startedAt) / 1_000)
    console.log(sentence(engine, { load, floor, mainUs, delivered }))
  } finally {
    receiver.close()
    await platform.stop()
  }
}

/** Instruments of one card, copied: one address may not bring so many through the vault. */
export async function newCards(local: LocalFile, place: BenchPlace): Promise<string[]> {
  const first = await newCardInstrument(local)
  const copies = Array.from({ length: INSTRUMENTS }, (_, n) => first.slice(0, -2) + String(n).padStart(2, '0'))
  const rest = `store_id, customer_id, card_id, is_active, 0, is_customer_proven, created_at FROM payment_instruments`
  await execute(
    place,
    copies.map(
      (id) => `INSERT INTO payment_instruments
        (account_id, id, store_id, customer_id, card_id, is_active, is_default, is_customer_proven, created_at)
        SELECT account_id, '${id}', ${rest} WHERE id = '${first}' ON CONFLICT DO NOTHING`,
    ),
  )
  return copies
}

interface PaymentFigures {
  load: Load
  floor: Load
  /** Of the platform's main thread, for each payment. */
  mainUs: number
  /** Payments a second whose webhook was delivered. */
  delivered: number
}

function sentence(engine: string, { load, floor, mainUs, delivered }: PaymentFigures): string {
  const share = load.perSecond / floor.perSecond
  const isReached = share >= AIM.share && mainUs <= AIM.mainUs && load.p99Ms <= AIM.p99Ms
  const percent = (part: number) => `${Math.round(part * 100)} %`
  return (
    `${isReached ? 'ok  ' : 'MISS'} ${engine} payment ${Math.round(load.perSecond)}/s, p99 ${load.p99Ms} ms, ` +
    `${percent(share)} of the floor's ${Math.round(floor.perSecond)}/s, ${Math.round(mainUs)} us of the main thread each, ` +
    `${Math.round(delivered)}/s until the webhook is delivered ` +
    `(at least ${percent(AIM.share)}, at most ${AIM.p99Ms} ms and ${AIM.mainUs} us)`
  )
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
export async function quiet(receiver: { readonly count: number }): Promise<void> {
  for (let before = -1; before !== receiver.count;) {
    before = receiver.count
    await delay(2_000)
  }
}
