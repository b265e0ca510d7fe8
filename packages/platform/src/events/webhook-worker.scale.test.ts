import { describe, expect, test } from 'vitest'
import { soaks } from '../../../../.ci/soaks.ts'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import { type Receiver, type ReceiverAnswer, startReceiver } from '../../test/events/start-receiver.ts'
import { startWorker } from '../../test/events/start-worker.ts'
import { LEASE_MS } from './claim-deliveries.ts'
import { readCounts } from './counts.ts'
import { emit } from './emit.ts'
import { listEndpoints } from './endpoints.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const patience = { timeout: 90_000, interval: 20 }
const ok: ReceiverAnswer = { status: 200 }
/** A kept connection that breaks is no failure of the receiver: the webhook goes out on a new one at once. */
const okOnce: ReceiverAnswer = { status: 200, headers: { connection: 'close' } }

/** How many events go to four receivers, and to the one that leaves. */
const [PAID, LEFT] = soaks ? [2_400, 400] : [600, 200]
/** Every so many webhooks a connection is reset, or a receiver asks for patience. */
const [RESET_EVERY, HOLD_EVERY] = [9, 50]
const [RESET, HELD] = [Math.floor(PAID / RESET_EVERY), PAID / HOLD_EVERY]

test(`of ${4 * PAID + LEFT} deliveries to receivers of every kind each wanted one is acknowledged once, at its time`, async () => {
  const platform = await openEvents()
  const startMs = platform.clock.now()
  const good = await startReceiver()
  const slow = await startReceiver(async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    return ok
  })
  const resets = await startReceiver(firstTimes((number) => (number % RESET_EVERY === 0 ? 'reset' : okOnce)))
  const busy = await startReceiver(
    firstTimes((number) => (number % HOLD_EVERY === 0 ? { status: 429, headers: { 'retry-after': '3600' } } : ok)),
  )
  const leaving = await startReceiver((_webhook, count) => ({ status: count > 100 ? 410 : 200 }))
  for (const { url } of [good, slow, resets, busy]) await platform.addEndpoint(url, { eventTypes: ['s_order_paid'] })
  await platform.addEndpoint(leaving.url, { eventTypes: ['s_order_created'] })
  const ids = await happenMany(platform, 's_order_paid', PAID)
  await happenMany(platform, 's_order_created', LEFT)
  startWorker(platform.services)

  await quiet(platform)
  const retries = await pendingMs(platform)
  expect(retries.filter((dueMs) => dueMs === startMs + HOUR_MS)).toHaveLength(HELD)
  const soon = retries.filter((dueMs) => dueMs !== startMs + HOUR_MS)
  expect(soon).toHaveLength(RESET)
  for (const dueMs of soon) expect(Math.abs(dueMs - startMs - 5 * SECOND_MS)).toBeLessThanOrEqual(SECOND_MS)
  for (const byMs of [6 * SECOND_MS, HOUR_MS]) {
    platform.clock.advance(byMs)
    await quiet(platform)
  }

  expect(await pendingMs(platform)).toEqual([])
  for (const { received } of [good, slow]) expect(received).toHaveLength(PAID)
  for (const receiver of [good, slow, resets, busy]) expect([...new Set(receiver.ids())].toSorted()).toEqual(ids)
  expect(resets.received).toHaveLength(PAID + RESET)
  expect(busy.received).toHaveLength(PAID + HELD)
  expect(sentMs(resets).filter((ms) => ms !== startMs)).toEqual(Array(RESET).fill(startMs + 6 * SECOND_MS))
  expect(sentMs(busy).filter((ms) => ms !== startMs)).toEqual(Array(HELD).fill(startMs + 6 * SECOND_MS + HOUR_MS))
  const disabled = (await listEndpoints(platform.services.db, 'acc_1')).filter(({ enabled }) => !enabled)
  expect(disabled.map(({ url }) => url)).toEqual([leaving.url])
  const [disabling, left, paid] = (await readCounts({ draft: false }, 'acc_1', platform.services.db)).toSorted(
    (a, b) => a.total - b.total,
  )
  expect(disabling).toMatchObject({ eventType: 's_webhook_endpoint_updated', total: 1 })
  expect(paid).toEqual({ eventType: 's_order_paid', total: PAID, processed: PAID })
  expect(left).toMatchObject({ eventType: 's_order_created', total: LEFT })
  const acknowledged = "SELECT count(*) AS count FROM webhook_deliveries WHERE state = 'delivered'"
  const [{ count } = {}] = await platform.services.db.read(acknowledged, [])
  expect(count).toBe(4 * PAID + (left?.processed ?? 0))
  expect(left?.processed).toBeLessThanOrEqual(leaving.received.length)
})

describe.each(testableEngines())('on %s', (engine) => {
  test('hanging receivers do not hold up fifty good ones', async () => {
    const platform = await openEvents(engine)
    const hanging = await startReceiver(() => 'hang')
    const good = await startReceiver()
    for (let i = 0; i < 50; i += 1) {
      await platform.addEndpoint(`${good.url}/${i}`)
      if (i % 5 === 0) await platform.addEndpoint(hanging.url)
    }
    const ids = await happenMany(platform, 's_order_paid', 10)
    startWorker(platform.services)
    const received = await good.until(500)
    for (let i = 0; i < 50; i += 1) {
      const its = received.filter(({ path }) => path === `/${i}`)
      expect(its.map(({ headers }) => String(headers['webhook-id'])).toSorted()).toEqual(ids)
    }
    expect(hanging.received.length).toBeLessThanOrEqual(80)
  })
})

test('after an hour of silence everything arrives, each at its own time and acknowledged once', async () => {
  const platform = await openEvents()
  let down = true
  const receiver = await startReceiver(() => (down ? 'reset' : ok))
  await platform.addEndpoint(receiver.url)
  const ids: string[] = []
  const worker = startWorker(platform.services)
  for (let minute = 0; minute < 60; minute += 2) {
    ids.push(await platform.happen())
    worker.wake()
    await quiet(platform)
    platform.clock.advance(2 * MINUTE_MS)
    await quiet(platform)
  }
  down = false
  const missed = receiver.received.length
  const waiting = await platform.services.db.read(
    "SELECT event_id, attempts, next_attempt_at FROM webhook_deliveries WHERE state = 'pending' ORDER BY next_attempt_at",
    [],
  )
  expect(waiting).toHaveLength(30)
  for (const { next_attempt_at: dueMs } of waiting) {
    platform.clock.advance(Math.max(0, Number(dueMs) - platform.clock.now()))
    await quiet(platform)
  }
  const arrived = receiver.ids().slice(missed)
  expect(arrived).toEqual(waiting.map((row) => row['event_id']))
  for (const attempts of new Set(waiting.map((row) => row['attempts']))) {
    const times = sentMs(receiver).slice(missed)
    const its = waiting.flatMap((row, i) =>
      row['attempts'] === attempts ? [{ id: row['event_id'], ms: times[i] }] : [],
    )
    expect(its.map(({ ms }) => ms)).toEqual(its.map(({ ms }) => ms).toSorted())
  }
  expect(arrived.toSorted()).toEqual(ids.toSorted())
  expect(await readCounts({ draft: false }, 'acc_1', platform.services.db)).toMatchObject([
    { total: 30, processed: 30 },
  ])
})

/** Gives the answer by the number of a webhook, and 200 whenever it comes again. */
function firstTimes(answer: (number: number) => ReceiverAnswer): (webhook: { headers: object }) => ReceiverAnswer {
  const seen = new Set<string>()
  return ({ headers }) => {
    const id = String(Reflect.get(headers, 'webhook-id'))
    if (seen.has(id)) return ok
    return answer(seen.add(id).size)
  }
}

/** Emits many events in a few transactions; their ids, sorted. */
async function happenMany({ call, commit }: TestEvents, type: 's_order_paid' | 's_order_created', count: number) {
  const maker = call()
  const ids = Array.from({ length: count }, () => maker.newId('evt'))
  // Events are stored as they come; what their properties are does not matter here.
  const emitted = ids.map((id) => emit(type, { properties: {} as never }, { ...maker, newId: () => id }))
  for (let start = 0; start < count; start += 400) await commit(emitted.slice(start, start + 400).flat())
  return ids.toSorted()
}

/** Resolves when nothing is due and nothing is claimed: a claim ends exactly a lease from now, and no retry does. */
async function quiet({ services, clock }: TestEvents): Promise<void> {
  const sql = `SELECT count(*) AS count FROM webhook_deliveries
    WHERE state = 'pending' AND (next_attempt_at <= ? OR next_attempt_at = ?)`
  const count = async () => (await services.db.read(sql, [clock.now(), clock.now() + LEASE_MS]))[0]?.['count']
  await expect.poll(count, patience).toBe(0)
}

async function pendingMs({ services }: TestEvents): Promise<number[]> {
  const rows = await services.db.read(
    "SELECT next_attempt_at AS due FROM webhook_deliveries WHERE state = 'pending'",
    [],
  )
  return rows.map(({ due }) => Number(due))
}

/** When each webhook was sent, as its signature says. */
function sentMs({ received }: Receiver): number[] {
  return received.map(({ headers }) => Number(headers['webhook-timestamp']) * SECOND_MS)
}
